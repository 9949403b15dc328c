"""Rates corrected for a detector's errors, as Rogan and Gladen (1978) do for a diagnostic test.

People read a stratified sample of what the detector read. From it come, for each expected gender, the share ``true``
that people count for the rate, and the detector's sensitivity and false alarms, whose difference is Youden's index. A
group whose apparent rate lies ``x`` points from that of all sentences with its expected gender then lies
``x / Youden`` from their true rate, which is Rogan and Gladen's estimate. It assumes that the detector errs as often in
one group as in another with the same expected gender; for all sentences together it assumes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from epicene.stats.profile import profile_interval

if TYPE_CHECKING:
    from epicene.stats.profile import Array

LEAST_YOUDEN = 0.2  # a detector that tells less cannot be corrected group by group


class Stratum(NamedTuple):
    """Sentences among which those that people read were drawn at random."""

    expected: str
    says: float  # the share of them that the detector counts for the rate
    size: int
    read: int  # by people, at least one
    true: int  # of those, how many people count for the rate


class Part(NamedTuple):
    """The sentences of a group with one expected gender."""

    expected: str
    n: int
    right: int  # how many the detector counts for the rate


def corrected_rate(
    strata: Sequence[Stratum], group: Sequence[Part], interval: tuple[float, float]
) -> tuple[float, float, float] | None:
    """The corrected share of a group and its interval; None where the detector tells too little to correct it.

    ``interval`` is that of the apparent share. How far it lies from it is what chance in the choice of sentences
    adds; what chance in the choice of reviewed sentences adds comes from the likelihood of their counts.
    """
    import numpy as np

    model = _Model(strata, group)
    counts, sizes = (np.array([getattr(each, name) for each in strata], float) for name in ("true", "read"))
    if not model.can_tell(counts / sizes):
        return None
    value, low, high = profile_interval(model.rate, counts, sizes)
    apparent = sum(part.right for part in group) / sum(part.n for part in group)
    moves = model.moves(counts / sizes)
    low = value - math.hypot(value - low, moves * (apparent - interval[0]))
    high = value + math.hypot(high - value, moves * (interval[1] - apparent))
    first, second, third = (min(1.0, max(0.0, each)) for each in (value, low, high))
    return first, second, third


class _Model:
    """How the corrected share of a group follows from the shares that people count in each stratum."""

    def __init__(self, strata: Sequence[Stratum], group: Sequence[Part]) -> None:
        import numpy as np

        total = sum(part.n for part in group)
        self._parts = []
        for part in group:
            own = np.array([each.size if each.expected == part.expected else 0 for each in strata], float)
            weights = own / own.sum()
            says = np.array([each.says for each in strata], float)
            distance = part.right / part.n - float((weights * says).sum())
            self._parts.append((part.n / total, weights, says, distance))

    def rate(self, rates: Array) -> Array:
        """The corrected share, one for each row of rates."""
        import numpy as np

        found = np.zeros(len(rates))
        for share, weights, says, distance in self._parts:
            true, covariance = _moments(rates, weights, says)
            spread = true * (1 - true)
            with np.errstate(divide="ignore", invalid="ignore"):
                slope = np.where(spread > 0, spread / np.maximum(covariance, LEAST_YOUDEN * spread), 0.0)
            found += share * (true + distance * slope)
        return found

    def can_tell(self, rates: Array) -> bool:
        """Whether the detector tells enough wherever the group differs from the whole."""
        for _, weights, says, distance in self._parts:
            true, covariance = _moments(rates[None], weights, says)
            if abs(distance) > 1e-9 and covariance[0] < LEAST_YOUDEN * true[0] * (1 - true[0]):
                return False
        return True

    def moves(self, rates: Array) -> float:
        """How far the corrected share moves with the apparent one, were other sentences chosen."""
        found = 0.0
        for share, weights, says, distance in self._parts:
            true, covariance = _moments(rates[None], weights, says)
            spread, said = true[0] * (1 - true[0]), float((weights * says).sum())
            if abs(distance) > 1e-9 and spread > 0:
                found += share * spread / max(covariance[0], LEAST_YOUDEN * spread)
            elif 0 < said < 1:
                # All sentences together are no matter of Youden's index: truth follows the reading by regression.
                found += share * max(0.0, covariance[0]) / (said * (1 - said))
            else:
                found += share
        return float(found)


def _moments(rates: Array, weights: Array, says: Array) -> tuple[Array, Array]:
    """The true share, and its covariance with what the detector says: Youden's index times ``true * (1 - true)``."""
    true = rates @ weights
    return true, rates @ (weights * says) - true * float((weights * says).sum())


def recall_and_precision(
    strata: Sequence[Stratum],
) -> tuple[tuple[float, float, float] | None, tuple[float, float, float] | None]:
    """Of those that people count, how many the detector does, and the other way round; None where there are none."""
    import numpy as np

    size = np.array([each.size for each in strata], float)
    says = np.array([each.says for each in strata], float)
    counts, read = (np.array([getattr(each, name) for each in strata], float) for name in ("true", "read"))

    def recall(rates: Array) -> Array:
        found: Array = rates @ (size * says) / np.maximum(rates @ size, 1e-12)
        return found

    def precision(rates: Array) -> Array:
        found: Array = rates @ (size * says) / (size * says).sum()
        return found

    return (
        profile_interval(recall, counts, read) if counts.sum() else None,
        profile_interval(precision, counts, read) if says.sum() else None,
    )
