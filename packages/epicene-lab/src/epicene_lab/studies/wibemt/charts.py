"""The figures of WiBeMT as charts: bars with intervals beside the published ones, points with lines."""

from __future__ import annotations

from epicene.output.charts.vega import Spec, layered, mark, nominal, quantitative
from epicene.studies import Figure

WIDTH, HEIGHT = 480, 300
_COLOURS = "tableau10"
_PALE = 0.35  # the opacity of published bars
_LEGEND = {"orient": "bottom", "title": None}


def draw_bars(figure: Figure) -> Spec:
    """Bars by group, system and where the value is from, with a rule for the interval; published ones are pale."""
    rows = [{**row, "bar": f"{row['series']} {row['from']}"} for row in figure.rows]
    bars_of = list(dict.fromkeys(row["bar"] for row in rows))
    sources = list(dict.fromkeys(str(row["from"]) for row in rows))
    strengths = [_PALE + (1 - _PALE) * index / max(1, len(sources) - 1) for index in range(len(sources))]
    heights = [value for row in rows for end in ("y", "high") if isinstance(value := row.get(end), int | float)]
    scale = {"domain": [0, max(heights, default=100)], "nice": True}
    at = {
        "x": nominal("x", sort=None, title=figure.x or None, axis={"labelAngle": 0}),
        "xOffset": nominal("bar", sort=bars_of),
    }
    opacity = {"type": "ordinal", "domain": sources, "range": strengths}
    bar = {
        **at,
        "y": quantitative("y", title=figure.y, scale=scale),
        "color": nominal("series", sort=None, scale={"scheme": _COLOURS}, legend=_LEGEND),
        "opacity": nominal("from", scale=opacity, legend=_LEGEND),
        "tooltip": [*map(nominal, ("series", "from", "x")), *map(quantitative, ("y", "low", "high"))],
    }
    interval = {**at, "y": quantitative("low", scale=scale), "y2": {"field": "high"}}
    bars = mark("bar", bar, stroke="#333", strokeWidth=0.5)
    return layered(rows, bars, mark("rule", interval, color="#333"), title=figure.title, width=WIDTH, height=HEIGHT)


def draw_points(figure: Figure) -> Spec:
    """Points with a line of best fit for each series."""
    at = {
        "x": quantitative("x", title=figure.x),
        "y": quantitative("y", title=figure.y),
        "color": nominal("series", scale={"scheme": _COLOURS}, legend=_LEGEND),
    }
    tooltip = [nominal("name"), quantitative("x"), quantitative("y")]
    points = mark(
        "point", {**at, "shape": nominal("series", legend=None), "tooltip": tooltip}, filled=True, opacity=0.7
    )
    fit = {"transform": [{"regression": "y", "on": "x", "groupby": ["series"]}], **mark("line", at)}
    return layered(figure.rows, points, fit, title=figure.title, width=WIDTH, height=HEIGHT)
