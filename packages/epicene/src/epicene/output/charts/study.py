"""A study's figures as charts (extra ``report``): bars with intervals beside the published ones, points with lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene.output.charts.vega import check_path, write_chart

if TYPE_CHECKING:
    from epicene.studies import Figure, Study

WIDTH, HEIGHT = 480, 300
_COLOURS = "tableau10"
_PALE = 0.35  # the opacity of published bars
_ROOM = {"left": 90, "right": 70, "top": 10, "bottom": 10}


def write(study: Study, path: Path) -> None:
    """Draw all figures of a study below each other into one file: ``.svg``, or ``.json`` for the specification."""
    check_path(path)
    if not study.figures:
        raise InputError(f"study {study.name} has no figures; leave --charts out")
    import altair as alt

    page = alt.vconcat(*map(chart, study.figures)).resolve_scale(
        color="independent", opacity="independent", xOffset="independent", shape="independent"
    )
    # Where a reader's font is wider than the one that was measured, labels and titles still have room.
    write_chart(page.properties(padding=_ROOM), path)


def chart(figure: Figure) -> Any:
    """One figure."""
    kinds = {"bars": _bars, "points": _points}
    return (kinds[figure.kind] if isinstance(figure.kind, str) else figure.kind)(figure)


def _bars(figure: Figure) -> Any:
    """Bars by group, system and where the value is from, with a rule for the interval; published ones are pale."""
    import altair as alt

    rows = [{**row, "bar": f"{row['series']} {row['from']}"} for row in figure.rows]
    bars_of = list(dict.fromkeys(row["bar"] for row in rows))
    sources = list(dict.fromkeys(str(row["from"]) for row in rows))
    strengths = [_PALE + (1 - _PALE) * place / max(1, len(sources) - 1) for place in range(len(sources))]
    heights = [value for row in rows for end in ("y", "high") if isinstance(value := row.get(end), int | float)]
    base = alt.Chart(alt.Data(values=rows), title=figure.title, width=WIDTH, height=HEIGHT).encode(
        x=alt.X("x:N", sort=None, title=figure.x or None, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("bar:N", sort=bars_of),
    )
    scale = alt.Scale(domain=[0, max(heights, default=100)], nice=True)
    legend = alt.Legend(orient="bottom", title=None)
    bars = base.mark_bar(stroke="#333", strokeWidth=0.5).encode(
        y=alt.Y("y:Q", title=figure.y, scale=scale),
        color=alt.Color("series:N", sort=None, scale=alt.Scale(scheme=_COLOURS), legend=legend),
        opacity=alt.Opacity("from:N", scale=alt.Scale(type="ordinal", domain=sources, range=strengths), legend=legend),
        tooltip=["series:N", "from:N", "x:N", "y:Q", "low:Q", "high:Q"],
    )
    return bars + base.mark_rule(color="#333").encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")


def _points(figure: Figure) -> Any:
    """Points with a line of best fit for each series."""
    import altair as alt

    base = alt.Chart(
        alt.Data(values=[dict(row) for row in figure.rows]), title=figure.title, width=WIDTH, height=HEIGHT
    )
    base = base.encode(x=alt.X("x:Q", title=figure.x), y=alt.Y("y:Q", title=figure.y))
    color = alt.Color("series:N", scale=alt.Scale(scheme=_COLOURS), legend=alt.Legend(orient="bottom", title=None))
    points = base.mark_point(filled=True, opacity=0.7).encode(
        color=color, shape=alt.Shape("series:N", legend=None), tooltip=["name:N", "x:Q", "y:Q"]
    )
    lines = base.transform_regression("x", "y", groupby=["series"]).mark_line().encode(color=color)
    return points + lines
