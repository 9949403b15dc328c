"""Charts of a study's figures (extra ``charts``): grouped bars, points about a diagonal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene.report import charts

if TYPE_CHECKING:
    from epicene.studies._study import Figure, Study

WIDTH = 480
_COLOURS = ["#b5478c", "#3f7fb0"]  # told apart by all common kinds of colour vision


def write(study: Study, path: Path) -> None:
    """Draw all figures of a study below each other into one file."""
    charts.check(path)
    if not study.figures:
        raise InputError(f"study {study.name} has no figures to draw; leave out --charts")
    charts.write(page(study), path)


def page(study: Study) -> Any:
    """All figures of a study as one Altair chart."""
    drawn = [_KINDS[figure.kind](figure) for figure in study.figures if figure.rows]
    return charts.altair().vconcat(*drawn).resolve_scale(color="independent", x="independent", y="independent")


def bars(figure: Figure) -> Any:
    """One group of bars a label, one bar a series, in the order of the rows."""
    alt = charts.altair()
    series = list(dict.fromkeys(str(row["series"]) for row in figure.rows))
    return (
        alt.Chart(alt.Data(values=list(figure.rows)), width=WIDTH, title=figure.title)
        .mark_bar()
        .encode(
            x=alt.X("value:Q", title=figure.axes[0]),
            y=alt.Y("label:N", sort=None, title=None, axis=alt.Axis(labelLimit=240)),
            yOffset=alt.YOffset("series:N", sort=series),
            color=alt.Color(
                "series:N",
                sort=series,
                scale=alt.Scale(domain=series, range=_COLOURS[: len(series)]),
                legend=alt.Legend(orient="bottom", title=None),
            ),
        )
    )


def diagonal(figure: Figure) -> Any:
    """Points with their labels, and the line where both shares are the same."""
    alt = charts.altair()
    scale = alt.Scale(domain=[0, 100])
    points = alt.Chart(alt.Data(values=list(figure.rows)), width=WIDTH, height=WIDTH, title=figure.title).encode(
        x=alt.X("x:Q", scale=scale, title=figure.axes[0]), y=alt.Y("y:Q", scale=scale, title=figure.axes[1])
    )
    ends = alt.Chart(alt.Data(values=[{"x": 0, "y": 0}, {"x": 100, "y": 100}])).encode(x="x:Q", y="y:Q")
    return (
        ends.mark_line(strokeDash=[4, 4], color="#888")
        + points.mark_point(filled=True, color=_COLOURS[1])
        + points.mark_text(align="left", dx=5, fontSize=9).encode(text="label:N")
    )


_KINDS: dict[str, Callable[[Figure], Any]] = {"bars": bars, "diagonal": diagonal}
