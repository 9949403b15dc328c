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

from epicene.stats.rates import wilson

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Interval = tuple[float, float, float]  # a value, and where it may lie
LEAST_YOUDEN = 0.2  # a detector that tells less cannot be corrected group by group
_STEP = 1e-5


class Stratum(NamedTuple):
    """Sentences among which those that people read were drawn at random."""

    expected: str
    doubtful: bool  # whether the detector read them by a step that errs more
    says: float  # the share of them that the detector counts for the rate
    size: int
    read: int  # by people, at least one
    true: int  # of those, how many people count for the rate


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
    sample = _Sample(strata)
    model = _Model(sample, group)
    if not model.can_tell():
        return None
    slopes = _gradient(model.rate, sample.likely)
    low, high = wilson(sum(part.right for part in group), sum(part.n for part in group))
    wider = max(1.0, (apparent[1] - apparent[0]) / (high - low))
    variance = float((slopes**2 * sample.variances).sum()) + wider**2 * model.choice_of_sentences()
    return _interval(model.rate(sample.rates), model.rate(sample.likely), variance)


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
        variance = float((_gradient(function, sample.likely) ** 2 * sample.variances).sum())
        return _interval(function(sample.rates), likely, variance + float((weights * moves**2).sum() / total))

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
        self.variances = self.spread / read


class _Model:
    """How the corrected share of a group follows from the shares that people count in each stratum."""

    def __init__(self, sample: _Sample, group: Sequence[Part]) -> None:
        import numpy as np

        self._sample, self._group = sample, group
        self._total = sum(part.n for part in group)
        self._sizes = [
            sample.size * np.array([expected == part.expected for expected in sample.expected]) for part in group
        ]

    def rate(self, rates: Array) -> float:
        """The corrected share."""
        found = 0.0
        for part, size in zip(self._group, self._sizes, strict=True):
            true, said, covariance = self._moments(rates, size)
            distance = part.right / part.n - said
            found += part.n / self._total * (true + distance * _slope(true, covariance))
        return found

    def can_tell(self) -> bool:
        """Whether the detector tells enough wherever the group differs from the whole."""
        for part, size in zip(self._group, self._sizes, strict=True):
            true, said, covariance = self._moments(self._sample.rates, size)
            if abs(part.right / part.n - said) > 1e-9 and covariance < LEAST_YOUDEN * true * (1 - true):
                return False
        return True

    def choice_of_sentences(self) -> float:
        """The variance that the choice of sentences adds, were people to read as many again of each stratum."""
        found = 0.0
        for part, size in zip(self._group, self._sizes, strict=True):
            true, said, covariance = self._moments(self._sample.likely, size)
            n, share = size.sum(), part.right / part.n
            within = float((size / n * self._sample.spread).sum())
            between = max(0.0, true * (1 - true) - within) / n
            # Nought for all sentences: then the group does not differ from the whole, and Youden's index is no matter.
            apart = max(0.0, share * (1 - share) / part.n - said * (1 - said) / n)
            found += (part.n / self._total) ** 2 * (between + _slope(true, covariance) ** 2 * apart)
        return found

    def _moments(self, rates: Array, size: Array) -> tuple[float, float, float]:
        """The true share, the share that the detector counts, and their covariance."""
        weights = size / size.sum()
        true, said = float((weights * rates).sum()), float((weights * self._sample.says).sum())
        return true, said, float((weights * rates * self._sample.says).sum()) - true * said


def _slope(true: float, covariance: float) -> float:
    """One over Youden's index, which is the covariance over ``true * (1 - true)``."""
    spread = true * (1 - true)
    return spread / max(covariance, LEAST_YOUDEN * spread) if spread > 0 else 0.0


def _gradient(function: Callable[[Array], float], rates: Array) -> Array:
    import numpy as np

    steps = _STEP * np.eye(len(rates))
    return np.array([(function(rates + step) - function(rates - step)) / (2 * _STEP) for step in steps])


def _interval(value: float, likely: float, variance: float) -> Interval:
    """Wilson's interval, for as many sentences as the variance stands for; a share never leaves nought to one."""
    value, error = min(1.0, max(0.0, value)), min(0.5, math.sqrt(variance))
    inside = min(1 - error, max(error, likely))
    low, high = wilson(value * (n := inside * (1 - inside) / variance), n)
    return value, low, high
