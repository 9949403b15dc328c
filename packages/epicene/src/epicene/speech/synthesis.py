"""Reads sentences aloud into a folder: several at a time, each file whole or not there, and listed once it is.

A run that was killed goes on where it was; of what it had finished, nothing is spoken again.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

from epicene.errors import InputError
from epicene.files import full_disk, write_packed
from epicene.speech import audio, manifest
from epicene.speech.manifest import Clip
from epicene.speech.voices import Speaker, Voice

Sentence = tuple[str, str]  # id and text
Progress = Callable[[int, int], None]  # done, total


def synthesise(
    sentences: Sequence[Sentence],
    voices: Sequence[Voice],
    folder: Path,
    progress: Progress | None = None,
    workers: int | None = None,
) -> int:
    """Speak each sentence by each voice into ``VOICE/ID.wav``; how many were spoken now.

    The manifest grows in the order of voices and sentences, whoever finishes first, so that a run that was killed and
    taken up again leaves the very files of one that was not.
    """
    _check_names(sentences, voices)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise full_disk(error, folder) from None
    with manifest.hold(folder):
        done = _find_finished(folder, sentences, voices)
        tasks = [
            (voice, *sentence) for voice in voices for sentence in sentences if (voice.name, sentence[0]) not in done
        ]
        total = len(sentences) * len(voices)
        before = total - len(tasks)
        if progress:
            progress(before, total)
        for number, clip in enumerate(_speak_all(tasks, folder, workers or os.cpu_count() or 1), 1):
            manifest.append(folder, clip)
            if progress:
                progress(before + number, total)
    return len(tasks)


def _check_names(sentences: Sequence[Sentence], voices: Sequence[Voice]) -> None:
    seen: set[str] = set()
    for key, text in sentences:
        if not key or key in seen:
            raise InputError(f"the id {key!r} {'is empty' if not key else 'stands twice'}; each sentence needs its own")
        if not text.strip() or "\x00" in text:
            raise InputError(
                f"sentence {key}: {'a NUL' if text.strip() else 'blank'}; expected words that can be spoken"
            )
        seen.add(key)
    names = [voice.name for voice in voices]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"the voice {twice} is named twice")


def _find_finished(folder: Path, sentences: Sequence[Sentence], voices: Sequence[Voice]) -> set[tuple[str, str]]:
    """Voice and id of what is there and whole; what a kill left half-written goes, and what is lost leaves the list."""
    for part in folder.glob("*/.*.wav.*.part"):
        part.unlink(missing_ok=True)
    texts, named = dict(sentences), {voice.name: voice for voice in voices}
    listed = manifest.mend(folder)
    for clip in listed:
        if texts.get(clip.id, clip.text) != clip.text:
            raise InputError(
                f"{folder}: its sentence {clip.id} is {clip.text!r}, not {texts[clip.id]!r}; "
                "a folder holds one set, so choose another with -o"
            )
        voice = named.get(clip.voice)
        if voice and voice.speaker != clip.speaker:
            raise InputError(f"{folder}: its {clip.voice} is a {clip.speaker} voice; choose another folder with -o")
        if voice and voice.identity != clip.identity:
            raise InputError(
                f"{folder}: its {clip.voice} is {clip.identity or 'of another version or a recording of yours'}, not "
                f"{voice.identity}; choose another folder with -o"
            )
    whole = [clip for clip in listed if manifest.checksum(clip.path) == clip.sha256]
    if len(whole) < len(listed):
        manifest.write(folder, whole)
    return {(clip.voice, clip.id) for clip in whole}


def _speak_all(tasks: Sequence[tuple[Voice, str, str]], folder: Path, workers: int) -> Iterator[Clip]:
    """Recordings in the order of the tasks; no more of them are begun than workers can soon take up."""
    waiting: deque[Future[Clip]] = deque()
    pool = ThreadPoolExecutor(workers)  # threads suffice: the programs that speak are processes of their own
    speakers = _Speakers()
    try:
        for voice, key, text in tasks:
            waiting.append(pool.submit(_record, speakers, voice, key, text, folder))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        speakers.close()


class _Speakers:
    """A program for each thread, with the voice that the thread spoke with last."""

    def __init__(self) -> None:
        self._open: dict[int, tuple[Voice, Speaker]] = {}

    def of(self, voice: Voice) -> Speaker:
        """The program of this thread; one of another voice is ended, so that few models are in memory."""
        thread = threading.get_ident()
        last = self._open.get(thread)
        if last and last[0] is voice:
            return last[1]
        if last:
            last[1].close()
        speaker = voice.start()
        self._open[thread] = voice, speaker
        return speaker

    def close(self) -> None:
        for _, speaker in self._open.values():
            speaker.close()


def _record(speakers: _Speakers, voice: Voice, key: str, text: str, folder: Path) -> Clip:
    samples = audio.normalise(*speakers.of(voice).speak(text), where=f"voice {voice.name}, sentence {key}")
    content = audio.encode(samples)
    path = folder / voice.name / f"{quote(key, safe='')}.wav"
    write_packed(path, content)
    seconds = round(len(samples) / audio.RATE, 3)
    checksum = hashlib.sha256(content).hexdigest()
    return Clip(key, path, text, voice.name, voice.speaker, seconds, checksum, voice.identity)
