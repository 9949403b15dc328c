"""Groups of sentences corrected for a detector's errors, as Rogan and Gladen (1978) do for a diagnostic test.

From what people read come, for each expected gender, the share ``true`` that they count for a rate, and the detector's
sensitivity and false alarms, whose difference is Youden's index. A group whose apparent rate lies ``x`` points from
that of all sentences with its expected gender then lies ``x / Youden`` from their true rate. It assumes that the
detector errs as often in one group as in another with the same expected gender.

Few reviewed sentences tell how the detector errs, often without a single error, so nothing here is taken to be normal:
the share of true ones among those that the detector counts, and among the others, has an interval by the profile of the
likelihood; the shares that the detector counts have Wilson's; both are squared and added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from epicene.review.profile import Interval, square_and_add, stratified_interval
from epicene.stats.rates import Z95, wilson

LEAST_YOUDEN = 0.2  # a detector that tells less cannot be corrected group by group
_ALIKE = 1e-9


class Stratum(NamedTuple):
    """Sentences among which those that people read were drawn at random."""

    expected: str
    says: float  # the share of them that the detector counts for the rate
    size: int
    read: float  # by people, at least one; a sentence on which they are divided counts in parts
    true: float  # of those, how many people count for the rate
    doubtful: bool = False  # whether the detector read them by a step that errs more


class Part(NamedTuple):
    """The sentences of a group with one expected gender."""

    expected: str
    n: int
    right: int  # how many the detector counts for the rate


def share_of_group(strata: Sequence[Stratum], part: Part, wider: float) -> Interval | None:
    """The corrected share of a part and its interval; None where the detector tells too little to correct it."""
    background = _background(strata, [part], wider)
    if background is None:
        return None
    value, low, high = square_and_add(lambda values: background.share(0, values), background.shares)
    return value, max(0.0, low), min(1.0, high)


def corrected_gap(
    strata: Sequence[Stratum], first: Sequence[Part], second: Sequence[Part], apparent: tuple[float, float]
) -> Interval | None:
    """The corrected share of one group less that of another, which shares no sentence with it.

    The two lean on the same errors, so that a gap is known better than its ends. ``apparent`` is the interval of the
    gap that the detector sees. Where it is wider than that of independent sentences, what chance in the choice of
    sentences adds grows with it.
    """
    groups = ((1, first), (-1, second))
    signed = [(part, sign, sum(each.n for each in group)) for sign, group in groups for part in group]
    plain = square_and_add(
        lambda shares: sum(sign * part.n / total * x for (part, sign, total), x in zip(signed, shares, strict=True)),
        [(part.right / part.n, *wilson(part.right, part.n)) for part, _, _ in signed],
    )
    wider = max(1.0, (apparent[1] - apparent[0]) / (plain[2] - plain[1])) ** 2
    backgrounds: list[_Background] = []
    terms = []
    for expected in dict.fromkeys(part.expected for part, _, _ in signed):
        own = [each for each in signed if each[0].expected == expected]
        background = _background(strata, [part for part, _, _ in own], wider)
        if background is None:
            return None
        start = sum(len(each.shares) for each in backgrounds)
        backgrounds.append(background)
        terms += [(background, place, start, sign * part.n / total) for place, (part, sign, total) in enumerate(own)]

    def gap(values: Sequence[float]) -> float:
        return sum(
            weight * background.share(place, values[start : start + len(background.shares)])
            for background, place, start, weight in terms
        )

    value, low, high = square_and_add(gap, [share for each in backgrounds for share in each.shares])
    return value, max(-1.0, low), min(1.0, high)


class _Background:
    """All sentences with one expected gender, and groups among them.

    ``shares`` are, with their intervals: true ones among those that the detector counts, and among the others; what it
    counts of each group, and of the sentences in none of them.
    """

    def __init__(self, sizes: Sequence[int], says: tuple[float, float], shares: Sequence[Interval]) -> None:
        self._sizes, self._says, self.shares = sizes, says, shares

    def share(self, place: int, values: Sequence[float]) -> float:
        """The corrected share of a group, for values of the shares."""
        said, true, covariance = self._moments(values)
        apart = values[2 + place] - said
        if abs(apart) < _ALIKE:
            return true
        if covariance <= 0:
            return float(apart > 0)
        return min(1.0, max(0.0, true + apart * true * (1 - true) / covariance))

    def tells(self) -> bool:
        """Whether the detector tells enough to correct what lies apart from the whole."""
        values = [value for value, _, _ in self.shares]
        said, true, covariance = self._moments(values)
        alike = all(abs(value - said) < _ALIKE for value, size in zip(values[2:], self._sizes, strict=True) if size)
        return alike or covariance > max(0.0, LEAST_YOUDEN * true * (1 - true))

    def _moments(self, values: Sequence[float]) -> tuple[float, float, float]:
        """What the detector counts, what is true, and the covariance of the two: Youden's index by true (1 - true)."""
        counted, others, *shares = values
        said = sum(size * share for size, share in zip(self._sizes, shares, strict=True)) / sum(self._sizes)
        yes, no = self._says
        weight = (said - no) / (yes - no)
        true = weight * counted + (1 - weight) * others
        return said, true, weight * counted * yes + (1 - weight) * others * no - true * said


def _background(strata: Sequence[Stratum], parts: Sequence[Part], wider: float) -> _Background | None:
    """None where people read nothing that the detector counts or nothing else, or where it tells too little."""
    own = [stratum for stratum in strata if stratum.expected == parts[0].expected]
    halves = [[each for each in own if (each.says >= 0.5) is counted] for counted in (True, False)]
    if not all(halves):
        return None
    total, said = (sum(numbers) for numbers in zip(*((each.size, each.says * each.size) for each in own), strict=True))
    sizes = [part.n for part in parts]
    rights = [float(part.right) for part in parts]
    rest = max(0, int(total) - sum(sizes))
    sizes.append(rest)
    rights.append(min(float(rest), max(0.0, said - sum(rights))))
    shares = [_share_of(half, wider) for half in halves]
    for n, right in zip(sizes, rights, strict=True):
        shares.append((right / n if n else 0.0, *wilson(right / wider, n / wider)))
    says = [sum(each.says * each.size for each in half) / sum(each.size for each in half) for half in halves]
    found = _Background(sizes, (says[0], says[1]), shares)
    return found if found.tells() else None


def _share_of(half: Sequence[Stratum], wider: float) -> Interval:
    """Of strata that the detector reads in one way, the share that people count, for the sentences there might be."""
    value, low, high = _by_likelihood(tuple(half))
    # How large each stratum is was chance as well.
    n = sum(each.size for each in half)
    spread = sum(each.size * (each.true / each.read - value) ** 2 for each in half) / n
    chosen = Z95 * math.sqrt(wider * spread / n)
    return value, max(0.0, value - math.hypot(value - low, chosen)), min(1.0, value + math.hypot(high - value, chosen))


@lru_cache(maxsize=64)
def _by_likelihood(half: tuple[Stratum, ...]) -> Interval:
    """Kept, since all groups of a review lean on the same."""
    import numpy as np

    size, read, true = (np.array([getattr(each, name) for each in half], float) for name in ("size", "read", "true"))
    return stratified_interval(size, read, true)
