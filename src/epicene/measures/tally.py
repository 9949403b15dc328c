"""Counts of verdicts: all that the measures need, small however long the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from epicene.stats.rates import wilson
from epicene.types import Gender, Item, Measure, Verdict

Key = tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """How often each (key of the item, expected gender, gender read) was seen."""

    key: Callable[[Item], Key]
    cells: Counter[tuple[Key, Gender | None, Gender]] = field(default_factory=Counter)
    empty: int = 0
    refused: int = 0  # of the empty ones, those that a service takes at no time

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        item = verdict.output.item
        self.cells[self.key(item), item.expected, verdict.gender] += 1
        if not verdict.output.text.strip():
            self.empty += 1
            self.refused += bool(verdict.output.refused)

    @property
    def n(self) -> int:
        """How many verdicts were counted."""
        return self.cells.total()

    def genders(self) -> dict[str, int]:
        """Verdicts by gender read."""
        found = Counter[Gender]()
        for (_, _, gender), count in self.cells.items():
            found[gender] += count
        return {gender.value: found[gender] for gender in Gender}


def rate(name: str, group: str, count: int, n: int, unread: int | None = None) -> Measure:
    """A share in per cent with Wilson's interval; not defined where there is nothing to count."""
    low, high = wilson(count, n)
    return Measure(name, group, 100 * count / n if n else None, "%", n, count, 100 * low, 100 * high, unread=unread)
