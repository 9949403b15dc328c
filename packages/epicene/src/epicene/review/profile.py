"""Intervals without a normal approximation: of a stratified share, and of a number that depends on several shares.

Strata with few reviewed sentences and none, or one, of a kind are the usual case. The likelihood ratio says how far the
truth may lie from what was seen, on each side as far as the counts allow, and takes all strata together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from epicene.stats.rates import Z95

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Interval = tuple[float, float, float]  # a value, and where it may lie
_PULLS = (-9.0, 9.0)  # powers of ten between which the multiplier is sought


def stratified_interval(weights: Array, read: Array, true: Array) -> Interval:
    """The weighted share of strata, and its 95 % interval by the profile of the likelihood.

    Of all shares by stratum that add up to one value, the likeliest are those where a Lagrange multiplier pulls each
    away from what was read in proportion to its weight.
    """
    import numpy as np

    weights = weights / weights.sum()

    def pulled(pull: float) -> Array:
        pulls = pull * weights
        rest = read - pulls
        root = np.sqrt(rest**2 + 4 * pulls * true)
        # Two forms of the same root, each where it does not cancel out.
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(rest >= 0, 2 * true / (rest + root), (root - rest) / (2 * pulls))
        found: Array = np.clip(shares, 0.0, 1.0)
        return found

    def likelihood(shares: Array) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(true > 0, true * np.log(shares), 0.0)
            rest = np.where(read > true, (read - true) * np.log1p(-shares), 0.0)
        return float((logs + rest).sum())

    most = likelihood(true / read)

    def end(sign: float) -> float:
        def beyond(power: float) -> float:
            return max(-1e9, likelihood(pulled(sign * 10**power))) - most + Z95**2 / 2

        if beyond(_PULLS[1]) >= 0:  # nothing that was read speaks against the utmost
            return (1 + sign) / 2
        low, high = _PULLS
        while low < (middle := (low + high) / 2) < high:
            low, high = (middle, high) if beyond(middle) >= 0 else (low, middle)
        return float((weights * pulled(sign * 10**low)).sum())

    return float((weights * true / read).sum()), end(-1.0), end(1.0)


def square_and_add(
    function: Callable[[Sequence[float]], float],
    parts: Sequence[Interval],
    correlations: Mapping[tuple[int, int], float] | None = None,
) -> Interval:
    """A number that depends on several shares, with its interval from theirs (Zou and Donner 2008).

    Each share goes to either end of its interval while the others stay. How far the number falls and rises thereby is
    squared and added up; shares are independent but for the pairs with a correlation.
    """
    middle = [value for value, _, _ in parts]
    found = function(middle)
    falls, rises, slopes = [], [], []
    for place, (_, low, high) in enumerate(parts):
        moved = [function([*middle[:place], end, *middle[place + 1 :]]) - found for end in (low, high)]
        falls.append(min(0.0, *moved))
        rises.append(max(0.0, *moved))
        slopes.append(math.copysign(1.0, moved[1] - moved[0]))

    def reach(moves: Sequence[float]) -> float:
        square = sum(move**2 for move in moves)
        for (one, other), correlation in (correlations or {}).items():
            square += 2 * correlation * slopes[one] * slopes[other] * moves[one] * moves[other]
        return math.sqrt(max(0.0, square))

    return found, found - reach(falls), found + reach(rises)
