"""Recognises on this machine: each distinct recording once, stored as it arrives."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from epicene.errors import InputError, SystemFailure
from epicene.flow import ask as local
from epicene.speech import audio, manifest
from epicene.speech.direct import too_long
from epicene.speech.manifest import Clip
from epicene.store.cache import Cache
from epicene.types import Pair, Recogniser

_log = logging.getLogger(__name__)
# Transcripts lie beside the translations: as if a recording's checksum were translated from speech.
PAIR = Pair("speech", "en")
# A recogniser that hears nothing at all in this many recordings is broken.
_ENOUGH = 3


@dataclass(slots=True)
class Pace:
    """How long a recogniser took for how much sound, and what was wrong with it, apart from what was stored before."""

    sound: float = 0.0
    seconds: float = 0.0
    clips: int = 0
    warnings: list[str] = field(default_factory=list)  # about recordings that are worse than they should be

    @property
    def factor(self) -> float | None:
        """The real-time factor: seconds of work for a second of sound."""
        return self.seconds / self.sound if self.sound else None


def transcribe(
    recogniser: Recogniser,
    clips: Sequence[Clip],
    cache: Cache | None = None,
    progress: local.Progress | None = None,
    pace: Pace | None = None,
    examine: bool = True,
) -> list[str]:
    """What is said in each recording; one that is missing, changed or unfit is refused before any is heard.

    ``examine=False`` is for recordings that were sorted out before.

    What is wrong with recordings is told to the log, unless ``pace`` takes it.
    """
    kept = pace or Pace()
    sums = [clip.sha256 for clip in clips]
    listener = _Listener(recogniser, clips, kept)
    if examine:
        kept.warnings += examined(clips, local.missing(listener, sums, PAIR, cache))
    texts = [" ".join(text.split()) for text in local.translate(listener, sums, PAIR, cache, progress)]
    if pace is None:
        warn(kept.warnings)
    if len(set(sums)) >= _ENOUGH and not any(texts):
        if cache:
            cache.forget(recogniser.identity, PAIR, sums)
        raise SystemFailure(
            f"{recogniser.identity} heard nothing in any of the {len(set(sums))} recordings; "
            "check its model, its language and one of the recordings"
        )
    return texts


def examined(clips: Iterable[Clip], unheard: Iterable[str]) -> list[str]:
    """Refuse recordings that are not those of the manifest or unfit to be heard; the warnings about the rest.

    One that was heard before, as its checksum tells, may be missing, but not changed.
    """
    due, warnings = set(unheard), []
    for clip in clips:
        if clip.sha256 in due or clip.path.exists():
            manifest.verify(clip)
        if clip.sha256 in due:
            due.remove(clip.sha256)
            warnings += audio.check(clip.path, audio.inspect(clip.path))
    return warnings


def unheard(recogniser: Recogniser, clips: Sequence[Clip], cache: Cache | None) -> list[str]:
    """The checksums of recordings that a recogniser has not written down yet."""
    return local.missing(_Listener(recogniser, clips, Pace()), [clip.sha256 for clip in clips], PAIR, cache)


def sorted_out(
    clips: Iterable[Clip], unheard: Iterable[str], longest: float | None = None
) -> tuple[list[str], dict[Path, str]]:
    """The warnings about recordings, and by path why some cannot be heard: as ``examined``, without an end."""
    warnings: list[str] = []
    unfit: dict[Path, str] = {}
    due = set(unheard)
    for clip in clips:
        try:
            warnings += examined([clip], due & {clip.sha256})
        except InputError as error:
            unfit[clip.path] = str(error)
            continue
        if longest is not None and clip.sha256 in due and clip.seconds > longest:
            unfit[clip.path] = too_long(clip.path, clip.seconds, longest)
        else:
            due.discard(clip.sha256)
    return warnings, unfit


def warn(warnings: Sequence[str]) -> None:
    """Tell the log of the first warning, and how many more there are."""
    if warnings:
        more = f"; and {len(warnings) - 1} recordings more" if len(warnings) > 1 else ""
        _log.warning("warning: %s%s", warnings[0], more)


class _Listener:
    """A recogniser as a system whose sources are checksums of recordings."""

    def __init__(self, recogniser: Recogniser, clips: Sequence[Clip], pace: Pace) -> None:
        self._recogniser = recogniser
        self._clips = {clip.sha256: clip for clip in clips}
        self._pace = pace
        self.identity = recogniser.identity
        self.batch_size = recogniser.batch_size

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterator[str]:  # noqa: ARG002
        """What is said, as it arrives; the clock stands still while an answer is being stored."""
        clips = [self._clips[source] for source in sources]
        start = time.perf_counter()
        for number, text in enumerate(self._recogniser.transcribe([clip.path for clip in clips])):
            self._pace.seconds += time.perf_counter() - start
            self._pace.sound += clips[number].seconds if number < len(clips) else 0.0
            self._pace.clips += 1
            yield text
            start = time.perf_counter()
