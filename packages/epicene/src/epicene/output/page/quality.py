"""Quality against misgendering: every system a point, so that what a better translator costs people is seen at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from epicene.output.charts.page import Series, by_system
from epicene.output.charts.vega import WIDTH, Spec, layered, mark, quantitative
from epicene.output.page.figures import Figure, Grid, drawn
from epicene.output.table import format_number as number
from epicene.types import Measure

METRICS = ("comet", "chrf", "bleu")  # the first that all systems have is drawn
MISGENDERED = "people misgendered, %"


def quality_figure(name: str, series: Sequence[Series]) -> Figure | None:
    """The figure of all systems that have both; None where fewer than two do."""
    rows = quality_rows(series)
    if not rows:
        return None
    ends = ("score", "score_low", "score_high", "wrong", "wrong_low", "wrong_high")
    cells = []
    for row in rows:
        counted = (f"{row['n']:,}", f"{row['undetected']:,}")
        cells.append((row["system"], *(number(row[each]) for each in ends), *counted))
    unit = rows[0]["unit"]
    header = ("system", unit, "low", "high", "misgendered, %", "low", "high", "sentences", "undetected")
    return Figure(
        "Quality and misgendering",
        f"Each point is a system: the higher, the nearer to the references ({unit}); the further to the left, the "
        "fewer people are misgendered. Lines are 95 % confidence intervals. The axes do not begin at 0.",
        drawn(quality_chart(rows), name),
        Grid(header, tuple(cells)),
    )


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
        rows.append({**place, "wrong": rate.value, "people": rate.n, "undetected": rate.undetected, **ends})
    return sorted(rows, key=lambda row: (row["wrong"], row["system"])) if len(rows) > 1 else []


def quality_chart(rows: Sequence[dict[str, Any]]) -> Spec:
    """The chart: systems are told apart by colour and shape."""
    scale = {"zero": False, "nice": True, "padding": 16}
    x, low_x = (quantitative(name, title=MISGENDERED, scale=scale) for name in ("wrong", "wrong_low"))
    y, low_y = (quantitative(name, title=rows[0]["unit"], scale=scale) for name in ("score", "score_low"))
    systems = by_system([row["system"] for row in rows])
    layers = [mark("point", {"x": x, "y": y, **systems}, filled=True, size=64, opacity=1)]
    if all(row[low] is not None for row in rows for low in ("wrong_low", "score_low")):
        upward = {"x": x, "y": low_y, "y2": {"field": "score_high"}}
        across = {"x": low_x, "x2": {"field": "wrong_high"}, "y": y}
        layers = [
            *(
                mark("rule", {**ends, "color": systems["color"]}, strokeWidth=1.5, opacity=0.45)
                for ends in (upward, across)
            ),
            *layers,
        ]
    return layered(rows, *layers, width=WIDTH, height=WIDTH)


def _score(each: Series, metric: str) -> Measure | None:
    known = {(measure.name, measure.group): measure for measure in each.result.measures if measure.value is not None}
    return known.get((metric, "all"))
