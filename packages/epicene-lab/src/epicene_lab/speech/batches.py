"""Batches of like length, in an order that depends only on the seed; and what is asked for of each recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from epicene_lab.speech.recipe import SpeechShape, SpeechTraining

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

_GRID = 16  # frames; widths are multiples of it, so that a machine meets few shapes
_MIXED = 0.1  # lengths are taken for so much longer at random, so that a batch is another in each epoch


@dataclass(frozen=True, slots=True)
class Batch:
    """Which recordings, how much faster each is made, and how many frames that leaves."""

    rows: Array
    ratio: Array
    frames: Array

    @property
    def width(self) -> int:
        """Frames of the batch."""
        return -(-int(self.frames.max()) // _GRID) * _GRID


def plan(frames: Array, shape: SpeechShape, training: SpeechTraining, seed: int, epoch: int) -> list[Batch]:
    """All recordings once, each at a speed of its own, in batches of at most so many frames."""
    generator = np.random.default_rng((seed, epoch))
    ratio = generator.uniform(1 - training.speed, 1 + training.speed, len(frames))
    ratio = np.maximum(ratio, (frames - 1) / (shape.frames - 1)).astype(np.float32)  # none becomes too long
    heard = np.minimum(((frames - 1) / ratio).astype(np.int64) + 1, shape.frames)
    order = np.argsort(-heard * (1 + _MIXED * generator.random(len(frames))), kind="stable")
    found, first = [], 0
    while first < len(order):
        # The longest recordings stand first, but for what the mixing moved.
        longest = int(heard[order[first : first + max(1, training.batch_frames // int(heard[order[first]]))]].max())
        rows = order[first : first + max(1, training.batch_frames // (-(-longest // _GRID) * _GRID))]
        found.append(Batch(rows, ratio[rows], heard[rows]))
        first += len(rows)
    return [found[place] for place in generator.permutation(len(found))]


def asked(lengths: Array, training: SpeechTraining, recognition: bool, seed: int, update: int) -> Array:
    """Which languages each recording is asked for, of those that it has (languages × recordings); -1 for none."""
    there = lengths > 0
    if recognition:
        return np.where(there[0], 0, -1)[:, None]
    weights = np.ones(len(lengths))
    weights[0] = training.english
    # The smallest of such times are a draw without replacement, by weight.
    with np.errstate(divide="ignore"):
        times = np.random.default_rng((seed, update, 1)).exponential(size=there.T.shape) / weights
    times = np.where(there.T, times, np.inf)
    chosen = np.argsort(times, axis=1, kind="stable")[:, : training.targets]
    return np.where(np.isfinite(np.take_along_axis(times, chosen, 1)), chosen, -1)
