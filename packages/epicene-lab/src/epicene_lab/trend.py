"""Figures 1 and A2: relative drops against the relative drop in time, and straight lines through them.

The interval of a line comes from resampling trained models, since the four points of one model stand or fall together,
and from drawing the baseline anew within the spread of its seeds, since every drop is measured from it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from epicene.errors import EvidenceError
from epicene.output.charts.vega import Spec, layered, mark, nominal, quantitative
from epicene.output.table import Cell
from epicene.stats.means import RESAMPLES, SEED, cluster_interval
from epicene.studies import Figure
from epicene_lab.points import LAB, Point
from epicene_lab.summary import BASELINE, Setting, average_times, read_setting, spread, value

if TYPE_CHECKING:
    from epicene.stats.means import Array


WIDTH, HEIGHT = 320, 260


def figure(name: str, langs: str, trends: Sequence[Trend]) -> Figure:
    """Relative drops against the relative drop in time, with trend lines and their 95 % intervals."""
    points: list[dict[str, Cell]] = [
        {
            "metric": trend.metric,
            "x": place.x,
            "y": place.y,
            "setting": f"{place.setting.model} {place.setting.precision} beam {place.setting.beam}",
            "seeds": place.seeds,
        }
        for trend in trends
        for place in trend.places
    ]
    lines: list[dict[str, Cell]] = [
        {"metric": trend.metric, "x": x, "y": y, "low": low, "high": high}
        for trend in trends
        for x, y, low, high in trend.line
    ]
    title = f"Figure {name}, {langs}"
    return Figure(title, draw, "relative drop in decoding time, %", "relative drop, %", (*points, *lines))


def draw(figure: Figure) -> Spec:
    """The points, and the lines through them in their bands."""
    lines = [row for row in figure.rows if "setting" not in row]
    dots = [row for row in figure.rows if "setting" in row]
    legend = {"orient": "bottom", "title": None, "symbolOpacity": 1}
    at = {"x": quantitative("x", title=figure.x), "color": nominal("metric", sort=None, legend=legend)}
    band = {**at, "y": quantitative("low", title=figure.y), "y2": {"field": "high"}}
    tooltip = [*map(nominal, ("setting", "metric", "seeds"))]
    dot = {**at, "y": quantitative("y", title=figure.y), "tooltip": tooltip}
    return layered(
        lines,
        mark("area", band, opacity=0.15),
        mark("line", {**at, "y": quantitative("y")}),
        mark("point", dot, dots, filled=True, size=30, opacity=0.7),
        title=figure.title,
        width=WIDTH,
        height=HEIGHT,
    )


# The third is ours: what is lost where the gender could be read, so that lost words do not count as lost gender.
FIGURES = {
    "1": ("bleu", "pro", "anti"),
    "A2": ("MOMC", "FOFC", "MOFC", "FOMC"),
    "1, of those read": ("bleu", "pro_read", "anti_read"),
}
_GRID = 9


@dataclass(frozen=True, slots=True)
class Place:
    """A point of a figure: relative drops in percent, the metric's as the mean over seeds."""

    setting: Setting
    x: float
    y: float
    seeds: int


@dataclass(frozen=True, slots=True)
class Trend:
    """The points of a metric and the line through them."""

    metric: str
    places: tuple[Place, ...]
    slope: float  # percent of the metric lost per percent of time saved
    low: float | None
    high: float | None
    models: int  # trained models the line rests on
    line: tuple[tuple[float, float, float | None, float | None], ...]  # x, y, low, high


def fit_trend(points: Sequence[Point], langs: str, protocol: str, metric: str) -> Trend:
    """The line of a metric for a language pair."""
    import numpy as np

    chosen = [point for point in points if point.key.langs == langs and point.key.engine == LAB]
    saved = {setting: 100 - time.value for setting, time in average_times(chosen).items()}
    values: dict[Setting, list[float]] = defaultdict(list)
    clusters: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
    for point in chosen:
        setting = read_setting(point.key)
        if point.quality and setting in saved:
            number = value(point.quality, metric, protocol)
            values[setting].append(number)
            clusters[point.key.model, point.key.seed].append((saved[setting], number))
    if BASELINE not in values or len(clusters) < 3:
        raise EvidenceError(f"{langs}: a trend needs the baseline and three trained models, with quality and time")
    base = sum(values[BASELINE]) / len(values[BASELINE])
    if not base:
        raise EvidenceError(f"{langs}: the baseline has no {metric} to lose")
    sums = np.array([_sums(cluster) for cluster in clusters.values()], float)
    bases = _bases(base, values)
    xs = np.linspace(min(saved[setting] for setting in values), max(saved[setting] for setting in values), _GRID)
    line = []
    for x in map(float, xs):
        whole = float(_at(sums.sum(0)[None], base, x)[0])
        interval = cluster_interval(sums, lambda drawn, x=x: _at(drawn, bases, x))  # type: ignore[misc]
        line.append((x, whole, *(interval or (None, None))))
    slopes = cluster_interval(sums, lambda drawn: _slope(drawn, bases))
    low, high = slopes or (None, None)
    places = tuple(
        Place(setting, saved[setting], 100 * (1 - sum(numbers) / len(numbers) / base), len(numbers))
        for setting, numbers in values.items()
    )
    slope = float(_slope(sums.sum(0)[None], base)[0])
    return Trend(metric, places, slope, low, high, len(clusters), tuple(line))


def _sums(cluster: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    xs, ys = zip(*cluster, strict=True)
    return len(xs), sum(xs), sum(ys), sum(x * x for x in xs), sum(x * y for x, y in cluster)


def _bases(base: float, values: Mapping[Setting, Sequence[float]]) -> Array | float:
    """Baselines as other seeds might have given them, one a resample."""
    import numpy as np

    seed_spread = spread(values, BASELINE)
    if seed_spread is None:
        return base
    error = seed_spread[0] / math.sqrt(len(values[BASELINE]))
    drawn: Array = base + error * np.random.default_rng(SEED).standard_normal(RESAMPLES)
    return drawn


def _fit(sums: Array) -> tuple[Array, Array]:
    n, x, y, xx, xy = sums.T
    steep = (n * xy - x * y) / (n * xx - x * x)
    return (y - steep * x) / n, steep


def _slope(sums: Array, base: Array | float) -> Array:
    return -100 * _fit(sums)[1] / base


def _at(sums: Array, base: Array | float, x: float) -> Array:
    level, steep = _fit(sums)
    return 100 * (1 - (level + steep * x) / base)
