"""Which rates a sentence counts for: asked of the family of measures itself, so that no family says it twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from epicene.measures import Family
from epicene.measures.tally import Key, Tally
from epicene.types import Gender

Rate = tuple[str, str]  # name and group of a measure


class Cell(NamedTuple):
    """All that a family of measures looks at in a sentence before it is read."""

    key: Key
    expected: Gender | None


@cache
def outcomes(family: Family) -> Outcomes:
    """The answers for a family, kept for all its results."""
    return Outcomes(family)


class Outcomes:
    """Answers for one family, each found once by measuring a tally of a single sentence."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._known: dict[tuple[Cell, Gender], dict[Rate, bool]] = {}

    def of(self, cell: Cell, gender: Gender) -> dict[Rate, bool]:
        """The rates that a sentence read so belongs to, and whether it counts for them."""
        if (cell, gender) not in self._known:
            tally = Tally(self._family.key, Counter({(cell.key, cell.expected, gender): 1}))
            self._known[cell, gender] = {
                (each.name, each.group): bool(each.count)
                for each in self._family.measures(tally)
                if each.n and each.count is not None
            }
        return self._known[cell, gender]

    def concerned(self, rate: Rate, cell: Cell) -> bool:
        """Whether a sentence may belong to a rate, read in one way or another."""
        return any(rate in self.of(cell, gender) for gender in Gender)

    def fixed(self, rate: Rate, cells: Iterable[Cell]) -> bool:
        """Whether what is read never changes which sentences a rate is over."""
        return all(len({rate in self.of(cell, gender) for gender in Gender}) == 1 for cell in cells)
