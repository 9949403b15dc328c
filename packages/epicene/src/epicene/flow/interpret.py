"""Translates recordings: by a recogniser and a translator, or by a system that hears them itself.

A recording is known by its checksum, so that moving a folder costs nothing and another recording under an old name is
heard anew.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from epicene.errors import InputError
from epicene.flow import ask as local
from epicene.flow import listening as speech
from epicene.flow.clock import Timed
from epicene.flow.translate import Means
from epicene.measures.attribution import attribute
from epicene.result import Decoding
from epicene.speech import manifest
from epicene.speech.manifest import Clip
from epicene.speech.recorded import clip_of
from epicene.types import Cascade, Heard, Item, LimitedSpeechSystem, Output, Pair, SpeechSystem, Verdict

_PREFIX = "sha256:"
_log = logging.getLogger(__name__)
Detect = Callable[[Iterable[Output]], Iterator[Verdict]]


def outputs(
    system: Cascade | SpeechSystem, items: Sequence[Item], pair: Pair, by: Means
) -> tuple[list[Output], Decoding | None]:
    """What a system makes of recordings, and how long one that hears itself took for those heard now.

    A recording that cannot be heard is told of and refused, with the reason; the others are heard all the same.
    """
    clips = [clip_of(item) for item in items]
    unfit = _unfit(system, clips, pair, by)
    fit = [clip for clip in clips if clip.path not in unfit]
    decoding = None
    if isinstance(system, Cascade):
        answers = iter(_cascaded(system, fit, pair, by))
    else:
        keys = [_PREFIX + clip.sha256 for clip in fit]
        timed = Timed(_ByChecksum(system, dict(zip(keys, fit, strict=True))))
        answers = iter([(text, None) for text in by.translate(timed, keys, pair)])
        decoding = timed.decoding
    found = []
    for item, clip in zip(items, clips, strict=True):
        text, heard = ("", None) if clip.path in unfit else next(answers)
        found.append(Output(item, system.identity, pair.target, text, heard, unfit.get(clip.path, "")))
    return found, decoding


def _unfit(system: Cascade | SpeechSystem, clips: Sequence[Clip], pair: Pair, by: Means) -> dict[Path, str]:
    """Why recordings cannot be heard, by their paths, each told in a line; refused where that is all of them."""
    if isinstance(system, Cascade):
        if system.recogniser is None:
            return {}
        unheard = speech.unheard(system.recogniser, clips, by.cache)
    else:
        keys = local.missing(_ByChecksum(system, {}), [_PREFIX + clip.sha256 for clip in clips], pair, by.cache)
        unheard = [key.removeprefix(_PREFIX) for key in keys]
    longest = system.longest if isinstance(system, LimitedSpeechSystem) else None
    warnings, unfit = speech.sorted_out(clips, unheard, longest)
    if unfit and all(clip.path in unfit for clip in clips):
        raise InputError(f"none of the {len(unfit)} recordings can be heard: {next(iter(unfit.values()))}")
    speech.warn(warnings)
    for reason in unfit.values():
        _log.warning("not heard: %s", reason)
    return unfit


def _cascaded(cascade: Cascade, clips: Sequence[Clip], pair: Pair, by: Means) -> list[tuple[str, Heard | None]]:
    """Each recording's translation, what was heard, and the translation of what was said."""
    said = [clip.text for clip in clips]
    heard = (
        speech.transcribe(cascade.recogniser, clips, by.cache, by.progress, examine=False)
        if cascade.recogniser
        else said
    )
    texts = by.translate(cascade.translator, [*heard, *said], pair)
    triples = zip(texts[: len(clips)], heard, texts[len(clips) :], strict=True)
    return [(text, Heard(transcript, reference)) for text, transcript, reference in triples]


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


def attributed(detect: Detect, found: Sequence[Output]) -> Iterator[Verdict]:
    """Verdicts on a cascade, which say where errors come from, by what is read from the sentence itself."""
    written = detect(replace(output, text=output.heard.reference if output.heard else "") for output in found)
    for verdict, other in zip(detect(found), written, strict=True):
        heard, item = verdict.output.heard, verdict.output.item
        cause = attribute(item, heard.transcript, verdict.gender, other.gender) if heard and item.expected else None
        yield verdict._replace(cause=cause)
