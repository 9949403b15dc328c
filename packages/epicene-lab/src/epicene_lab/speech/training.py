"""Training of a speech model: while shards still arrive, recognition first, then translation as well."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from epicene.errors import InputError
from epicene.speech.features import PER_SECOND
from epicene_lab import arrays, store
from epicene_lab.export import pack
from epicene_lab.loop import Limits, Loop, Place, Progress, Say
from epicene_lab.speech import export, shards, targets
from epicene_lab.speech.model import SpeechModel
from epicene_lab.speech.recipe import SpeechRecipe, SpeechTraining
from epicene_lab.speech.shards import Batch, draw_languages, plan
from epicene_lab.speech.targets import PROMPT, Pieces
from epicene_lab.speech.updates import Sound, SpeechUpdater
from epicene_lab.updates import seed_update

_LOOK = 15.0  # seconds between looks for new shards


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


def train(order: Order, say: Say, progress: Progress | None = None) -> None:
    """Train, or go on training, and describe the model; one that is trained already is left as it is."""
    folder = order.folder
    if (folder / store.WEIGHTS).is_file():
        say(f"{folder}: trained before")
        return
    say(f"{folder}: training on {order.device}")
    course, at = learn(order, say, progress)
    shutil.copyfile(order.data / store.PIECES, folder / store.PIECES)
    heard, names = course.heard(), dict(enumerate(shards.list_voices(order.speech)))
    record = {
        "languages": course.targets.languages,
        "training": asdict(order.recipe.training),
        "sentences": int(course.targets.lengths.shape[1]),
        "recordings": len(heard),
        "hours": round(count_hours(heard), 2),
        "voices": [names.get(number, str(number)) for number in sorted(set(heard.voice.tolist()))],
        "seed": order.seed,
        "updates": at.done,
        "epochs": at.epoch,
        "seconds": round(at.elapsed),
        "loss": at.losses,
        "diverged": at.falls,
    }
    store.describe(folder, order.recipe.shape, {**record, **store.describe_machine(order.device)})
    weights = arrays.load(folder / store.WEIGHTS)
    # The layers that only spell in training stay at home.
    arrays.save(folder / export.PACKED, pack({name: weight for name, weight in weights.items() if name[:3] != "ctc"}))
    say(f"{folder}: {at.done} updates in {at.elapsed:.0f} s, loss {at.losses}")


def learn(order: Order, say: Say, progress: Progress | None = None) -> tuple[SpeechCourse, Place]:
    """Train until done and write ``weights.npz``: what was learnt from, and how far it went."""
    course = SpeechCourse(order, say)
    loop = Loop(course, order.folder, Limits(order.minutes, save_every=order.save_every), say)
    loop.run(progress)
    return course, loop.at


def rate(done: int, share: float, training: SpeechTraining) -> float:
    """The learning rate: up in a line by updates, down to nothing in a line by the share that is over."""
    warmup = min(training.warmup, max(1, training.updates // 4))
    return training.rate * min(1.0, (done + 1) / warmup) * max(0.0, 1.0 - share)


class SpeechCourse:
    """Recordings that a model learns to write down and to translate; more of them may arrive meanwhile."""

    names = ("loss", "ctc")

    def __init__(self, order: Order, say: Say) -> None:
        self._order, self._say = order, say
        recipe, training = order.recipe, order.recipe.training
        if training.longest + PROMPT > recipe.shape.length:
            raise InputError(f"longest = {training.longest} pieces do not fit length = {recipe.shape.length}")
        pieces = Pieces(order.data / store.PIECES)
        if len(pieces.all) != recipe.shape.vocabulary:
            raise InputError(
                f"{order.data / store.PIECES} has {len(pieces.all)} pieces, the recipe {recipe.shape.vocabulary}; "
                "prepare the text with this recipe"
            )
        self.updates, self.averaged = training.updates, training.averaged
        self.targets = targets.load(order.data, training.longest)
        torch.manual_seed(order.seed)
        model = SpeechModel(recipe.shape, training.dropout)
        self.learner = SpeechUpdater(model, self.targets, pieces, training, torch.device(order.device))
        sizes, lengths = {**asdict(recipe.shape), **asdict(training)}, self.targets.lengths
        self.identity = json.dumps([sizes, list(lengths.shape), int(lengths.sum()), order.seed])
        self._known: set[str] = set()  # shards
        self._sound: Sound | None = None
        self._looked = 0.0

    def begin(self) -> None:
        """Wait for the first shards, which may still be spoken."""
        until = time.monotonic() + self._order.wait
        while not self._take_shards():
            if time.monotonic() >= until:
                raise InputError(
                    f"{self._order.speech} holds no recording that can be trained on; make some with: "
                    "epicene lab speech speak, or --wait SECONDS for them"
                )
            time.sleep(min(1.0, self._order.wait))

    def batches(self, at: Place) -> Iterator[Batch]:
        """What is left of an epoch; with other recordings than it was planned with, a new one."""
        frames = self.heard().frames
        if at.examples != len(frames):
            at.epoch, at.batch = at.epoch + (at.examples > 0), 0
            at.examples = len(frames)
        order = self._order
        return iter(plan(frames, order.recipe.shape, order.recipe.training, order.seed, at.epoch)[at.batch :])

    def rate(self, done: int, share: float) -> float:
        """The learning rate of an update."""
        return rate(done, share, self._order.recipe.training)

    def update(self, batch: Batch, rate: float, done: int, share: float) -> None:
        """One update; the first share of the training is recognition alone."""
        sound, training = self._sound, self._order.recipe.training
        if sound is None:
            raise InputError(f"{self._order.speech} holds no recording that can be trained on")
        lengths = self.targets.lengths[:, sound.recordings.sentence[batch.rows]]
        languages = draw_languages(lengths, training, share < training.recognition, self._order.seed, done)
        seed_update(self._order.seed, done)
        self.learner(sound, batch, languages, rate)

    def look(self, epoch_over: bool) -> bool:
        """Take shards that arrived since, where it is time to look for them; whether there are any."""
        return (epoch_over or time.monotonic() - self._looked > _LOOK) and self._take_shards()

    def _take_shards(self) -> bool:
        self._looked = time.monotonic()
        new = [name for name in shards.list_names(self._order.speech) if name not in self._known]
        self._known.update(new)
        sentences, longest = self.targets.lengths.shape[1], self._order.recipe.shape.frames
        recordings = shards.read(self._order.speech, new, longest, sentences, self._say)
        if not len(recordings):
            return False
        if self._sound is None:
            self._sound = Sound(recordings, self.learner.device)
        else:
            self._sound.add(recordings)
        heard = self.heard()
        self._say(f"{len(heard):,} recordings, {count_hours(heard):.1f} hours, of {len(self._known)} shards")
        return True

    def heard(self) -> shards.Recordings:
        """Which recordings are trained on."""
        return self._sound.recordings if self._sound else shards.join([])


def count_hours(recordings: shards.Recordings) -> float:
    """How long recordings are."""
    return float(recordings.frames.sum()) / PER_SECOND / 3600
