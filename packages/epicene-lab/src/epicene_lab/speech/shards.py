"""Spoken sentences as they are stored for training: features end to end, and which sentence and voice each is.

A shard is ``NAME.features.npy`` (bytes, frames × bands) and ``NAME.index.npz``, which is written last: a shard without
it is still being spoken.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from epicene.errors import InputError
from epicene.speech.features import BANDS
from epicene_lab import arrays
from epicene_lab.speech.recipe import LANGUAGES, SpeechShape, SpeechTraining

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
    batches, first = [], 0
    while first < len(order):
        # The longest recordings stand first, but for what the mixing moved.
        longest = int(heard[order[first : first + max(1, training.batch_frames // int(heard[order[first]]))]].max())
        rows = order[first : first + max(1, training.batch_frames // (-(-longest // _GRID) * _GRID))]
        batches.append(Batch(rows, ratio[rows], heard[rows]))
        first += len(rows)
    return [batches[place] for place in generator.permutation(len(batches))]


def draw_languages(lengths: Array, training: SpeechTraining, recognition: bool, seed: int, update: int) -> Array:
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


FEATURES, INDEX, VOICES = ".features.npy", ".index.npz", "voices.json"
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Recordings:
    """Spoken sentences, their features end to end."""

    features: Array  # frames × bands, bytes
    starts: Array  # the first frame of each recording
    frames: Array  # how many it has
    sentence: Array  # the row of the text that it says
    voice: Array

    def __len__(self) -> int:
        return len(self.starts)

    def bare(self) -> Recordings:
        """The same without their features, whose frames count no more."""
        return replace(self, features=self.features[:0])


def list_names(folder: Path) -> list[str]:
    """The shards of a folder that are whole."""
    return sorted(path.name.removesuffix(INDEX) for path in folder.glob(f"*{INDEX}"))


def read(folder: Path, wanted: Iterable[str], longest: int, sentences: int, say: Say) -> Recordings:
    """The recordings of shards; what is too long for the model is left out, and a broken shard is told of."""
    parts = []
    for name in wanted:
        try:
            parts.append(_shard(folder, name, longest, sentences))
        except (InputError, OSError, ValueError, KeyError) as error:
            say(f"{folder / name}: left out: {error}")
    return join(parts)


def join(parts: list[Recordings]) -> Recordings:
    """Recordings of several shards as one."""
    if not parts:
        nothing = np.zeros(0, np.int64)
        return Recordings(np.zeros((0, BANDS), np.uint8), nothing, nothing, nothing, nothing)
    before = np.cumsum([0, *(len(part.features) for part in parts)])
    starts = [part.starts + first for part, first in zip(parts, before, strict=False)]
    rest = [np.concatenate([getattr(part, name) for part in parts]) for name in ("frames", "sentence", "voice")]
    return Recordings(np.concatenate([part.features for part in parts]), np.concatenate(starts), *rest)


def _shard(folder: Path, name: str, longest: int, sentences: int) -> Recordings:
    features = np.load(folder / f"{name}{FEATURES}", allow_pickle=False)
    index = arrays.load(folder / f"{name}{INDEX}")
    offsets, sentence = index["offsets"].astype(np.int64), index["sentence"].astype(np.int64)
    if features.dtype != np.uint8 or features.ndim != 2 or features.shape[1] != BANDS:
        raise InputError(f"features of {features.dtype} {features.shape}; expected bytes, frames × {BANDS}")
    if len(offsets) != len(sentence) + 1 or offsets[-1] != len(features) or (np.diff(offsets) < 0).any():
        raise InputError(
            f"its index tells of {offsets[-1]} frames of {len(sentence)} sentences, {len(features)} are there"
        )
    if len(sentence) and not (sentence.min() >= 0 and sentence.max() < sentences):
        raise InputError(f"sentence {sentence.max()} of a text of {sentences}; speak the text that is trained on")
    frames = np.diff(offsets)
    fit = (frames > 1) & (frames <= longest)
    return Recordings(features, offsets[:-1][fit], frames[fit], sentence[fit], index["voice"].astype(np.int64)[fit])


def list_voices(folder: Path) -> list[str]:
    """The names of voices by their number; none where nobody wrote them."""
    try:
        content = json.loads((folder / VOICES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [str(name) for name in (content.get("voices", []) if isinstance(content, dict) else content)]


def read_text(path: Path) -> dict[str, list[str]]:
    """The sentences of a table by language, a row each; a first row that names the columns is none."""
    try:
        content = path.read_bytes()
        lines = (lzma.decompress(content) if path.suffix == ".xz" else content).decode("utf-8").splitlines()
    except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    rows = [line.split("\t") for line in lines]
    if rows and rows[0][: len(LANGUAGES)] == list(LANGUAGES):
        rows = rows[1:]
    for number, row in enumerate(rows, 1):
        if not 2 <= len(row) <= len(LANGUAGES):
            raise InputError(
                f"{path}: sentence {number} has {len(row)} columns; expected {', '.join(LANGUAGES)} with tabs between"
            )
    if not rows:
        raise InputError(f"{path}: no sentence; expected {', '.join(LANGUAGES)} with tabs between")
    return {
        code: [row[place].strip() if place < len(row) else "" for row in rows] for place, code in enumerate(LANGUAGES)
    }
