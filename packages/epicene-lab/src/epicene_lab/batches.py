"""Batches of fixed shapes, in an order that depends only on the seed.

Pairs are sorted into buckets by length, so that a machine meets few shapes and can record its work for each. Every
bucket deals its pairs out like a deck that is shuffled anew when it runs out: no pair is lost and none comes twice
before all others came once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

_FULL = 4  # a cell of the grid that fills fewer batches than this is joined with the next longer one


@dataclass(frozen=True, slots=True)
class Ragged:
    """Sequences of pieces, end to end."""

    pieces: Array
    lengths: Array

    def padded(self, rows: Array, width: int) -> Array:
        """Some of them as a matrix; zero is padding."""
        ends = np.cumsum(self.lengths, dtype=np.int64)
        matrix = np.zeros((len(rows), width), self.pieces.dtype)
        columns = np.arange(width)
        inside = columns < self.lengths[rows, None]
        places = (ends - self.lengths)[rows, None] + columns
        matrix[inside] = self.pieces[places[inside]]
        return matrix


@dataclass(frozen=True, slots=True)
class Bucket:
    """Pairs of like length: tokenisations × pairs × pieces on each side."""

    source: Array
    target: Array  # begins with BEGIN and ends with END
    rows: int  # pairs in a batch

    @property
    def size(self) -> int:
        """How many pairs."""
        return int(self.source.shape[1])

    def dealt(self, epoch: int) -> int:
        """How many batches it has dealt before an epoch."""
        return epoch * self.size // self.rows


@dataclass(frozen=True, slots=True)
class Batch:
    """Which pairs of which bucket, in which tokenisation of each side."""

    bucket: int
    pairs: Array
    source: int
    target: int


def make_buckets(sources: list[Ragged], targets: list[Ragged], tokens: int, grid: int = 4) -> list[Bucket]:
    """Buckets of all pairs; every tokenisation of a pair is in the same one."""
    s = np.max([side.lengths for side in sources], axis=0)
    t = np.max([side.lengths for side in targets], axis=0)
    buckets = []
    for rows, width, height in _cells(s, t, tokens, grid):
        source = np.stack([side.padded(rows, width) for side in sources])
        target = np.stack([side.padded(rows, height) for side in targets])
        buckets.append(Bucket(source, target, min(len(rows), max(1, tokens // max(width, height)))))
    return buckets


def _cells(s: Array, t: Array, tokens: int, grid: int) -> Iterator[tuple[Array, int, int]]:
    """Pairs by rounded lengths; a cell that would not fill some batches is joined with the next longer one."""
    wide, high = _round_up(s, grid), _round_up(t, grid)
    carried = np.zeros(0, np.int64)
    for width in np.unique(wide):
        column = np.flatnonzero(wide == width)
        rows, carried = np.concatenate((carried, column)), np.zeros(0, np.int64)
        last = width == wide.max()
        for height in np.unique(high[rows]):
            cell = np.concatenate((carried, rows[high[rows] == height]))
            full = len(cell) >= _FULL * max(1, tokens // max(width, height))
            end = height == high[rows].max()
            if full or (last and end):
                yield np.sort(cell), int(wide[cell].max()), int(high[cell].max())
                carried = np.zeros(0, np.int64)
            else:
                carried = cell


def _round_up(lengths: Array, grid: int) -> Array:
    return -(-np.maximum(lengths, 1) // grid) * grid


def count_per_epoch(decks: list[Bucket]) -> float:
    """Batches of one epoch, on average."""
    return sum(deck.size / deck.rows for deck in decks)


def plan(decks: list[Bucket], seed: int, start: int) -> Iterator[Batch]:
    """All batches from an update on, for ever."""
    epoch = 0
    while start >= (length := sum(deck.dealt(epoch + 1) - deck.dealt(epoch) for deck in decks)):
        start -= length
        epoch += 1
    while True:
        yield from _deal_epoch(decks, seed, epoch)[start:]
        start, epoch = 0, epoch + 1


def _deal_epoch(decks: list[Bucket], seed: int, epoch: int) -> list[Batch]:
    source, target = epoch % len(decks[0].source), epoch // len(decks[0].source) % len(decks[0].target)
    batches = []
    for number, deck in enumerate(decks):
        first, last = deck.dealt(epoch) * deck.rows, deck.dealt(epoch + 1) * deck.rows
        cards = _deal_cards(deck.size, (seed, number), first, last)
        batches += [Batch(number, pairs, source, target) for pairs in cards.reshape(-1, deck.rows)]
    order = np.random.default_rng((seed, epoch)).permutation(len(batches))
    return [batches[place] for place in order]


def _deal_cards(size: int, seed: tuple[int, int], first: int, last: int) -> Array:
    """Cards ``first`` to ``last`` of a deck of ``size`` that is shuffled anew each time it runs out."""
    rounds = range(first // size, -(-last // size))
    dealt = [np.random.default_rng((*seed, number)).permutation(size) for number in rounds]
    start = first - first // size * size
    return np.concatenate([*dealt, np.zeros(0, np.int64)])[start : start + last - first]
