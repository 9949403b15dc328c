"""Samples that keep the shares of all groups, and what interval a sample of a size can give."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from epicene.stats.rates import wilson

T = TypeVar("T")


def stratified(items: Sequence[T], stratum: Callable[[T], Hashable], size: int, seed: int) -> list[T]:
    """So many of the items, in their order, from each stratum as many as its share; all if there are no more."""
    if size >= len(items):
        return list(items)
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        places[stratum(item)].append(place)
    chance = random.Random(seed)
    chosen: list[int] = []
    for own, count in zip(places.values(), _shares([len(own) for own in places.values()], size), strict=True):
        chosen += chance.sample(own, count)
    return [items[place] for place in sorted(chosen)]


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
