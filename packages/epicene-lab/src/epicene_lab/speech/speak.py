"""Training speech: every sentence of a text said by drawn voices on all cores, kept as features in shards.

A shard is there whole or not at all: kill it at any time, give the command again, and it goes on.
"""

from __future__ import annotations

import hashlib
import io
import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.files import write_atomically, write_packed
from epicene.speech.features import BANDS, PER_SECOND
from epicene_lab.speech import shards
from epicene_lab.speech.manner import Manner, Mouth, Voice, draw, list_voices
from epicene_lab.speech.recipe import SpeakPlan

PLAN = "speak.json"
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What is spoken, how, and where to."""

    text: Path  # a table with the column en
    output: Path
    plan: SpeakPlan
    heldout: bool = False  # every voice says every sentence as it is, those never trained on among them
    voices: tuple[str, ...] = ()  # of held-out sentences; none: all
    most: int = 0  # sentences; 0: all
    workers: int = 0  # 0: one a core
    minutes: float | None = None  # no shard is begun after that


@dataclass(frozen=True, slots=True)
class Shard:
    """Recordings that become one file."""

    name: str
    sentences: tuple[int, ...]
    texts: tuple[str, ...]
    manners: tuple[Manner, ...]


@dataclass(frozen=True, slots=True)
class Spoken:
    """What became of a shard."""

    recordings: int
    seconds: float
    failed: tuple[str, ...] = ()


def speak(order: Order, say: Say) -> Spoken:
    """Speak what is not there yet; how much that was."""
    texts = shards.read_text(order.text)["en"]
    known = list_voices()
    _begin(order, texts, known)
    every = list(_shards(order, texts[: order.most or None], known))
    there = set(shards.list_names(order.output))
    left = [shard for shard in every if shard.name not in there]
    say(f"{order.output}: {len(every)} shards, {len(left)} to speak")
    begun, recordings, seconds = time.monotonic(), 0, 0.0
    failed: list[str] = []
    for done, spoken in enumerate(_parallel(order, left, known), 1):
        recordings, seconds = recordings + spoken.recordings, seconds + spoken.seconds
        failed += spoken.failed
        if done % 16 == 0 or done == len(left):
            took = (time.monotonic() - begun) / 60
            say(f"{done} of {len(left)} shards, {seconds / 3600:.1f} h of speech in {took:.1f} min")
    if failed:
        say(f"{len(failed)} sentences could not be spoken; the first: {failed[0]}")
    return Spoken(recordings, seconds, tuple(failed))


def _begin(order: Order, texts: Sequence[str], known: Sequence[Voice]) -> None:
    """Refuse a folder that was begun with another text or plan; write the names of the voices."""
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    wanted = {"plan": asdict(order.plan), "text": digest, "voices": [f"{each.name} {each.share:g}" for each in known]}
    path = order.output / PLAN
    if path.is_file():
        before = json.loads(path.read_text(encoding="utf-8"))
        if differing := [name for name in wanted if before.get(name) != wanted[name]]:
            raise InputError(f"{order.output}: spoken with another {' and '.join(differing)}; choose another folder")
        return
    with write_atomically(order.output / shards.VOICES) as stream:
        json.dump([each.name for each in known], stream)
    with write_atomically(path) as stream:
        json.dump(wanted, stream, indent=1)


def _shards(order: Order, texts: Sequence[str], known: Sequence[Voice]) -> Iterator[Shard]:
    """Turn by turn, so that what is cut short has said every sentence before any is said again."""
    size, plan = order.plan.shard, order.plan
    if order.heldout:
        asked = [place for place, each in enumerate(known) if not order.voices or each.name in order.voices]
        if unknown := set(order.voices) - {each.name for each in known}:
            raise InputError(f"voice {min(unknown)} is none of tables/speech/voices.tsv")
        turns = [(f"h{voice:02}", [Manner(voice)] * len(texts)) for voice in asked]
    else:
        manners = ([draw(plan, known, row, turn) for row in range(len(texts))] for turn in range(1, plan.passes + 1))
        turns = [(str(turn), each) for turn, each in enumerate(manners, 1)]
    for name, each in turns:
        for number, start in enumerate(range(0, len(texts), size)):
            cut = slice(start, start + size)
            rows = tuple(range(len(texts))[cut])
            yield Shard(f"{name}-{number:04}", rows, tuple(texts[cut]), tuple(each[cut]))


def _parallel(order: Order, left: Sequence[Shard], known: Sequence[Voice]) -> Iterator[Spoken]:
    workers = min(order.workers or os.cpu_count() or 1, max(1, len(left)))
    end = time.monotonic() + 60 * order.minutes if order.minutes is not None else None
    if workers == 1:
        for shard in left:
            if end is None or time.monotonic() < end:
                yield _record(shard, known, order.output)
        return
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        waiting: set[Future[Spoken]] = set()
        for shard in left:
            if len(waiting) > workers:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
            if end is not None and time.monotonic() > end:
                break
            waiting.add(pool.submit(_record, shard, known, order.output))
        yield from (future.result() for future in waiting)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _record(shard: Shard, known: Sequence[Voice], output: Path) -> Spoken:
    """Speak a shard; a sentence that a voice cannot say is left out and told of."""
    import numpy as np

    heard, sentence, voice, failed = [], [], [], []
    with tempfile.TemporaryDirectory(prefix="epicene-speak-") as scratch:
        mouth = Mouth(known, Path(scratch))
        for row, text, manner in zip(shard.sentences, shard.texts, shard.manners, strict=True):
            try:
                heard.append(mouth.features(text, manner))
            except InputError as error:
                failed.append(str(error))
                continue
            sentence.append(row)
            voice.append(manner.voice)
    features = np.concatenate(heard) if heard else np.zeros((0, BANDS), np.uint8)
    index: dict[str, Any] = {
        "offsets": np.cumsum([0, *map(len, heard)], dtype=np.int64),
        "sentence": np.array(sentence, np.int32),
        "voice": np.array(voice, np.int16),
    }
    sound, listed = io.BytesIO(), io.BytesIO()
    np.save(sound, features)
    np.savez(listed, allow_pickle=False, **index)
    write_packed(output / f"{shard.name}{shards.FEATURES}", sound.getvalue())
    write_packed(output / f"{shard.name}{shards.INDEX}", listed.getvalue())
    return Spoken(len(heard), len(features) / PER_SECOND, tuple(failed))
