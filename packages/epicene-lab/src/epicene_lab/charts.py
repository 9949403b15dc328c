"""Figures 1 and A2 of Renduchintala et al. 2021 for measured points (extra ``charts``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from epicene.errors import EvidenceError
from epicene.output.charts import files as charts
from epicene_lab.points import Point
from epicene_lab.trend import FIGURES, Trend, trend

WIDTH, HEIGHT = 320, 260


def write(points: Sequence[Point], protocol: str, path: Path) -> None:
    """Draw both figures, one column a language pair, into one file."""
    charts.check(path)
    charts.write(page(points, protocol), path)


def page(points: Sequence[Point], protocol: str) -> Any:
    """Both figures as one Altair chart; a language pair with too few points for a trend is left out."""
    alt = charts.altair()
    found = {}
    refused: EvidenceError | None = None
    for langs in dict.fromkeys(point.key.langs for point in points):
        try:
            found[langs] = _figures(points, langs, protocol)
        except EvidenceError as error:
            refused = error
    if refused and not found:
        raise refused
    rows = [alt.hconcat(*(drawn[name] for drawn in found.values())) for name in FIGURES]
    return alt.vconcat(*rows).resolve_scale(color="independent")


def _figures(points: Sequence[Point], langs: str, protocol: str) -> dict[str, Any]:
    return {
        name: figure([trend(points, langs, protocol, metric) for metric in metrics], f"Figure {name}, {langs}")
        for name, metrics in FIGURES.items()
    }


def figure(trends: Sequence[Trend], title: str) -> Any:
    """Relative drops against the relative drop in time, with trend lines and their 95 % intervals."""
    alt = charts.altair()
    places = [
        {
            "metric": each.metric,
            "x": place.x,
            "y": place.y,
            "setting": f"{place.setting.model} {place.setting.precision} beam {place.setting.beam}",
            "seeds": place.seeds,
        }
        for each in trends
        for place in each.places
    ]
    lines = [
        {"metric": each.metric, "x": x, "y": y, "low": low, "high": high}
        for each in trends
        for x, y, low, high in each.line
    ]
    color = alt.Color("metric:N", sort=None, legend=alt.Legend(orient="bottom", title=None, symbolOpacity=1))
    x = alt.X("x:Q", title="relative drop in decoding time, %")
    dots = (
        alt.Chart(alt.Data(values=places), width=WIDTH, height=HEIGHT, title=title)
        .mark_point(filled=True, size=30, opacity=0.7)
        .encode(
            x=x,
            y=alt.Y("y:Q", title="relative drop, %"),
            color=color,
            tooltip=[alt.Tooltip(f"{name}:N") for name in ("setting", "metric", "seeds")],
        )
    )
    base = alt.Chart(alt.Data(values=lines))
    bands = base.mark_area(opacity=0.15).encode(
        x=x, y=alt.Y("low:Q", title="relative drop, %"), y2="high:Q", color=color
    )
    return bands + base.mark_line().encode(x=x, y="y:Q", color=color) + dots
