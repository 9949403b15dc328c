"""Rates corrected for a detector's errors, as Rogan and Gladen (1978) do for a diagnostic test.

People read a stratified sample of what the detector read. For all sentences with an expected gender the strata add up,
and nothing is assumed; groups of them are corrected in ``rogan_gladen``.

An interval has two sources: which sentences of each stratum people happened to read, and which sentences there happened
to be, as for the plain rate (Neyman's double sampling). It is Wilson's, for as many independent sentences as would vary
as much. A stratum without a single error is not taken to be free of them: for its variance, and for nothing else, its
rate is drawn by one sentence's weight towards that of all strata that are read alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from epicene.review.profile import Interval
from epicene.review.rogan_gladen import Part, Stratum, share_of_group
from epicene.stats.rates import wilson

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

_STEP = 1e-5
_TELLING = 0.1


def corrected_rate(strata: Sequence[Stratum], group: Sequence[Part], apparent: tuple[float, float]) -> Interval | None:
    """The corrected share of a group and its interval; None where the detector tells too little to correct it.

    ``apparent`` is the interval of the share that the detector counts. Where it is wider than Wilson's, since sentences
    of one occupation fare alike, what chance in the choice of sentences adds grows with it.
    """
    total, right = sum(part.n for part in group), sum(part.right for part in group)
    low, high = wilson(right, total)
    wider = max(1.0, (apparent[1] - apparent[0]) / (high - low)) ** 2
    found, below, above = 0.0, 0.0, 0.0
    for part in group:
        interval = corrected_part(strata, part, wider)
        if interval is None:
            return None
        share = part.n / total
        found += share * interval[0]
        # The parts are independent, so the squares of how far each reaches add up.
        below += (share * (interval[0] - interval[1])) ** 2
        above += (share * (interval[2] - interval[0])) ** 2
    value, low, high = (
        min(1.0, max(0.0, each)) for each in (found, found - math.sqrt(below), found + math.sqrt(above))
    )
    return value, low, high


def corrected_part(strata: Sequence[Stratum], part: Part, wider: float) -> Interval | None:
    """The corrected share of sentences with one expected gender; only for all of them nothing is assumed."""
    n = sum(each.size for each in strata if each.expected == part.expected)
    return share_of_group(strata, part, wider) if part.n < n else _share_of_all(strata, part, wider)


def _share_of_all(strata: Sequence[Stratum], part: Part, wider: float) -> Interval:
    import numpy as np

    sample = _Sample(strata)
    own = np.array([expected == part.expected for expected in sample.expected])
    rates, likely, variances, spread, size = (
        each[own]
        for each in (sample.rates, sample.likely, sample.variances(sample.size * own), sample.spread, sample.size)
    )
    n = float(size.sum())
    weights = size / n
    true = float((weights * likely).sum())
    # What the choice of sentences adds to the variance lies between the strata.
    chosen = wider * max(0.0, true * (1 - true) - float((weights * spread).sum())) / n
    variance = float((weights**2 * variances).sum()) + chosen
    return score_interval(float((weights * rates).sum()), true, variance, n)


def recall_and_precision(strata: Sequence[Stratum]) -> tuple[Interval | None, Interval | None]:
    """Of those that people count, how many the detector does, and the other way round; None where there are none."""
    sample = _Sample(strata)
    total = sample.size.sum()
    weights, says = sample.size / total, sample.says

    def share(concerned: Array, hit: Array) -> float:
        return float((weights * concerned * hit).sum() / (weights * concerned).sum())

    def found(function: Callable[[Array], float], concerned: Array, hit: Array) -> Interval:
        likely = function(sample.likely)
        moves = concerned * (hit - likely) / (weights * concerned).sum()
        slopes = _gradient(function, sample.likely)
        # Strata that hardly matter, as those read rightly do for recall, shall not hide that others had one answer.
        telling = slopes * (abs(slopes) > _TELLING * abs(slopes).max())
        variance = float((slopes**2 * sample.variances(telling)).sum()) + float((weights * moves**2).sum() / total)
        return score_interval(function(sample.rates), likely, variance, float((sample.size * concerned).sum()))

    return (
        found(lambda rates: share(rates, says), sample.likely, says) if sample.rates.sum() else None,
        found(lambda rates: share(says, rates), says, sample.likely) if says.sum() else None,
    )


class _Sample:
    """What people read of each stratum: the rates, likely ones that are never nought or one, and their variances."""

    def __init__(self, strata: Sequence[Stratum]) -> None:
        import numpy as np

        self.expected = [each.expected for each in strata]
        self.says, self.size, true, read = (
            np.array([getattr(each, name) for each in strata], float) for name in ("says", "size", "true", "read")
        )
        kinds = [(each.doubtful, each.says >= 0.5) for each in strata]
        alike = np.array([[one == other for other in kinds] for one in kinds], float)
        usual = (alike @ true + 0.5) / (alike @ read + 1)
        self.rates = true / read
        self.likely = (true + usual) / (read + 1)
        # The expected value of rate * (1 - rate) is less than that of the truth; the divisor makes up for it.
        self.spread = self.likely * (1 - self.likely) / (1 - read / (read + 1) ** 2)
        self._variances = self.spread / read
        self._read = read
        self._alike = (true == 0) | (true == read)

    def variances(self, slopes: Array) -> Array:
        """The variances of the rates, for a share that moves with them by these slopes.

        Where within no stratum that matters there were two answers, another may have been near: the variance is that of
        half of one, where it weighs the most.
        """
        found: Array = self._variances.copy()
        if self._alike[slopes != 0].all():
            heaviest = int((abs(slopes) / self._read).argmax())
            found[heaviest] = max(found[heaviest], 0.5 / self._read[heaviest] ** 2)
        return found


def _gradient(function: Callable[[Array], float], rates: Array) -> Array:
    import numpy as np

    steps = _STEP * np.eye(len(rates))
    return np.array([(function(rates + step) - function(rates - step)) / (2 * _STEP) for step in steps])


def score_interval(value: float, likely: float, variance: float, most: float) -> Interval:
    """Wilson's interval, for as many sentences as the variance stands for, at most for those that there are."""
    value, error = min(1.0, max(0.0, value)), min(0.5, math.sqrt(variance))
    inside = min(1 - error, max(error, likely))
    n = min(most, inside * (1 - inside) / variance) if variance else most
    low, high = wilson(value * n, n)
    return value, min(value, low), max(value, high)
