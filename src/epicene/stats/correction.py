"""Rates corrected for a detector's errors, as Rogan and Gladen (1978) do for a diagnostic test.

People read a stratified sample of what the detector read. From it come, for each expected gender, the share ``true``
that people count for the rate, and the detector's sensitivity and false alarms, whose difference is Youden's index. A
group whose apparent rate lies ``x`` points from that of all sentences with its expected gender then lies
``x / Youden`` from their true rate, which is Rogan and Gladen's estimate. It assumes that the detector errs as often in
one group as in another with the same expected gender; for all sentences together it assumes nothing.

An interval has two sources: which sentences of each stratum people happened to read, and which sentences there happened
to be, as for the plain rate (Neyman's double sampling). It is Wilson's, for as many independent sentences as would vary
as much. A stratum without a single error is not taken to be free of them: for its variance, and for nothing else, its
rate is drawn by one sentence's weight towards that of all strata that are read alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from epicene.stats.rates import Z95, wilson

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Interval = tuple[float, float, float]  # a value, and where it may lie
LEAST_YOUDEN = 0.2  # a detector that tells less cannot be corrected group by group
_STEP = 1e-5
_TELLING = 0.1


class Stratum(NamedTuple):
    """Sentences among which those that people read were drawn at random."""

    expected: str
    says: float  # the share of them that the detector counts for the rate
    size: int
    read: int  # by people, at least one
    true: int  # of those, how many people count for the rate
    doubtful: bool = False  # whether the detector read them by a step that errs more


class Part(NamedTuple):
    """The sentences of a group with one expected gender."""

    expected: str
    n: int
    right: int  # how many the detector counts for the rate


def corrected_rate(strata: Sequence[Stratum], group: Sequence[Part], apparent: tuple[float, float]) -> Interval | None:
    """The corrected share of a group and its interval; None where the detector tells too little to correct it.

    ``apparent`` is the interval of the share that the detector counts. Where it is wider than Wilson's, since sentences
    of one occupation fare alike, what chance in the choice of sentences adds grows with it.
    """
    total, right = sum(part.n for part in group), sum(part.right for part in group)
    low, high = wilson(right, total)
    wider = max(1.0, (apparent[1] - apparent[0]) / (high - low)) ** 2
    sample = _Sample(strata)
    intervals = [_Corrected(sample, part, wider).interval() for part in group]
    found, below, above = 0.0, 0.0, 0.0
    for part, interval in zip(group, intervals, strict=True):
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


class _Corrected:
    """The sentences of a group with one expected gender, before the background of all with that gender."""

    def __init__(self, sample: _Sample, part: Part, wider: float) -> None:
        import numpy as np

        own = np.array([expected == part.expected for expected in sample.expected])
        variances = sample.variances(sample.size * own)
        self._rates, self._likely, self._says, self._variances, spread, size = (
            each[own] for each in (sample.rates, sample.likely, sample.says, variances, sample.spread, sample.size)
        )
        n, share = float(size.sum()), part.right / part.n
        self._n, self._weights = n, size / n
        self._said = float((self._weights * self._says).sum())
        self._distance = share - self._said
        true, _ = self._moments(self._likely)
        # What the choice of sentences adds to the variance: to all of them, and to a group apart from the rest.
        within = float((self._weights * spread).sum())
        self._all = wider * max(0.0, true * (1 - true) - within) / n
        self._apart = wider * max(0.0, share * (1 - share) / part.n - self._said * (1 - self._said) / n)

    def interval(self) -> Interval | None:
        """The corrected share; None where the detector tells too little."""
        if abs(self._distance) > _STEP:
            return self._rogan_gladen()
        variance = float((self._weights**2 * self._variances).sum()) + self._all + self._apart
        return score_interval(self._moments(self._rates)[0], self._moments(self._likely)[0], variance, self._n)

    def _rogan_gladen(self) -> Interval | None:
        """The true share of all, and the distance over Youden's index; the interval of a quotient is Fieller's."""
        true, covariance = self._moments(self._rates)
        if covariance < LEAST_YOUDEN * true * (1 - true) or covariance <= 0:
            return None
        value = true + self._distance * true * (1 - true) / covariance
        # Fieller: all shares for which covariance * (share - true) - distance * true * (1 - true) may be nought.
        true, covariance = self._moments(self._likely)
        spread = true * (1 - true)
        rising = self._weights * (self._says - self._said)
        steady = -self._weights * (covariance + self._distance * (1 - 2 * true))
        chosen = covariance**2 * self._all + spread**2 * self._apart
        variance = self._variances
        square = covariance**2 - Z95**2 * float((rising**2 * variance).sum())
        middle = covariance * self._distance * spread + Z95**2 * float((rising * steady * variance).sum())
        rest = (self._distance * spread) ** 2 - Z95**2 * (float((steady**2 * variance).sum()) + chosen)
        if square <= 0:
            return None
        reach = math.sqrt(max(0.0, middle**2 - square * rest))
        return value, min(value, true + (middle - reach) / square), max(value, true + (middle + reach) / square)

    def _moments(self, rates: Array) -> tuple[float, float]:
        """The true share, and its covariance with what the detector says: Youden's index times ``true (1 - true)``."""
        true = float((self._weights * rates).sum())
        return true, float((self._weights * rates * self._says).sum()) - true * self._said


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
