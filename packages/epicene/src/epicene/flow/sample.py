"""Samples of a set, where translating all of it would cost too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from epicene.errors import InputError
from epicene.flow.sampling import half_width, stratified
from epicene.measures import Family
from epicene.types import Item


@dataclass(frozen=True, slots=True)
class Sample:
    """So many sentences of a set, each group in its share, drawn by chance from a seed."""

    size: int
    seed: int = 1

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"--sample {self.size}: expected a number of sentences of at least 1")

    def __str__(self) -> str:
        return f"{self.size}@{self.seed}"

    def of(self, items: Sequence[Item], family: Family) -> list[Item]:
        """The sentences that were drawn; all of a set that has no more."""
        return stratified(items, lambda item: _stratum(family, item), self.size, self.seed)

    def note(self, items: Sequence[Item], family: Family) -> str:
        """What interval the sample can give."""
        drawn = self.of(items, family)
        least = min(Counter(_stratum(family, item) for item in drawn).values())
        return (
            f"a sample of {len(drawn):,} of {len(items):,} sentences (seed {self.seed}): a rate over all of them has a "
            f"95 % interval of up to ± {half_width(len(drawn)):.1f} points, over the smallest group ({least:,}) of up "
            f"to ± {half_width(least):.1f}"
        )


def _stratum(family: Family, item: Item) -> tuple[str, ...]:
    """The groups that a sentence counts for; without any, what the measures count it by, its occupation aside."""
    return tuple(family.groups(item) or family.key(item)[:-1])
