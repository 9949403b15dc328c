"""Percentile intervals by resampling clusters, seeded."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

RESAMPLES = 2000
SEED = 20210801


def cluster_interval(
    counts: Array,
    statistic: Callable[[Array], Array],
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[float, float] | None:
    """The percentile interval of a statistic of summed counts, clusters drawn with replacement.

    ``counts`` has one row per cluster; ``statistic`` maps an array of summed rows, one per resample, to values.
    None where the statistic is undefined in more than a tenth of the resamples or there are too few clusters.
    """
    import numpy as np

    values = resampled(counts, statistic, resamples, seed)
    if values is None:
        return None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def resampled(
    counts: Array, statistic: Callable[[Array], Array], resamples: int = RESAMPLES, seed: int = SEED
) -> Array | None:
    """The statistic on each resample of the clusters; None where it is not defined often enough."""
    import numpy as np

    clusters = counts.shape[0]
    if clusters < 3:
        return None
    weights = _weights(clusters, resamples, seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = statistic(weights @ counts)
    values = values[np.isfinite(values)]
    return values if len(values) >= 0.9 * resamples else None


@lru_cache(maxsize=8)
def _weights(clusters: int, resamples: int, seed: int) -> Array:
    """How often each cluster is drawn in each resample; the same draws serve every statistic."""
    import numpy as np

    draws = np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)
    return draws.astype(float)
