"""Quality against misgendering: every system a point, so that what a better translator costs people is seen at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from epicene.output.charts.page import Series
from epicene.output.charts.vega import COLOURS, SHAPES, WIDTH

METRICS = ("comet", "chrf", "bleu")  # the first that all systems have is drawn
MISGENDERED = "people misgendered, %"


def metric_of(series: Sequence[Series]) -> str:
    """The metric that can be drawn for two systems or more; "" where there is none."""
    for metric in METRICS:
        if sum(_score(each, metric) is not None for each in series) > 1:
            return metric
    return ""


def quality_rows(series: Sequence[Series]) -> list[dict[str, Any]]:
    """For each system its score and how often it misgenders, both with intervals; the least misgendering first."""
    metric, rows = metric_of(series), []
    for each in series if metric else ():
        score, rate = _score(each, metric), each.misgendered()
        if score is None or rate is None:
            continue
        low, high = rate.interval or (None, None)
        place = {"system": each.name, "unit": score.unit, "score": score.value, "n": score.n}
        ends = {"score_low": score.low, "score_high": score.high, "wrong_low": low, "wrong_high": high}
        rows.append({**place, "wrong": rate.value, "people": rate.n, "unread": rate.undetected, **ends})
    return sorted(rows, key=lambda row: (row["wrong"], row["system"])) if len(rows) > 1 else []


def quality_chart(series: Sequence[Series]) -> Any:
    """The chart: systems are told apart by colour and shape."""
    import altair as alt

    rows = quality_rows(series)
    names = [row["system"] for row in rows]
    x = alt.X("wrong:Q", title=MISGENDERED, scale=alt.Scale(zero=False, nice=True, padding=16))
    y = alt.Y("score:Q", title=rows[0]["unit"], scale=alt.Scale(zero=False, nice=True, padding=16))
    base = alt.Chart(alt.Data(values=rows), width=WIDTH, height=WIDTH)
    colours = alt.Scale(domain=names, range=list(COLOURS[: len(names)]))
    colour = alt.Color("system:N", scale=colours, legend=alt.Legend())
    shapes = alt.Scale(domain=names, range=list(SHAPES[: len(names)]))
    shape = alt.Shape("system:N", scale=shapes, legend=alt.Legend())
    ends = (("wrong_low", "wrong_high"), ("score_low", "score_high"))
    layers = base.mark_point(filled=True, size=64, opacity=1).encode(x=x, y=y, color=colour, shape=shape)
    if all(row[low] is not None for row in rows for low, _ in ends):
        across = base.mark_rule(strokeWidth=1.5, opacity=0.45)
        layers = across.encode(x=alt.X("wrong_low:Q", title=MISGENDERED), x2="wrong_high:Q", y=y, color=colour) + layers
        layers = (
            across.encode(y=alt.Y("score_low:Q", title=rows[0]["unit"]), y2="score_high:Q", x=x, color=colour) + layers
        )
    return layers


def _score(each: Series, metric: str) -> Any:
    found = [one for one in each.result.measures if one.name == metric and one.group == "all" and one.value is not None]
    return found[0] if found else None
