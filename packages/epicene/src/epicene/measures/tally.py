"""Counts of verdicts: all that the measures need, small however long the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from epicene.types import Gender, Item, Verdict

Key = tuple[str, ...]
Cell = tuple[Key, Gender | None, Gender]


@dataclass(slots=True)
class Tally:
    """How often each (key of the item, expected gender, gender read) was seen."""

    key: Callable[[Item], Key]
    cells: Counter[Cell] = field(default_factory=Counter)
    other_word: Counter[Cell] = field(default_factory=Counter)  # of the cells, what was read on somebody else's word
    empty: int = 0
    refused: int = 0  # of the empty ones, those that a service takes at no time

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        item = verdict.output.item
        cell = (self.key(item), item.expected, verdict.gender)
        self.cells[cell] += 1
        if verdict.on_other_word:
            self.other_word[cell] += 1
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

    def parted(self) -> Iterator[tuple[Cell, bool, int]]:
        """Every cell with whether somebody else's word was read, and how often."""
        for cell, number in self.cells.items():
            if others := self.other_word.get(cell, 0):
                yield cell, True, others
            if number > others:
                yield cell, False, number - others
