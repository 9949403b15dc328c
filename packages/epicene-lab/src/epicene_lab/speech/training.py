"""Training from the first update to the last: while shards still arrive, within given minutes, killed and resumed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from epicene.errors import InputError, StoreError, SystemFailure
from epicene.speech.features import PER_SECOND
from epicene_lab import arrays, store
from epicene_lab.speech import shards, targets
from epicene_lab.speech.batches import Batch, asked, plan
from epicene_lab.speech.model import SpeechModel
from epicene_lab.speech.recipe import SpeechRecipe, SpeechTraining
from epicene_lab.speech.updates import Sound, SpeechUpdater, State
from epicene_lab.speech.vocabulary import PROMPT, Pieces
from epicene_lab.training import CHECKPOINT, Log, Progress

LOG_EVERY = 50  # updates
_LOOK = 15.0  # seconds between looks for new shards
_AVERAGED = 20  # weights that are averaged at the end, at most
_FALLS = 6  # times that a training may diverge


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be trained, on what, and where it goes."""

    recipe: SpeechRecipe
    data: Path  # what ``prepare`` made
    speech: Path  # the folder of shards
    folder: Path
    seed: int = 1
    device: str = "cpu"
    minutes: float | None = None  # of the whole training; the rate is zero at their end
    wait: float = 0.0  # seconds for the first shard
    save_every: float = 60.0  # seconds


@dataclass(slots=True)
class Progressed:
    """How far a training is."""

    done: int = 0  # updates
    elapsed: float = 0.0  # seconds, of earlier runs too
    epoch: int = 0
    place: int = 0  # batches of the epoch that are done
    recordings: int = 0  # of which the epoch was planned
    slower: float = 1.0  # by what the rate is multiplied since it diverged
    falls: int = 0
    averaged: int = 0  # how often the weights were taken into their mean
    losses: list[float] = field(default_factory=list)  # the last ones that were read


def train(order: Order, log: Log = print, say: Log = print, progress: Progress | None = None) -> Run:
    """Train until done and write ``weights.npz``; what stopped before goes on from its last checkpoint."""
    run = Run(order, log, say)
    run.resume()
    for share in run.updates():
        if progress:
            progress(int(1000 * share), 1000)
    arrays.save(order.folder / store.WEIGHTS, run.updater.result())
    (order.folder / CHECKPOINT).unlink(missing_ok=True)
    return run


