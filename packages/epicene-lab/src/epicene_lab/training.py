"""Training on text: what the loop learns, and how long that will take."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from epicene_lab.batches import Batch, Bucket, count_per_epoch, plan
from epicene_lab.loop import Limits, Loop, Place, Progress
from epicene_lab.model import Transformer
from epicene_lab.recipe import Shape, Training
from epicene_lab.updates import Updater, seed_update


def train(
    shape: Shape,
    training: Training,
    decks: list[Bucket],
    seed: int,
    folder: Path,
    device: str = "cpu",
    limits: Limits | None = None,
    progress: Progress | None = None,
    weights: Mapping[str, Any] | None = None,
) -> bool:
    """Train until done, writing ``weights.npz``; False when the deadline came first and a checkpoint was left.

    With ``weights`` it goes on from them.
    """
    limits = limits or Limits()
    torch.manual_seed(seed)
    model = Transformer(shape, training.dropout)
    if weights is not None:
        model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
    course = TextCourse(model, shape, training, decks, seed, device, weights)
    loop = Loop(course, folder, limits, _say)
    if limits.graphs:
        course.learner.record()
    return loop.run(progress)


class TextCourse:
    """Sentence pairs that a Transformer learns to translate."""

    averaged = 0.0
    names = ("loss",)

    def __init__(
        self,
        model: Transformer,
        shape: Shape,
        training: Training,
        decks: list[Bucket],
        seed: int,
        device: str,
        weights: Mapping[str, Any] | None = None,
    ) -> None:
        self.updates = count_updates(training, decks)
        self.learner = Updater(model, decks, training, torch.device(device))
        self._training, self._decks, self._seed = training, decks, seed
        sizes = [[deck.size, deck.rows, *deck.source.shape, *deck.target.shape] for deck in decks]
        begun = [] if weights is None else [float(np.abs(weights[name]).sum()) for name in sorted(weights)]
        self.identity = json.dumps([asdict(shape), asdict(training), sizes, seed, *begun], sort_keys=True)

    def begin(self) -> None:
        """All pairs are there from the beginning."""

    def batches(self, at: Place) -> Iterator[Batch]:
        """All batches from here on, for ever."""
        at.examples = sum(deck.size for deck in self._decks)
        return plan(self._decks, self._seed, at.done)

    def rate(self, done: int, share: float) -> float:
        """The learning rate of an update."""
        return rate(done, share, self.updates, self._training)

    def update(self, batch: Batch, rate: float, done: int, share: float) -> None:  # noqa: ARG002
        """One update."""
        seed_update(self._seed, done)
        self.learner(batch, rate)

    def look(self, epoch_over: bool) -> bool:  # noqa: ARG002
        """No pairs arrive later."""
        return False


def count_updates(training: Training, decks: list[Bucket]) -> int:
    """How many updates the epochs of a training are."""
    return max(1, round(training.epochs * count_per_epoch(decks)))


def measure_pace(shape: Shape, training: Training, decks: list[Bucket], seconds: float = 2.0) -> float:
    """Updates a second on this CPU, from as many as fit into a few seconds, and at least two."""
    updater = Updater(Transformer(shape, training.dropout), decks, training, torch.device("cpu"))
    batches = plan(decks, 0, 0)
    updater(next(batches), 0.0)  # the first one also pays for what is loaded lazily
    begun, done = time.monotonic(), 0
    while done < 2 or time.monotonic() - begun < seconds:
        updater(next(batches), 0.0)
        done += 1
    return done / (time.monotonic() - begun)


def rate(done: int, share: float, total: int, training: Training) -> float:
    """The learning rate: up in a line by updates, then down to nothing in a line by the share that is over."""
    warmup = min(training.warmup, max(1, total // 4))
    if done < warmup:
        return training.rate * (done + 1) / warmup
    return training.rate * max(0.0, 1 - share) / max(1 / total, 1 - warmup / total)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
