"""Profile-likelihood intervals for a function of several binomial rates.

The interval is the range of the function over all rates that the counts do not contradict, by a likelihood ratio with
one degree of freedom. It needs no prior, and strata without a single error do not add up to a wide interval.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

CHI2_95 = 3.841458820694124
_STEP = 1e-5
_ROUNDS = 12  # the direction is followed anew this often at most; a linear function needs one round
_FAR = 1e12  # a pull that moves rates to the border wherever the counts let them


def profile_interval(
    function: Callable[[Array], Array], counts: Array, sizes: Array, cut: float = CHI2_95
) -> tuple[float, float, float]:
    """The value at the observed rates, and the least and greatest that the counts admit.

    ``function`` takes an array with one row per set of rates and one column per stratum. Every size is above nought.
    """
    observed = counts / sizes
    value = float(function(observed[None])[0])
    low, high = (_extreme(function, counts, sizes, sign, cut) for sign in (-1.0, 1.0))
    return value, min(value, low), max(value, high)


def _extreme(function: Callable[[Array], Array], counts: Array, sizes: Array, sign: float, cut: float) -> float:
    import numpy as np

    best = -np.inf
    # A function may bend near the border, so the way is also sought from well inside it.
    for start in (np.clip(counts / sizes, _STEP, 1 - _STEP), (counts + 0.5) / (sizes + 1)):
        direction, reached = sign * _gradient(function, start), -np.inf
        for _ in range(_ROUNDS):
            rates = _farthest(direction, counts, sizes, cut)
            value = sign * float(function(rates[None])[0])
            if value <= reached + 1e-7:
                break
            reached = value
            # Half of the old direction damps swinging between two corners.
            direction = (direction + sign * _gradient(function, rates)) / 2
        best = max(best, reached)
    return float(sign * best)


def _gradient(function: Callable[[Array], Array], rates: Array) -> Array:
    import numpy as np

    steps = _STEP * np.eye(len(rates))
    above, below = np.minimum(rates + steps, 1.0), np.maximum(rates - steps, 0.0)
    slopes: Array = (function(above) - function(below)) / (np.diagonal(above) - np.diagonal(below))
    return slopes


def _farthest(direction: Array, counts: Array, sizes: Array, cut: float) -> Array:
    """The rates farthest in a direction whose likelihood ratio is not above the cut."""
    from scipy.optimize import brentq

    best = _log_likelihood(counts / sizes, counts, sizes)

    def excess(pull: float) -> float:
        return 2 * (best - _log_likelihood(_pulled(pull * direction, counts, sizes), counts, sizes)) - cut

    far = 1.0
    while excess(far) < 0:
        far *= 2
        if far > _FAR:
            return _pulled(far * direction, counts, sizes)
    return _pulled(brentq(excess, 0.0, far, xtol=1e-9) * direction, counts, sizes)


def _pulled(pull: Array, counts: Array, sizes: Array) -> Array:
    """The rates that maximise the log-likelihood plus ``pull`` times the rates: a root of a quadratic equation each."""
    import numpy as np

    middle = sizes - pull
    root = np.sqrt(np.maximum(middle**2 + 4 * pull * counts, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = 2 * counts / (middle + root)
        # With no success the likelihood has its peak on the border, and leaves it once the pull exceeds the size.
        border = np.where(middle < 0, -middle / pull, 0.0)
    return np.clip(np.where(counts > 0, inner, border), 0.0, 1.0)


def _log_likelihood(rates: Array, counts: Array, sizes: Array) -> float:
    from scipy.special import xlog1py, xlogy

    return float((xlogy(counts, rates) + xlog1py(sizes - counts, -rates)).sum())