def rate(done: int, share: float, training: SpeechTraining) -> float:
    """The learning rate: up in a line by updates, down to nothing in a line by the share that is over."""
    warmup = min(training.warmup, max(1, training.updates // 4))
    return training.rate * min(1.0, (done + 1) / warmup) * max(0.0, 1.0 - share)


class Run:
    """A training under way."""

    def __init__(self, order: Order, log: Log, say: Log) -> None:
        self.order, self.log, self.say = order, log, say
        recipe, self._training = order.recipe, order.recipe.training
        if self._training.longest + PROMPT > recipe.shape.length:
            raise InputError(f"longest = {self._training.longest} pieces do not fit length = {recipe.shape.length}")
        pieces = Pieces(order.data / store.PIECES)
        if len(pieces.all) != recipe.shape.vocabulary:
            raise InputError(
                f"{order.data / store.PIECES} has {len(pieces.all)} pieces, the recipe {recipe.shape.vocabulary}; "
                "prepare the text with this recipe"
            )
        self.targets = targets.load(order.data, self._training.longest)
        torch.manual_seed(order.seed)
        model = SpeechModel(recipe.shape, self._training.dropout)
        self.updater = SpeechUpdater(model, self.targets, pieces, self._training, torch.device(order.device))
        self.at = Progressed()
        self._known: set[str] = set()  # shards
        self._sound: Sound | None = None
        self._good: tuple[Progressed, State] = (replace(self.at), self.updater.state())
        self._begun = time.monotonic()
        self._looked = self._saved = self._begun

    def updates(self) -> Iterator[float]:
        """Update after update, until the share that is over is 1; yields it after each."""
        self._begun = time.monotonic() - self.at.elapsed
        self._saved = time.monotonic()
        self._awaited()
        while (share := self._share()) < 1:
            for batch in self._batches():
                self._update(batch, share)
                share = self._share()
                yield min(1.0, share)
                if share >= 1 or (self._due_look() and self._look()):
                    break
            else:
                self.at.epoch, self.at.place = self.at.epoch + 1, 0
                self._look()

    def _update(self, batch: Batch, share: float) -> None:
        at, training = self.at, self._training
        sound = self._sound
        if sound is None:
            raise InputError(f"{self.order.speech} holds no recording that can be trained on")
        lengths = self.targets.lengths[:, sound.recordings.sentence[batch.rows]]
        languages = asked(lengths, training, share < training.recognition, self.order.seed, at.done)
        speed = at.slower * rate(at.done, share, training)
        self.updater(sound, batch, languages, speed, self.order.seed * 1_000_003 + at.done)
        at.done, at.place = at.done + 1, at.place + 1
        share = self._share()
        if (
            training.averaged
            and share > 1 - training.averaged
            and at.averaged < _AVERAGED * (share - 1 + training.averaged) / training.averaged
        ):
            self.updater.average()
            at.averaged += 1
        if at.done % LOG_EVERY == 0 or share >= 1:
            self._note(share, speed)
        if time.monotonic() - self._saved > self.order.save_every and share < 1:
            self._keep()

    def _share(self) -> float:
        """How much of the training is over, by updates or by the clock."""
        self.at.elapsed = time.monotonic() - self._begun
        by_clock = self.at.elapsed / (60 * self.order.minutes) if self.order.minutes else 0.0
        return max(self.at.done / self._training.updates, by_clock)

    def _batches(self) -> Iterator[Batch]:
        frames = self.heard().frames
        if self.at.recordings != len(frames):  # others than the epoch was planned with
            self.at.epoch, self.at.place = self.at.epoch + (self.at.recordings > 0), 0
            self.at.recordings = len(frames)
        batches = plan(frames, self.order.recipe.shape, self._training, self.order.seed, self.at.epoch)
        return iter(batches[self.at.place :])

    def _note(self, share: float, speed: float) -> None:
        """Tell of the loss since it was last told; one that is no number sends the training back."""
        if not self.updater.finite():
            self._fall()
            return
        at = self.at
        count = at.done % LOG_EVERY or LOG_EVERY
        writing, spelling = (self.updater.loss / count).tolist()
        self.updater.loss.zero_()
        at.losses = [round(writing, 4), round(spelling, 4)]
        line = {
            "update": at.done,
            "share": round(share, 4),
            "seconds": round(at.elapsed, 1),
            "rate": float(f"{speed:.3g}"),
        }
        line |= {"loss": at.losses[0], "ctc": at.losses[1], "epoch": at.epoch, "recordings": at.recordings}
        self.log(json.dumps(line))

    def _fall(self) -> None:
        """Go back to the last good state, with half the rate."""
        falls, slower = self.at.falls + 1, self.at.slower / 2
        if falls > _FALLS:
            raise SystemFailure(
                f"the training diverged {falls} times; give it a lower rate than {self._training.rate:g}"
            )
        then, state = self._good
        self.say(
            f"diverged at update {self.at.done}: the loss is no number; goes on from update {then.done} with "
            f"{100 * slower:g} % of the rate"
        )
        self.updater.restore(state)
        self.at = replace(then, falls=falls, slower=slower, recordings=self.at.recordings)
        self.at.epoch, self.at.place = then.epoch + falls, 0  # in another order

    def _keep(self) -> None:
        """A checkpoint, in memory and on disk; a full disk is told of, and the training goes on."""
        if not self.updater.finite():
            self._fall()
            return
        self._saved = time.monotonic()
        state = self.updater.state()
        self._good = replace(self.at), state
        found: dict[str, Any] = {name: value.cpu().numpy() for name, value in state.items()}
        found |= {"identity": np.array(self._identity()), "at": np.array(json.dumps(asdict(self.at)))}
        try:
            arrays.save(self.order.folder / CHECKPOINT, found)
        except StoreError as error:
            self.say(f"{error}; the training goes on, but could not be resumed from here")

    def resume(self) -> None:
        """Go on from a checkpoint, where there is one of this training."""
        path = self.order.folder / CHECKPOINT
        if not path.is_file():
            return
        found: dict[str, Any] = arrays.load(path)
        if str(found.pop("identity", "")) != self._identity():
            raise InputError(
                f"{path} is of another recipe, text or seed; use another folder, or remove it to begin anew"
            )
        self.at = Progressed(**json.loads(str(found.pop("at"))))
        self.updater.restore({name: torch.from_numpy(value) for name, value in found.items()})
        self._good = replace(self.at), self.updater.state()
        self.say(f"{path}: goes on from update {self.at.done}")

    def _identity(self) -> str:
        recipe = {**asdict(self.order.recipe.shape), **asdict(self.order.recipe.training)}
        return json.dumps([recipe, list(self.targets.lengths.shape), int(self.targets.lengths.sum()), self.order.seed])

    def _awaited(self) -> None:
        """The first shards, which may still be spoken."""
        until = time.monotonic() + self.order.wait
        while not self._look():
            if time.monotonic() >= until:
                raise InputError(
                    f"{self.order.speech} holds no recording that can be trained on; make some with: "
                    "epicene lab speech speak, or --wait SECONDS for them"
                )
            time.sleep(min(1.0, self.order.wait))
        if self.order.wait and not self.at.done:
            self._begun = time.monotonic()  # waiting is no training

    def _due_look(self) -> bool:
        return time.monotonic() - self._looked > _LOOK

    def _look(self) -> bool:
        """Take shards that arrived since; whether there are any."""
        self._looked = time.monotonic()
        new = [name for name in shards.names(self.order.speech) if name not in self._known]
        self._known.update(new)
        sentences, longest = self.targets.lengths.shape[1], self.order.recipe.shape.frames
        found = shards.read(self.order.speech, new, longest, sentences, self.say)
        if not len(found):
            return False
        if self._sound is None:
            self._sound = Sound(found, self.updater.device)
        else:
            self._sound.add(found)
        self.say(f"{len(self.heard()):,} recordings, {hours(self.heard()):.1f} hours, of {len(self._known)} shards")
        return True

    def heard(self) -> shards.Recordings:
        """Which recordings are trained on."""
        return self._sound.recordings if self._sound else shards.joined([])


def hours(recordings: shards.Recordings) -> float:
    """How long recordings are."""
    return float(recordings.frames.sum()) / PER_SECOND / 3600
