"""Recordings → transcripts and translations: by a recogniser and a translator, or by a system that hears itself."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from epicene.errors import InputError, SystemFailure
from epicene.flow import ask, plan
from epicene.flow.ask import Progress, Timed
from epicene.flow.translate import Asker, open_cache
from epicene.measures.speech import attribute, recognition, speaker_gaps, utterance
from epicene.result import Decoding, Result
from epicene.sets import TestSet
from epicene.speech import audio, manifest, recognisers
from epicene.speech.direct import too_long
from epicene.speech.manifest import Clip
from epicene.speech.recordings import clip_of
from epicene.store.cache import Cache
from epicene.store.hypotheses import Hypotheses
from epicene.types import (
    Cascade,
    Heard,
    Item,
    LimitedSpeechSystem,
    Output,
    Pair,
    Recogniser,
    SpeechSystem,
    Verdict,
)
from epicene.version import __version__

_log = logging.getLogger(__name__)
# Transcripts lie beside the translations: as if a recording's checksum were translated from speech.
PAIR = Pair("speech", "en")
# A recogniser that hears nothing at all in this many recordings is broken.
_ENOUGH = 3
_PREFIX = "sha256:"
Detect = Callable[[Iterable[Output]], Iterator[Verdict]]
PROTOCOL = "recognition"


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
    progress: ask.Progress | None = None,
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
        kept.warnings += examined(clips, ask.missing(listener, sums, PAIR, cache))
    texts = [" ".join(text.split()) for text in ask.translate(listener, sums, PAIR, cache, progress)]
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
    return ask.missing(_Listener(recogniser, clips, Pace()), [clip.sha256 for clip in clips], PAIR, cache)


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


def outputs(
    system: Cascade | SpeechSystem, items: Sequence[Item], pair: Pair, by: Asker
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


def _unfit(system: Cascade | SpeechSystem, clips: Sequence[Clip], pair: Pair, by: Asker) -> dict[Path, str]:
    """Why recordings cannot be heard, by their paths, each told in a line; refused where that is all of them."""
    if isinstance(system, Cascade):
        if system.recogniser is None:
            return {}
        due = unheard(system.recogniser, clips, by.cache)
    else:
        keys = ask.missing(_ByChecksum(system, {}), [_PREFIX + clip.sha256 for clip in clips], pair, by.cache)
        due = [key.removeprefix(_PREFIX) for key in keys]
    longest = system.longest if isinstance(system, LimitedSpeechSystem) else None
    warnings, unfit = sorted_out(clips, due, longest)
    if unfit and all(clip.path in unfit for clip in clips):
        raise InputError(f"none of the {len(unfit)} recordings can be heard: {next(iter(unfit.values()))}")
    warn(warnings)
    for reason in unfit.values():
        _log.warning("not heard: %s", reason)
    return unfit


def _cascaded(cascade: Cascade, clips: Sequence[Clip], pair: Pair, by: Asker) -> list[tuple[str, Heard | None]]:
    """Each recording's translation, what was heard, and the translation of what was said."""
    said = [clip.text for clip in clips]
    heard = transcribe(cascade.recogniser, clips, by.cache, by.progress, examine=False) if cascade.recogniser else said
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


def score_recognition(
    set_name: str, langs: str, recogniser: str, cached: bool = True, progress: Progress | None = None
) -> Result:
    """Score a recogniser's transcripts of a spoken set: words, occupations and pronouns."""
    challenge, items = _open_spoken(set_name, langs)
    listener = recognisers.load(recogniser)
    with open_cache(cached) as cache:
        texts = transcribe(listener, [clip_of(item) for item in items], cache, progress)
    return _result(challenge, items, texts, listener.identity)


def score_transcripts(set_name: str, langs: str, transcripts: str | Path | Iterable[str]) -> Result:
    """Score transcripts of a spoken set, one per line in the order of its recordings."""
    challenge, items = _open_spoken(set_name, langs)
    lines = Hypotheses(transcripts)
    texts = [text for _, text in lines.paired(items, "en")]
    return _result(challenge, items, texts, lines.name)


def score_read_aloud(challenge: TestSet, items: Sequence[Item], texts: Sequence[str], system: str) -> Result:
    """Measure transcripts of a text set that one woman read aloud, such as the published WinoST."""
    spoken = {"voice": "winost", "speaker": "female"}
    read = [replace(item, labels={**item.labels, **spoken, "sentence": item.id}) for item in items]
    return _result(challenge, read, texts, system)


def _open_spoken(set_name: str, langs: str) -> tuple[TestSet, list[Item]]:
    challenge = plan.open_set(set_name)
    items = list(challenge.items(plan.open_pair(langs, challenge)))
    if any(item.audio is None for item in items):
        raise InputError(f"set {challenge.name} is text; name recordings of it, as in -t spoken:{set_name}@DIR")
    return challenge, items


def _result(challenge: TestSet, items: Sequence[Item], texts: Sequence[str], system: str) -> Result:
    heard = [utterance(item, text) for item, text in zip(items, texts, strict=True)]
    return Result(
        set=challenge.name,
        langs=challenge.about.sources[0],
        system=system,
        protocol=PROTOCOL,
        signature=f"{challenge.name}|set:{challenge.version()}|protocol:{PROTOCOL}|v:{__version__}",
        n=len(items),
        genders={},
        empty=sum(not text.strip() for text in texts),
        measures=(*recognition(heard), *speaker_gaps(heard)),
        spoken=True,
    )
