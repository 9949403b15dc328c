"""Means, correlations and resampled statistics with their intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from epicene.stats.rates import Z95
from epicene.stats.student import student_quantile

Array = npt.NDArray[np.float64]
RESAMPLES = 2000
SEED = 20210801


def students(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Student's 95 % interval of a mean; nothing where there are fewer than two values."""
    if len(values) < 2:
        return None, None
    mean = statistics.fmean(values)
    half = float(student_quantile(len(values) - 1, 0.975)) * statistics.stdev(values) / math.sqrt(len(values))
    return mean - half, mean + half


def cluster_interval(counts: Array, statistic: Callable[[Array], Array]) -> tuple[float, float] | None:
    """The 95 % percentile interval of a statistic of summed counts, clusters drawn with replacement.

    ``counts`` has one row per cluster; ``statistic`` maps an array of summed rows, one per resample, to values.
    None where the statistic is undefined in more than a tenth of the resamples or there are too few clusters.
    """
    if len(counts) < 3:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        values = statistic(_draw_clusters(len(counts)) @ counts)
    values = values[np.isfinite(values)]
    if len(values) < 0.9 * RESAMPLES:
        return None
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


@lru_cache(maxsize=8)
def _draw_clusters(clusters: int) -> Array:
    """How often each cluster is drawn in each resample; the same draws serve every statistic."""
    draws = np.random.default_rng(SEED).multinomial(clusters, np.full(clusters, 1 / clusters), size=RESAMPLES)
    return draws.astype(float)


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    """The correlation of pairs; None where there are too few or one side never changes."""
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    return statistics.correlation(x, y)


def fisher(r: float, n: int) -> tuple[float, float] | None:
    """Fisher's interval for a correlation of n pairs; None where there are too few or the correlation is perfect."""
    if n <= 3 or abs(r) >= 1:
        return None
    half = Z95 / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
