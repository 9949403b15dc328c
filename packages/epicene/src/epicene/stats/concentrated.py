"""The largest drop that two systems' sentences leave room for, where a few clusters may bring most of what is lost.

Losses are rare, and a few occupations bring most of them: where none of those was drawn, the clusters look alike, and
an interval made of their variance is too short on the harmful side. So gains and losses of a cluster are taken as
beta-binomial, alike within clusters by one unknown intra-class correlation of up to 0.8. Small ones are likelier before
anything is seen (those of losses in published outputs lie between 0.03 and 0.53), and both rates have Jeffreys' prior.
``python -m benchmarks.gate errors`` prints how often a true drop is missed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

TAIL = 0.025  # of the probability that the drop is larger
_MOST_ALIKE, _SMALL = 0.8, 0.1  # the largest correlation, and how large small ones are
_ALIKE, _RATES = 13, 64  # values of the correlation and of a rate that are looked at
_NO_MATTER = 1e-6  # how unlikely a rate must be, beside the likeliest, to be left out
_SHIFT = 8  # from which on Stirling's series is exact to 1e-12


def bound_drop(gained: Array, lost: Array, of: Array, tail: float = TAIL) -> float:
    """The share lost less the share gained that is exceeded with so much probability, from counts by cluster."""
    import numpy as np

    alike = np.append(0.002, np.linspace(0.02, _MOST_ALIKE, _ALIKE - 1))
    likely = np.gradient(alike) / (_SMALL + alike)
    (losses, of_losses), (gains, of_gains) = (_weigh_rates(counts, of, alike) for counts in (lost, gained))
    weights = np.einsum("i,il,ig->lg", likely, of_losses, of_gains).ravel()
    drops = np.subtract.outer(losses, gains).ravel()
    order = np.argsort(drops)
    total = np.cumsum(weights[order])
    return float(np.interp((1 - tail) * total[-1], total, drops[order]))


def _weigh_rates(counts: Array, of: Array, alike: Array) -> tuple[Array, Array]:
    """Rates that are not out of the question, evenly by Jeffreys' prior, and how likely each is by correlation."""
    import numpy as np

    low, high = 0.0, np.pi / 2
    for _ in range(2):  # of all rates, then of those that are likely
        step = (high - low) / _RATES
        angles = low + step * (np.arange(_RATES) + 0.5)
        rates = np.sin(angles) ** 2
        likelihood = _likelihood(counts, of, rates, alike)
        seen = angles[likelihood.max(axis=0) > _NO_MATTER]
        low, high = max(0.0, seen[0] - step), min(np.pi / 2, seen[-1] + step)
    return rates, likelihood


def _likelihood(counts: Array, of: Array, rates: Array, alike: Array) -> Array:
    """How likely these counts are, a row a correlation, a column a rate; up to a factor."""
    import numpy as np

    pairs, numbers = np.unique(np.stack([counts, of], axis=-1)[of > 0], axis=0, return_counts=True)
    size = ((1 - alike) / alike)[:, None]
    hits, misses = size * rates, size * (1 - rates)
    log = np.zeros(hits.shape)
    for (count, n), number in zip(pairs, numbers, strict=True):
        log += number * (_rise(hits, count) + _rise(misses, n - count) - _rise(size, n))
    likelihood: Array = np.exp(log - log.max())
    return likelihood


def _rise(start: Array, by: float) -> Array:
    """The logarithm of start · (start + 1) · … as many factors as are said."""
    rise: Array = _log_gamma(start + by) - _log_gamma(start)
    return rise


def _log_gamma(value: Array) -> Array:
    """Stirling's series, of a value raised by so many factors that it is exact."""
    import numpy as np

    z = value + _SHIFT
    factors = sum(np.log(value + step) for step in range(_SHIFT))
    series = 1 / (12 * z) - 1 / (360 * z**3) + 1 / (1260 * z**5) - 1 / (1680 * z**7)
    log: Array = (z - 0.5) * np.log(z) - z + 0.5 * np.log(2 * np.pi) + series - factors
    return log
