"""Fewer sentences than there are, drawn by chance from a seed within the groups that are measured."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from epicene.errors import InputError
from epicene.measures.rates import Measures
from epicene.options import Asking
from epicene.stats.rates import wilson
from epicene.types import Item

T = TypeVar("T")


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

    def of(self, items: Sequence[Item], measures: Measures) -> list[Item]:
        """The sentences that were drawn; all of a set that has no more. Both sentences of a pair are drawn together."""
        if self.size >= len(items):
            return list(items)
        blocks: defaultdict[object, list[Item]] = defaultdict(list)
        for item in items:
            blocks[item.labels.get("pair", ("alone", item.id))].append(item)
        pairs = max(1, self.size * len(blocks) // len(items))
        drawn = draw_stratified(
            list(blocks.values()), lambda block: tuple(map(measures.groups, block)), pairs, self.seed
        )
        ids = {item.id for block in drawn for item in block}
        return [item for item in items if item.id in ids]

    def note(self, items: Sequence[Item], measures: Measures) -> str:
        """What interval the sample can give."""
        drawn = self.of(items, measures)
        least = min(Counter(measures.groups(item) for item in drawn).values())
        return (
            f"a sample of {len(drawn):,} of {len(items):,} sentences (seed {self.seed}): a rate over all of them has a "
            f"95 % interval of up to ± {half_width(len(drawn)):.1f} points, over the smallest group ({least:,}) of up "
            f"to ± {half_width(least):.1f}"
        )


def open_sample(asking: Asking) -> Sample | None:
    """How much of a set is asked for, where not all of it."""
    return Sample(asking.sample, asking.seed) if asking.sample is not None else None


def draw_stratified(items: Sequence[T], stratum: Callable[[T], Hashable], size: int, seed: int) -> list[T]:
    """So many of the items, in their order, from each stratum as many as its share; all if there are no more."""
    if size >= len(items):
        return list(items)
    strata: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        strata[stratum(item)].append(index)
    chance = random.Random(seed)
    drawn: list[int] = []
    for indices, count in zip(strata.values(), _shares(list(map(len, strata.values())), size), strict=True):
        drawn += chance.sample(indices, count)
    return [items[index] for index in sorted(drawn)]


def half_width(n: int) -> float:
    """Half the 95 % interval, in points, of a rate of 50 %, the one that is hardest to tell."""
    low, high = wilson(n // 2, n)
    return 50 * (high - low)


def _shares(sizes: Sequence[int], total: int) -> list[int]:
    """The total in proportion to the sizes; what rounding leaves goes to the largest remainders."""
    everything = sum(sizes)
    shares = [size * total // everything for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda at: (-(sizes[at] * total % everything), at))
    for at in by_remainder[: total - sum(shares)]:
        shares[at] += 1
    return shares
