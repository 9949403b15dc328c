"""Translates recordings: by a recogniser and a translator, or by a system that hears them itself.

A recording is known by its checksum, so that moving a folder costs nothing and another recording under an old name is
heard anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from epicene.engines import local, speech
from epicene.engines.clock import Timed
from epicene.result import Decoding
from epicene.speech import manifest
from epicene.speech.manifest import Clip
from epicene.store.cache import Cache
from epicene.systems.cascade import Cascade
from epicene.types import Heard, Pair, Recogniser, SpeechSystem

Progress = local.Progress


def cascaded(
    cascade: Cascade, clips: Sequence[Clip], pair: Pair, cache: Cache | None, progress: Progress | None
) -> list[tuple[str, Heard]]:
    """Each recording's translation, what was heard, and the translation of what was said."""
    said = [clip.text for clip in clips]
    heard = transcribed(cascade.recogniser, clips, cache, progress)
    texts = local.translate(cascade.translator, [*heard, *said], pair, cache, progress)
    translated, references = texts[: len(clips)], texts[len(clips) :]
    return [
        (text, Heard(transcript, reference))
        for text, transcript, reference in zip(translated, heard, references, strict=True)
    ]


def transcribed(
    recogniser: Recogniser | None, clips: Sequence[Clip], cache: Cache | None, progress: Progress | None
) -> list[str]:
    """What a recogniser writes down; without one, what was said."""
    if recogniser is None:
        return [clip.text for clip in clips]
    return speech.transcribe(recogniser, clips, cache, progress)


def direct(
    system: SpeechSystem, clips: Sequence[Clip], pair: Pair, cache: Cache | None, progress: Progress | None
) -> tuple[list[str], Decoding | None]:
    """Each recording's translation by a system that hears it, and how long that took for those heard now."""
    keys = [f"sha256:{clip.sha256}" for clip in clips]
    timed = Timed(_ByChecksum(system, dict(zip(keys, clips, strict=True))))
    return local.translate(timed, keys, pair, cache, progress), timed.decoding


class _ByChecksum:
    """A system for speech as the engine for text knows systems: it is asked for checksums."""

    def __init__(self, system: SpeechSystem, clips: Mapping[str, Clip]) -> None:
        self._system = system
        self._clips = clips
        self.identity = system.identity
        self.batch_size = system.batch_size

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:
        """The translations of the recordings with these checksums, which they must really have."""
        paths: list[Path] = []
        for source in sources:
            manifest.verify(self._clips[source])
            paths.append(self._clips[source].path)
        return self._system.interpret(paths, pair)
