"""How far the truth may lie where few clusters bring most of what is rare, so that others like them may be missing.

Losses and errors are rare, and a few occupations bring most of them: where none of those was drawn, the clusters look
alike, and an interval made of their variance is too short on that side. So what a cluster counts is taken as
beta-binomial, alike within clusters by one unknown intra-class correlation of up to 0.8. Small ones are likelier before
anything is seen (those of losses in published outputs lie between 0.03 and 0.53), and rates have Jeffreys' prior.
``python -m benchmarks.intervals rare`` prints how often such intervals cover the truth, ``python -m benchmarks.gate
errors`` how often a true drop is missed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Strata = npt.NDArray[np.int_]

_MOST_ALIKE, _SMALL = 0.8, 0.1  # the largest correlation, and how large small ones are
_ALIKE, _RATES = 13, 64  # values of the correlation and of a rate that are looked at
_NO_MATTER = 1e-6  # how unlikely a rate must be, beside the likeliest, to be left out
_SHIFT = 8  # from which on Stirling's series is exact to 1e-12


def bound_rate(counts: Array, of: Array, tail: float) -> float:
    """The rate that is exceeded with so much probability, from counts by cluster."""
    alike, likely = _weigh_correlations()
    rates, weights = _weigh_rates(counts, of, alike)
    return _find_quantile(rates, likely @ weights, 1 - tail)


def bound_strata(counts: Array, of: Array, strata: Strata, tail: float) -> float:
    """The same of clusters in strata: independent distances add up in squares (Zou and Donner 2008)."""
    square = 0.0
    for inside in (strata == stratum for stratum in np.flatnonzero(np.bincount(strata))):
        if size := of[inside].sum():
            away = bound_rate(counts[inside], of[inside], tail) - counts[inside].sum() / size
            square += (size / of.sum() * away) ** 2
    return float(counts.sum() / of.sum() + square**0.5)


def bound_difference(first: tuple[Array, Array], second: tuple[Array, Array], tail: float) -> tuple[float, float]:
    """The ends of the first rate less the second, from counts by cluster and among how many; so much lies beyond each.

    Both rates are taken to be alike within clusters by the same correlation, but independent of each other.
    """
    alike, likely = _weigh_correlations()
    (rates, weights), (others, of_others) = (_weigh_rates(counts, of, alike) for counts, of in (first, second))
    weights = np.einsum("i,il,ig->lg", likely, weights, of_others).ravel()
    differences = np.subtract.outer(rates, others).ravel()
    order = np.argsort(differences)
    low, high = (_find_quantile(differences[order], weights[order], share) for share in (tail, 1 - tail))
    return low, high


def _find_quantile(values: Array, weights: Array, share: float) -> float:
    """The value that such a share of all weight lies below, half of its own counted in."""
    total = np.cumsum(weights)
    return float(np.interp(share * total[-1], total - weights / 2, values))


def _weigh_correlations() -> tuple[Array, Array]:
    """Correlations within clusters, and how likely each is before anything is seen."""
    alike = np.append(0.002, np.linspace(0.02, _MOST_ALIKE, _ALIKE - 1))
    return alike, np.gradient(alike) / (_SMALL + alike)


def _weigh_rates(counts: Array, of: Array, alike: Array) -> tuple[Array, Array]:
    """Rates that are not out of the question, evenly by Jeffreys' prior, and how likely each is by correlation."""
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
    size = ((1 - alike) / alike)[:, None]
    log: Array = np.zeros((len(alike), len(rates)))
    for start, steps, sign in ((size * rates, counts, 1), (size * (1 - rates), of - counts, 1), (size, of, -1)):
        by, numbers = np.unique(steps[of > 0], return_counts=True)
        rises = _log_gamma(start + by[:, None, None]) - _log_gamma(start)  # start · (start + 1) · …, so many factors
        log = log + sign * np.tensordot(numbers, rises, axes=1)
    likelihood: Array = np.exp(log - np.max(log))
    return likelihood


def _log_gamma(value: Array) -> Array:
    """Stirling's series, of a value raised by so many factors that it is exact."""
    z, ends = value + _SHIFT, value * (value + _SHIFT - 1)
    factors = ends  # of all, the first and the last, the second and the last but one, …
    for step in range(1, _SHIFT // 2):
        factors = factors * (ends + step * (_SHIFT - 1 - step))
    inverse = 1 / z
    square = inverse * inverse
    series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))
    log: Array = (z - 0.5) * np.log(z) - z + 0.5 * np.log(2 * np.pi) + series - np.log(factors)
    return log
