"""One system over time: the rates of several runs, by the day that they were translated or run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from epicene.measures.outcomes import OPPOSITE
from epicene.output.charts.page import DIRECTIONS, LABEL, Series
from epicene.output.charts.vega import MEN, SHAPES, WOMEN
from epicene.output.page import links
from epicene.output.page.figures import Figure, Grid, Link, clean, drawn
from epicene.output.table import format_number as number
from epicene.text import visible

_WIDTH, _HEIGHT = 150, 110


def trends(series: Sequence[Series]) -> list[Figure]:
    """A figure for each set and system that was run on several days."""
    by_system: dict[tuple[str, str], list[Series]] = {}
    for each in series:
        if each.day:
            system = each.result.kept.system if each.result.kept else each.result.system
            by_system.setdefault((each.result.set, system), []).append(each)
    found = []
    for number_of, ((name, system), own) in enumerate(by_system.items()):
        rows = [row for each in sorted(own, key=lambda each: each.day) for row in _rows(each)]
        several = {row["language"] for row in rows if len(_days(rows, row["language"])) > 1}
        rows = [row for row in rows if row["language"] in several]
        if rows:
            found.append(_figure(f"trend-{number_of}", name, system, rows))
    return found


def _days(rows: Sequence[dict[str, Any]], language: str) -> set[str]:
    return {row["day"] for row in rows if row["language"] == language}


def _rows(each: Series) -> list[dict[str, Any]]:
    rows = []
    for gender, words in DIRECTIONS.items():
        if rate := each.misgendered(gender):
            low, high = rate.interval or (None, None)
            row = {"day": each.day, "language": each.into, "kind": words, "value": rate.value, "low": low, "high": high}
            rows.append({**row, "n": rate.n, "link": links.misgendered(each, gender, OPPOSITE[gender])})
    return rows


def _figure(name: str, set_name: str, system: str, rows: list[dict[str, Any]]) -> Figure:
    cells = [
        (row["day"], row["language"], row["kind"], Link(number(row["value"]), row["link"]), number(row["low"]),
         number(row["high"]), f"{row['n']:,}")
        for row in rows
    ]  # fmt: skip
    return Figure(
        f"{visible(system)[:LABEL]} over time, {visible(set_name)}",
        "Women and men misgendered, by the day of the translations, with 95 % confidence intervals.",
        drawn(lambda: _chart(rows), name),
        Grid(("day", "into", "", "%", "low", "high", "n"), clean(cells)),
    )


def _chart(rows: list[dict[str, Any]]) -> Any:
    import altair as alt

    kinds = list(DIRECTIONS.values())
    scale = alt.Scale(domain=[0, 100], nice=False)
    colour = alt.Color("kind:N", scale=alt.Scale(domain=kinds, range=[WOMEN, MEN]), legend=alt.Legend())
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=list(SHAPES[:2])), legend=alt.Legend())
    base = alt.Chart(width=_WIDTH, height=_HEIGHT).encode(
        x=alt.X("day:O", title=None, axis=alt.Axis(labelAngle=-40)), color=colour
    )
    y = alt.Y("low:Q", scale=scale, title="%", axis=alt.Axis(values=[0, 25, 50, 75, 100]))
    bars = base.mark_rule(strokeWidth=2, opacity=0.5).encode(y=y, y2="high:Q")
    lines = base.mark_line(strokeWidth=1.5).encode(y=alt.Y("value:Q", scale=scale))
    linked = {"href": "link:N"} if all(row["link"] for row in rows) else {}
    points = base.mark_point(filled=True, size=52, opacity=1).encode(
        y=alt.Y("value:Q", scale=scale), shape=shape, **linked
    )
    layers = alt.layer(bars, lines, points, data=alt.Data(values=rows))
    return layers.facet(alt.Facet("language:N", title=None), columns=2)
