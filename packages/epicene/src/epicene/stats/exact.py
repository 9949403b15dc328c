"""Exact and sampled tests over all ways to part scored things or to turn them round."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

Sums = npt.NDArray[np.int64]
Array = npt.NDArray[np.float64]

# How many subset sums one half may hold: those of 25 + 25 scores, 300 MB in all.
LARGEST_HALF = 1 << 24
# Random numbers that are held at once.
_DRAWS_AT_ONCE = 1 << 20
MOST = 20_000  # ways that are all gone through


@dataclass(frozen=True, slots=True)
class Counts:
    """How many partitions lie where, of all of them or of those that were drawn."""

    partitions: int
    greater: int  # the sum of the first group is above the observed one
    extreme: int  # the difference of means is at least as far from zero as the observed one
    exact: bool


def _find_bounds(scores: Sequence[int], size: int) -> tuple[int, int, int]:
    """The observed sum of the first group; at most and at least which sums are as extreme.

    A difference of means is far from zero just when the first sum is far from its share of the total.
    """
    n, observed, centre = len(scores), sum(scores[:size]), size * sum(scores)
    distance = abs(n * observed - centre)
    return observed, (centre - distance) // n, -((-centre - distance) // n)


def fits(n: int, size: int) -> bool:
    """Whether all partitions of n scores into ``size`` and the rest can be counted."""
    half = n - n // 2
    return sum(math.comb(half, k) for k in range(min(size, n - size, half // 2) + 1)) <= LARGEST_HALF


def count_all(scores: Sequence[int], size: int) -> Counts:
    """Count every partition whose first group has ``size`` members; the first ``size`` scores are the observed one."""
    halves = Halves(scores, size)
    observed, low, high = _find_bounds(scores, size)
    greater = halves.at_least(observed + 1)
    above = halves.at_least(high)
    # Groups of one size can be swapped, so both tails are alike unless they meet.
    if 2 * size == len(scores) and low < high:
        extreme = 2 * above
    else:
        extreme = min(halves.partitions, above + halves.partitions - halves.at_least(low + 1))
    return Counts(halves.partitions, greater, extreme, exact=True)


def count_drawn(scores: Sequence[int], size: int, draws: int, seed: int) -> Counts:
    """Count among partitions drawn at random."""
    observed, low, high = _find_bounds(scores, size)
    greater = extreme = 0
    for sums in drawn_sums(scores, size, draws, seed):
        greater += int((sums > observed).sum())
        extreme += int(((sums <= low) | (sums >= high)).sum())
    return Counts(draws, greater, extreme, exact=False)


def drawn_sums(scores: Sequence[int], size: int, draws: int, seed: int) -> Iterator[Sums]:
    """Sums of the first group in partitions drawn at random, some at a time."""
    generator = np.random.default_rng(seed)
    values = np.asarray(scores, dtype=np.int64)
    step = max(1, _DRAWS_AT_ONCE // len(values))
    for start in range(0, draws, step):
        keys = generator.random((min(step, draws - start), len(values)))
        yield values[np.argpartition(keys, size - 1, axis=1)[:, :size]].sum(axis=1)


class Halves:
    """Counts partitions by meeting in the middle: the subset sums of two halves, sorted, by how many they take."""

    def __init__(self, scores: Sequence[int], size: int) -> None:
        if not 0 < size < len(scores):
            raise ValueError(f"cannot split {len(scores)} scores into {size} and the rest")
        # A partition is told by its smaller group alone; the larger one's sum is what is left of the total.
        self._smaller = min(size, len(scores) - size)
        self._flipped = self._smaller != size
        self._total = sum(scores)
        middle = len(scores) // 2
        self._left = _Half(scores[:middle], self._smaller)
        self._right = _Half(scores[middle:], self._smaller)
        self.partitions = math.comb(len(scores), size)

    def at_least(self, threshold: int) -> int:
        """In how many partitions the sum of the first group reaches the threshold."""
        if self._flipped:
            return self.partitions - self._count(self._total - threshold + 1)
        return self._count(threshold)

    def _count(self, threshold: int) -> int:
        count = 0
        for taken in range(max(0, self._smaller - self._right.n), min(self._left.n, self._smaller) + 1):
            left, right = self._left.sums(taken), self._right.sums(self._smaller - taken)
            needles, hay = (left, right) if len(left) <= len(right) else (right, left)
            # Descending, so that what is looked for ascends: neighbours in memory are asked for in turn.
            places = np.searchsorted(hay, threshold - needles[::-1], side="left")
            count += len(needles) * len(hay) - int(places.sum())
        return count


class _Half:
    """Subset sums of one half by size, sorted; subsets past half its size are the complements of the others."""

    def __init__(self, scores: Sequence[int], most: int) -> None:
        self.n = len(scores)
        self._total = sum(scores)
        sizes = range(min(most, self.n // 2) + 1)
        self._sums: list[Sums] = [np.zeros(math.comb(self.n, size), dtype=np.int64) for size in sizes]
        filled = [1, *(0 for _ in sizes[1:])]
        # Small steps first: later ones merge two sorted runs that overlap little, which timsort does best.
        for score in sorted(scores, key=abs):
            for size in reversed(sizes[1:]):
                shorter = self._sums[size - 1][: filled[size - 1]]
                start, filled[size] = filled[size], filled[size] + len(shorter)
                np.add(shorter, score, out=self._sums[size][start : filled[size]])
                self._sums[size][: filled[size]].sort(kind="stable")

    def sums(self, size: int) -> Sums:
        """The sums of all subsets of a size, ascending."""
        if size < len(self._sums):
            return self._sums[size]
        return self._total - self._sums[self.n - size][::-1]


def partitions(size: int, part: int, draws: int, seed: int) -> tuple[Array, bool]:
    """Rows of 0 and 1 with as many ones as the part has members; and whether these are all there are."""
    if math.comb(size, part) <= MOST:
        members = np.array(list(combinations(range(size), part)))
        rows = np.zeros((len(members), size))
        rows[np.arange(len(members))[:, None], members] = 1
        return rows, True
    order = np.random.default_rng(seed).random((min(draws, MOST), size)).argsort(axis=1)
    return (order < part).astype(np.float64), False


def signs(size: int, draws: int, seed: int) -> Array:
    """Rows of 1 and -1: all ways to turn so many things round, or some drawn."""
    if 2**size <= MOST:
        turned = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    else:
        turned = np.random.default_rng(seed).integers(0, 2, size=(min(draws, MOST), size))
    return (1 - 2 * turned).astype(np.float64)
