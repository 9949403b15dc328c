"""F1 of a gender, and the gap between two, corrected for a detector's errors.

F1 is a matter of few shares: how many sentences of each expected gender are written with the gender in question. Each
is corrected as a rate is. Those of two genders in the same sentences hang together, since what is written as a woman is
not written as a man; the gap's interval reckons with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from epicene.review.likelihood import corrected_part
from epicene.review.profile import Interval, square_and_add
from epicene.review.rogan_gladen import Part, Stratum
from epicene.stats.rates import wilson

Correlations = dict[tuple[int, int], float]


class Written(NamedTuple):
    """Sentences by how many are written with one gender; ``gold`` is the expected gender that asks for it."""

    gold: str
    strata: Sequence[Stratum]
    parts: Sequence[Part]  # one for each expected gender

    def f1(self, shares: Sequence[float]) -> float:
        """F1, given the share of each part that is written so."""
        asked = sum(part.n for part in self.parts if part.expected == self.gold)
        written = [(part, part.n * share) for part, share in zip(self.parts, shares, strict=True)]
        right = sum(number for part, number in written if part.expected == self.gold)
        return 2 * right / (asked + sum(number for _, number in written))


def corrected_f1(written: Written, apparent: tuple[float, float]) -> Interval | None:
    """F1 and its interval; None where a share cannot be corrected. ``apparent`` is the interval as it was read."""
    found = _corrected(written.f1, [written], apparent, {}, {})
    return found and _within(found, 0.0)


def corrected_f1_gap(first: Written, second: Written, apparent: tuple[float, float]) -> Interval | None:
    """F1 of the first gender less that of the second; the strata and parts of both are the same sentences in order."""
    length = len(first.parts)

    def gap(shares: Sequence[float]) -> float:
        return first.f1(shares[:length]) - second.f1(shares[length:])

    read, people = Correlations(), Correlations()
    for place, (one, other) in enumerate(zip(first.parts, second.parts, strict=True)):
        pair = (place, length + place)
        read[pair] = _exclusive([(1.0, one.n, one.right, other.right)])
        people[pair] = _exclusive(
            [
                (a.size, a.read, a.true, b.true)
                for a, b in zip(first.strata, second.strata, strict=True)
                if a.expected == one.expected
            ]
        )
    found = _corrected(gap, [first, second], apparent, read, people)
    return found and _within(found, -1.0)


def _corrected(
    function: Callable[[Sequence[float]], float],
    genders: Sequence[Written],
    apparent: tuple[float, float],
    read: Correlations,
    people: Correlations,
) -> Interval | None:
    """The function of all corrected shares; chance in the choice of sentences grows as the apparent interval does."""
    parts = [(written, part) for written in genders for part in written.parts]
    plain = square_and_add(function, [(part.right / part.n, *wilson(part.right, part.n)) for _, part in parts], read)
    wider = max(1.0, (apparent[1] - apparent[0]) / (plain[2] - plain[1])) ** 2
    shares = [corrected_part(written.strata, part, wider) for written, part in parts]
    known = [share for share in shares if share is not None]
    return square_and_add(function, known, people) if len(known) == len(shares) else None


def _exclusive(strata: Sequence[tuple[float, float, float, float]]) -> float:
    """The correlation of two shares, a sentence counting for one at most: weight, n and both counts by stratum."""
    both = one = other = 0.0
    for weight, n, first, second in strata:
        x, y, scale = first / n, second / n, weight**2 / n
        both -= scale * x * y
        one += scale * x * (1 - x)
        other += scale * y * (1 - y)
    return both / math.sqrt(one * other) if one and other else 0.0


def _within(found: Interval, least: float) -> Interval:
    value, low, high = found
    return value, max(least, low), min(1.0, high)
