"""The loop that trains text and speech: killed and resumed, within given minutes, sent back where it diverges."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from epicene.errors import InputError, StoreError, SystemFailure
from epicene_lab import arrays, store
from epicene_lab.updates import Learner, State

Progress = Callable[[int, int], None]
Say = Callable[[str], None]
CHECKPOINT, LOG = "checkpoint.npz", "log.jsonl"
LOG_EVERY = 50  # updates
_AVERAGED = 20  # weights that are averaged at the end, at most
_FALLS = 6  # times that a training may diverge


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop: by the clock, or to be resumed later."""

    minutes: float | None = None  # of the whole training; the rate is zero at their end
    deadline: float | None = None  # a time.monotonic() at which the run is saved and left
    save_every: float = 60.0  # seconds between checkpoints
    graphs: bool = True  # record each shape of batch, where a GPU can; many models at once have no memory for it


@dataclass(slots=True)
class Place:
    """How far a training is."""

    done: int = 0  # updates
    elapsed: float = 0.0  # seconds, of earlier runs too
    epoch: int = 0
    batch: int = 0  # batches of the epoch that are done
    examples: int = 0  # of which the epoch was planned
    slower: float = 1.0  # by what the rate is multiplied since it diverged
    falls: int = 0
    averaged: int = 0  # how often the weights were taken into their mean
    losses: list[float] = field(default_factory=list)  # the last ones that were read


class Course(Protocol):
    """What is learnt: the model, its batches and its rates."""

    updates: int  # of the whole training
    averaged: float  # the share at the end of which the weights are averaged
    identity: str  # what a checkpoint must agree on

    @property
    def learner(self) -> Learner:
        """The model that learns."""

    @property
    def names(self) -> tuple[str, ...]:
        """What its losses are called."""

    def begin(self) -> None:
        """Wait until there is something to learn from."""

    def batches(self, at: Place) -> Iterator[Any]:
        """What is left of an epoch."""

    def rate(self, done: int, share: float) -> float:
        """The learning rate."""

    def update(self, batch: Any, rate: float, done: int, share: float) -> None:
        """One update; all that is random in it follows from the seed and how many were done."""

    def look(self, epoch_over: bool) -> bool:
        """Whether there is more to learn from than the epoch was planned with."""


class Loop:
    """A training under way."""

    def __init__(self, course: Course, folder: Path, limits: Limits, say: Say) -> None:
        self.course, self.folder, self.limits, self.say = course, folder, limits, say
        folder.mkdir(parents=True, exist_ok=True)
        self.at = Place()
        self._resume()
        self._good: tuple[Place, State] = (replace(self.at), course.learner.state())
        self._begun = self._saved = time.monotonic()

    def run(self, progress: Progress | None = None) -> bool:
        """Train until done, writing ``weights.npz``; False when the deadline came first and a checkpoint was left."""
        course = self.course
        course.begin()
        self._saved = time.monotonic()
        self._begun = self._saved - self.at.elapsed
        while (share := self._share()) < 1:
            falls = self.at.falls
            for batch in course.batches(self.at):
                late = self._update(batch, share)
                share = self._share()
                if progress:
                    progress(self.at.done, max(self.at.done, round(self.at.done / max(share, 1e-9))))
                if late and share < 1:
                    return False
                if share >= 1 or self.at.falls > falls or course.look(epoch_over=False):
                    break
            else:
                self.at.epoch, self.at.batch = self.at.epoch + 1, 0
                course.look(epoch_over=True)
        arrays.save(self.folder / store.WEIGHTS, course.learner.result())
        (self.folder / CHECKPOINT).unlink(missing_ok=True)
        return True

    def _update(self, batch: Any, share: float) -> bool:
        """One update with all that follows from it; whether the deadline is over."""
        course, at = self.course, self.at
        rate = at.slower * course.rate(at.done, share)
        course.update(batch, rate, at.done, share)
        at.done, at.batch = at.done + 1, at.batch + 1
        share, left = self._share(), course.averaged
        if left and share > 1 - left and at.averaged < _AVERAGED * (share - 1 + left) / left:
            course.learner.average()
            at.averaged += 1
        if at.done % LOG_EVERY == 0 or share >= 1:
            self._note(share, rate)
        late = self.limits.deadline is not None and time.monotonic() > self.limits.deadline
        if (late or time.monotonic() - self._saved > self.limits.save_every) and share < 1:
            self._keep(late)
        return late

    def _share(self) -> float:
        """How much of the training is over, by updates or by the clock."""
        self.at.elapsed = time.monotonic() - self._begun
        by_clock = self.at.elapsed / (60 * self.limits.minutes) if self.limits.minutes else 0.0
        return max(self.at.done / self.course.updates, by_clock)

    def _note(self, share: float, rate: float) -> None:
        """Log the losses since they were last logged; one that is no number sends the training back."""
        learner, at = self.course.learner, self.at
        if not learner.finite():
            self._fall()
            return
        count = at.done % LOG_EVERY or LOG_EVERY
        at.losses = [round(loss, 4) for loss in (learner.loss / count).tolist()]
        learner.loss.zero_()
        losses = dict(zip(self.course.names, at.losses, strict=True))
        line = {"update": at.done, "share": round(share, 4), "seconds": round(at.elapsed, 1), **losses}
        line |= {"rate": float(f"{rate:.3g}"), "epoch": at.epoch, "examples": at.examples}
        with (self.folder / LOG).open("a", encoding="utf-8") as stream:
            print(json.dumps(line), file=stream)

    def _fall(self) -> None:
        """Go back to the last good state, with half the rate."""
        falls, slower = self.at.falls + 1, self.at.slower / 2
        if falls > _FALLS:
            raise SystemFailure(f"the training diverged {falls} times; give it a lower rate")
        then, state = self._good
        self.say(
            f"diverged at update {self.at.done}: the loss is no number; resumes from update {then.done} with "
            f"{100 * slower:g} % of the rate"
        )
        self.course.learner.restore(state)
        self.at = replace(then, falls=falls, slower=slower, examples=self.at.examples)
        self.at.epoch, self.at.batch = then.epoch + falls, 0  # in another order

    def _keep(self, leaving: bool) -> None:
        """Write a checkpoint; on a full disk the training continues without one, unless it was to be left here."""
        learner = self.course.learner
        if not learner.finite():
            self._fall()
            return
        self._saved = time.monotonic()
        state = learner.state()
        self._good = replace(self.at), state
        checkpoint: dict[str, Any] = {name: value.cpu().numpy() for name, value in state.items()}
        checkpoint |= {"identity": np.array(self.course.identity), "at": np.array(json.dumps(asdict(self.at)))}
        try:
            arrays.save(self.folder / CHECKPOINT, checkpoint)
        except StoreError as error:
            if leaving:
                raise
            self.say(f"{error}; the training continues, but could not be resumed from here")

    def _resume(self) -> None:
        """Go on from a checkpoint, where there is one of this training."""
        path = self.folder / CHECKPOINT
        if not path.is_file():
            return
        checkpoint: dict[str, Any] = arrays.load(path)
        if str(checkpoint.pop("identity", "")) != self.course.identity or "at" not in checkpoint:
            raise InputError(
                f"{path} is of another model, data or seed; use another folder, or remove it to begin anew"
            )
        self.at = Place(**json.loads(str(checkpoint.pop("at"))))
        self.course.learner.restore({name: torch.from_numpy(value) for name, value in checkpoint.items()})
        self.say(f"{path}: resumes from update {self.at.done}")
