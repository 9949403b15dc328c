"""The charts of a report, each made of the rows that the table below it shows as well."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from epicene.output.charts.vega import (
    COLOURS,
    INK,
    LINE,
    SHAPES,
    WIDTH,
    Spec,
    layered,
    mark,
    nominal,
    quantitative,
)
from epicene.text import visible

Row = dict[str, Any]
PER_CENT = {"domain": [0, 100], "nice": False}
AXIS = {"scale": PER_CENT, "axis": {"values": [0, 25, 50, 75, 100]}}
NAMES = {
    "ticks": False,
    "domain": False,
    "grid": False,
    "labelPadding": 9,  # a point at nought is as wide as that
    "labelExpr": "split(datum.label, '\\n')",
    "labelLineHeight": 15,
}
_LONGEST = 60  # characters of a name from outside
_SEEN = 9  # per cent: narrower parts of a bar have no room for their number


def wrapped(text: str, width: int = 17) -> str:
    """A label from outside, broken into lines so that the plot keeps its room on a phone."""
    short = visible(text)[:_LONGEST].replace("/", " / ")
    return "\n".join(textwrap.wrap(short, width, break_long_words=True)) or " "


def name_colours(systems: Sequence[str]) -> dict[str, str]:
    """Each system with its colour, the same in every chart."""
    return dict(zip(systems, COLOURS, strict=False))


def point_chart(
    rows: Sequence[Row],
    colours: Mapping[str, str],
    title: str,
    width: int = WIDTH,
    corrected: Sequence[Row] = (),
) -> Spec:
    """Points with their intervals: a line for each name and, in it, for each system or gender, called ``by``.

    Corrected rates are ticks with dashed intervals.
    """
    shown = [key for key in colours if any(row["by"] == key for row in rows)]
    lines = max((row["name"].count("\n") + 1 for row in rows), default=1)
    step = max(6 + 15 * lines, 14 * len(shown) + 2) / max(1, len(shown))
    legend: Spec | None = {} if len(colours) > 1 else None
    colour = {"domain": shown, "range": [colours[key] for key in shown]}
    shape = {"domain": shown, "range": SHAPES[: len(shown)]}
    line = {
        "y": nominal("name", sort=None, title=None, axis=NAMES),
        "color": nominal("by", scale=colour, legend=legend),
    }
    if len(shown) > 1:
        line["yOffset"] = nominal("by", sort=shown)
    low, value = (quantitative(name, scale=PER_CENT) for name in ("low", "value"))
    interval = {**line, "x": quantitative("low", title=title, **AXIS), "x2": {"field": "high"}}
    point = {**line, "x": value, "shape": nominal("by", scale=shape, legend=legend)}
    if rows and all(row.get("link") for row in rows):  # a drawing of points with and without links cannot be made
        point["href"] = nominal("link")
    layers = [mark("rule", interval, strokeWidth=2, opacity=0.55)]
    if corrected:
        layers += [
            mark("rule", {**interval, "x": low}, corrected, strokeWidth=1, strokeDash=[2, 2], yOffset=5),
            mark("tick", {**line, "x": value}, corrected, thickness=2, size=11, yOffset=5),
        ]
    layers.append(mark("point", point, filled=True, size=64, opacity=1))
    return layered(rows, *layers, width=width, height={"step": step})


def quality_chart(rows: Sequence[Row], unit: str) -> Spec:
    """Scores against the rate of misgendering: systems are told apart by colour and shape."""
    scale = {"zero": False, "nice": True, "padding": 16}
    x, low_x = (quantitative(name, title="people misgendered, %", scale=scale) for name in ("value", "low"))
    y, low_y = (quantitative(name, title=unit, scale=scale) for name in ("score", "score_low"))
    systems = by_system([row["by"] for row in rows])
    layers = [mark("point", {"x": x, "y": y, **systems}, filled=True, size=64, opacity=1)]
    if all(row[low] is not None for row in rows for low in ("low", "score_low")):
        ends = ({"x": x, "y": low_y, "y2": {"field": "score_high"}}, {"x": low_x, "x2": {"field": "high"}, "y": y})
        look: Spec = {"strokeWidth": 1.5, "opacity": 0.45}
        layers = [*(mark("rule", {**way, "color": systems["color"]}, **look) for way in ends), *layers]
    return layered(rows, *layers, width=WIDTH, height=WIDTH)


def by_system(systems: Sequence[str]) -> Spec:
    """Colour and shape of each system, for points of a plane."""
    looks = {"color": COLOURS, "shape": SHAPES}
    legend: Spec | None = {} if len(systems) > 1 else None
    return {
        channel: nominal("by", scale={"domain": systems, "range": look[: len(systems)]}, legend=legend)
        for channel, look in looks.items()
    }


def confusion_chart(rows: Sequence[Row], systems: Sequence[str], sources: Sequence[str], reads: Sequence[str]) -> Spec:
    """What was read for each expected gender, in per cent of the sentences that expect it; a square for each system."""
    bare = {"ticks": False, "domain": False}
    at = {
        "x": nominal("read", sort=reads, title="in the translation", axis={"orient": "top", "labelAngle": 0, **bare}),
        "y": nominal("expected", sort=sources, title="in the source", axis={"titlePadding": 18, **bare}),
    }
    # Shades end where text can still be read on them.
    shade = quantitative("share", scale={"domain": [0, 100], "range": [0.04, 0.5]}, legend=None)
    cells = mark("rect", {**at, "opacity": shade, "href": nominal("link")}, color="var(--accent)", stroke=LINE)
    texts = mark("text", {**at, "text": nominal("text")}, fontSize=13)
    charts = []
    for system in systems:
        # Browsers write a title wider than it was measured.
        title = {"title": {"text": system, "limit": WIDTH + 30}} if len(systems) > 1 else {}
        own = [row for row in rows if row["by"] == system]
        charts.append(layered(own, cells, texts, width=WIDTH + 70, height={"step": 38}, **title))
    return {"vconcat": charts, "spacing": 14} if len(charts) > 1 else charts[0]


def cause_chart(rows: Sequence[Row], origins: Sequence[str]) -> Spec:
    """A bar for each name, cut into the parts that recognition, both and translation have."""
    colours = {"domain": origins, "range": [COLOURS[0], COLOURS[3], COLOURS[1]]}
    y = nominal("name", sort=None, title=None, axis={**NAMES, "labelPadding": 2})
    x = quantitative("value", **AXIS, stack="zero", title="errors, %")
    bar = {
        "y": y,
        "x": x,
        "order": quantitative("order"),
        "color": nominal("origin", scale=colours, legend={"title": None}),
        "stroke": nominal("origin", scale=colours, legend=None),
    }
    seen = {"condition": {"test": f"datum.value >= {_SEEN}", "value": 1}, "value": 0}
    number = {"y": y, "x": {**x, "bandPosition": 0.5}, "order": quantitative("order")}
    text = {"text": quantitative("value", format=".0f"), "detail": nominal("origin"), "opacity": seen}
    bars = mark("bar", bar, size=14, fillOpacity=0.3, strokeWidth=1.5)
    texts = mark("text", {**number, **text}, fontSize=12, color=INK)
    return layered(
        rows, bars, texts, width=WIDTH, height={"step": 48 if any("\n" in row["name"] for row in rows) else 32}
    )
