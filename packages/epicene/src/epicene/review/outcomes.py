"""Which rates a sentence counts for, as its set declares them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from epicene.measures.outcomes import Outcome, Profile
from epicene.measures.rates import Measures
from epicene.types import Gender

Rate = tuple[str, str]  # name and group of a measure


class Cell(NamedTuple):
    """All that measures look at in a sentence before it is read."""

    profile: Profile
    expected: Gender | None


@cache
def outcomes(measures: Measures) -> Outcomes:
    """The answers for the measures of a set, kept for all its results."""
    return Outcomes(measures)


class Outcomes:
    """Answers for one set, each found once."""

    def __init__(self, measures: Measures) -> None:
        self._measures = measures
        self._known: dict[tuple[Cell, Gender], dict[Rate, bool]] = {}

    def of(self, cell: Cell, gender: Gender) -> dict[Rate, bool]:
        """The rates that a sentence read so belongs to, and whether it counts for them."""
        if (cell, gender) not in self._known:
            outcome = Outcome(cell.expected, gender)
            self._known[cell, gender] = {
                (rate.name, group): rate.counted(outcome)
                for rate in self._measures.rates
                for group in cell.profile.groups
                if (not rate.groups or group in rate.groups) and rate.among(outcome)
            }
        return self._known[cell, gender]

    def concerned(self, rate: Rate, cell: Cell) -> bool:
        """Whether a sentence may belong to a rate, read in one way or another."""
        return any(rate in self.of(cell, gender) for gender in Gender)

    def fixed(self, rate: Rate, cells: Iterable[Cell]) -> bool:
        """Whether what is read never changes which sentences a rate is over."""
        return all(len({rate in self.of(cell, gender) for gender in Gender}) == 1 for cell in cells)
