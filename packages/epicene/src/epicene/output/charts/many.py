"""Charts of more systems than colours can tell apart: a line for each system, so that all of them are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from epicene.measures.breakdown import feminine
from epicene.measures.outcomes import OPPOSITE
from epicene.output.charts import page as few
from epicene.output.charts.page import DIRECTIONS, EXPECTED, READ, Series
from epicene.output.charts.vega import COLOURS, SHAPES, WIDTH
from epicene.output.page import links
from epicene.types import Gender

_TICKS = [0, 25, 50, 75, 100]
_PER_CENT = {"domain": [0, 100], "nice": False}
_STEP = 17  # pixels of a line
_NAMES = {"ticks": False, "domain": False, "labelPadding": 8, "grid": False, "labelLimit": 150}
_HALF = 50.0  # per cent of the workers, from which on an occupation is women's


def misgendered_rows(series: Sequence[Series]) -> list[dict[str, Any]]:
    """How often women and men are written as the other, by system; where nothing is told, what is written at all."""
    rows = []
    for each in series:
        for gender, words in DIRECTIONS.items():
            if rate := each.misgendered(gender):
                link = links.misgendered(each, gender, OPPOSITE[gender])
            elif rate := each.share(gender):
                words, link = f"{READ[gender]} is written", links.of(each, read=gender.value)
            else:
                continue
            low, high = rate.interval or (None, None)
            row = {"system": each.name, "kind": words, "value": rate.value, "low": low, "high": high, "link": link}
            rows.append({**row, "n": rate.n, "unread": rate.undetected})
    return rows


def misgendered_chart(series: Sequence[Series]) -> Any:
    """Two points a system, those with the fewest women misgendered on top."""
    return _pairs(misgendered_rows(series), "%")


def stereotype_rows(series: Sequence[Series]) -> list[dict[str, Any]]:
    """Women among those written, in occupations where most workers are women and where most are men, by system."""
    rows = []
    for each in series:
        known = {row["occupation"]: row["workers"] for row in few.stereotype_rows(each)}
        for words, women in (("in women’s jobs", True), ("in men’s jobs", False)):
            cells = sum(
                (
                    own
                    for name, own in each.breakdown.occupations.items()
                    if name in known and (known[name] >= _HALF) is women
                ),
                Counter[tuple[Gender | None, Gender]](),
            )
            if rate := feminine(cells):
                row = {"system": each.name, "kind": words, "value": rate.value, "low": rate.low, "high": rate.high}
                rows.append({**row, "n": rate.n})
    return rows


def stereotype_chart(series: Sequence[Series]) -> Any:
    """Two points a system: far apart if it follows the labour market, together if it follows the sentence."""
    import altair as alt

    drawn = _pairs(stereotype_rows(series), "women among those written, %")
    stated = few.source_share(series)
    if stated is None:
        return drawn
    line = alt.Chart(alt.Data(values=[{"value": stated}])).encode(x=alt.X("value:Q", scale=_PER_CENT))
    return drawn + line.mark_rule(strokeDash=[5, 4], color="var(--ink)")


def _pairs(rows: list[dict[str, Any]], title: str) -> Any:
    import altair as alt

    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    first = sorted((row for row in rows if row["kind"] == kinds[0]), key=lambda row: row["value"])
    order = list(dict.fromkeys(row["system"] for row in (*first, *rows)))
    y = alt.Y("system:N", sort=order, title=None, axis=_NAMES)
    colour = alt.Color("kind:N", scale=alt.Scale(domain=kinds, range=list(COLOURS[: len(kinds)])), legend=alt.Legend())
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=list(SHAPES[: len(kinds)])), legend=alt.Legend())
    base = alt.Chart(alt.Data(values=rows), width=WIDTH, height={"step": _STEP}).encode(y=y, color=colour)
    x = alt.X("low:Q", scale=_PER_CENT, title=title, axis=alt.Axis(values=_TICKS))
    bars = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=x, x2="high:Q")
    linked = {"href": "link:N"} if all("link" in row for row in rows) else {}
    points = base.mark_point(filled=True, size=52, opacity=1).encode(
        x=alt.X("value:Q", scale=_PER_CENT), shape=shape, **linked
    )
    return bars + points


def confusion_chart(series: Sequence[Series]) -> Any:
    """A bar a system, cut into what is written: one panel for women, one for men, one for others."""
    import altair as alt

    rows = [row for each in series for row in few.confusion_rows(each)]
    said = list(READ.values())
    colours = alt.Scale(domain=said, range=[COLOURS[0], COLOURS[1], COLOURS[2], "var(--muted)"])
    panels = []
    for word in (word for word in EXPECTED.values() if any(row["expected"] == word for row in rows)):
        own = [{**row, "place": said.index(row["read"])} for row in rows if row["expected"] == word and row["count"]]
        base = alt.Chart(alt.Data(values=own), width=WIDTH, height={"step": _STEP}, title=f"the sentence: {word}")
        panels.append(
            base.mark_bar(size=11, fillOpacity=0.45, strokeWidth=1).encode(
                y=alt.Y("system:N", sort=None, title=None, axis=_NAMES),
                x=alt.X(
                    "share:Q", stack="normalize", title=None, axis=alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
                ),
                fill=alt.Fill("read:N", scale=colours, legend=alt.Legend()),
                stroke=alt.Stroke("read:N", scale=colours, legend=None),
                order=alt.Order("place:Q"),
                href="link:N",
            )
        )
    return alt.vconcat(*panels, spacing=14).resolve_scale(fill="shared")


def occupation_chart(series: Sequence[Series]) -> Any:
    """A line an occupation and a tick a system: women and men, each over their own sentences."""
    import altair as alt

    rates = {each.label: few.occupation_rates(each) for each in series}
    panels = []
    for gender, words in DIRECTIONS.items():
        rows = [
            {"occupation": few.wrapped(name), "value": rate.value}
            for name in few.ranked(series, (gender,))[: few.OCCUPATIONS]
            for each in series
            if (rate := rates[each.label].get(name, {}).get(gender))
        ]
        if not rows:
            continue
        base = alt.Chart(alt.Data(values=rows), width=WIDTH, height={"step": 26})
        y = alt.Y("occupation:N", sort=None, title=None, axis={**_NAMES, "labelExpr": "split(datum.label, '\\n')"})
        ticks = base.mark_tick(thickness=2, size=15, opacity=0.6, color=COLOURS[gender is Gender.MASCULINE]).encode(
            y=y, x=alt.X("value:Q", scale=_PER_CENT, title=f"{words}, %", axis=alt.Axis(values=_TICKS))
        )
        mean = base.mark_point(filled=True, size=40, color="var(--ink)").encode(y=y, x="mean(value):Q")
        panels.append(ticks + mean)
    return alt.vconcat(*panels, spacing=18)
