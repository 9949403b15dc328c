"""The chart of where a cascade's errors come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from epicene.output.charts.page import NAMES, PER_CENT, TICKS, Series
from epicene.output.charts.vega import COLOURS, INK, WIDTH, Spec, layered, mark, nominal, quantitative
from epicene.sets.about import describe_voice
from epicene.types import Measure

ORIGINS = {"from_recognition": "recognition", "from_both": "both", "from_translation": "translation"}
_WORDS = {"all": "all errors", "female": "about a woman", "male": "about a man", "neutral": "about someone called they"}
_SEEN = 9  # per cent: narrower parts have no room for their number


def cause_rows(each: Series) -> list[tuple[str, str, Measure]]:
    """Group, origin and share of every group that has errors."""
    found = [measure for measure in each.result.measures if measure.name in ORIGINS and measure.n]
    return [(_group(measure.group), ORIGINS[measure.name], measure) for measure in found]


def _group(name: str) -> str:
    return _WORDS.get(name) or describe_voice(name) or name


def cause_chart(series: Sequence[Series]) -> Spec:
    """A bar for each group and system, cut into the parts that recognition, both and translation have."""
    rows: list[dict[str, Any]] = []
    for each in series:
        ends: dict[str, float] = {}
        for origin in ORIGINS.values():
            for group, _, measure in (row for row in cause_rows(each) if row[1] == origin):
                name = f"{group}\n{each.name}" if len(series) > 1 else group
                start, share = ends.get(name, 0.0), measure.value or 0.0
                ends[name] = start + share
                text = f"{share:.0f}" if share >= _SEEN else ""
                place = {"start": start, "end": start + share, "middle": start + share / 2, "text": text}
                rows.append({"group": name, "origin": origin, **place})
    names = list(ORIGINS.values())
    colours = {"domain": names, "range": [COLOURS[0], COLOURS[3], COLOURS[1]]}
    y = nominal("group", sort=None, title=None, axis={**NAMES, "labelPadding": 2})
    bar = {
        "y": y,
        "x": quantitative("start", scale=PER_CENT, title="errors, %", axis={"values": TICKS}),
        "x2": {"field": "end"},
        "color": nominal("origin", scale=colours, legend={"title": None}),
        "stroke": nominal("origin", scale=colours, legend=None),
    }
    number = {"y": y, "x": quantitative("middle", scale=PER_CENT), "text": nominal("text")}
    bars = mark("bar", bar, size=14, fillOpacity=0.3, strokeWidth=1.5)
    texts = mark("text", number, fontSize=12, color=INK)
    return layered(rows, bars, texts, width=WIDTH, height={"step": 32 if len(series) == 1 else 48})
