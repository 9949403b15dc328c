"""Recordings → transcripts and translations: by a recogniser and a translator, or by a system that hears itself."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from epicene.errors import InputError, SystemFailure
from epicene.flow import ask, plan
from epicene.flow.ask import Progress
from epicene.flow.translate import Asker, open_cache
from epicene.measures.speech import attribute, recognition, speaker_gaps, utterance
from epicene.result import Decoding, Result
from epicene.sets import TestSet
from epicene.speech import audio, manifest, recognisers
from epicene.speech.direct import check_length
from epicene.speech.manifest import Clip
from epicene.speech.recordings import clip_of
from epicene.store.cache import Cache
from epicene.store.hypotheses import TranslationLines
from epicene.types import (
    Cascade,
    Item,
    LimitedSpeechSystem,
    Output,
    Pair,
    Recogniser,
    SpeechSystem,
    Transcription,
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
    """How long something took to hear how much sound, apart from what was stored before."""

    sound: float = 0.0
    seconds: float = 0.0
    clips: int = 0

    @property
    def factor(self) -> float | None:
        """The real-time factor: seconds of work for a second of sound."""
        return self.seconds / self.sound if self.sound else None


class _Listener:
    """A recogniser, or a system for speech, as the engine for text knows systems: it is asked for checksums."""

    def __init__(
        self, hears: Recogniser | SpeechSystem, clips: Sequence[Clip], pair: Pair = PAIR, pace: Pace | None = None
    ) -> None:
        self._hears, self.clips, self.pair, self.pace = hears, clips, pair, pace or Pace()
        self.identity, self.batch_size = hears.identity, hears.batch_size
        prefix = _PREFIX if isinstance(hears, SpeechSystem) else ""
        self.keys = [prefix + clip.sha256 for clip in clips]
        self._by_key = dict(zip(self.keys, clips, strict=True))

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterator[str]:
        """What becomes of recordings, which must be those of the manifest; the clock stands while it is stored."""
        clips = [self._by_key[source] for source in sources]
        for clip in clips:
            manifest.verify(clip)
        paths = [clip.path for clip in clips]
        hears = self._hears
        start = time.perf_counter()
        texts = hears.interpret(paths, pair) if isinstance(hears, SpeechSystem) else hears.transcribe(paths)
        for number, text in enumerate(texts):
            self.pace.seconds += time.perf_counter() - start
            self.pace.sound += clips[number].seconds if number < len(clips) else 0.0
            self.pace.clips += 1
            yield text
            start = time.perf_counter()

    def find_unfit(self, cache: Cache | None) -> dict[Path, str]:
        """Why recordings cannot be heard, by their paths; what is wrong with others is logged.

        One that was heard before, as its checksum tells, may be missing, but not changed.
        """
        longest = self._hears.longest if isinstance(self._hears, LimitedSpeechSystem) else math.inf
        due, warnings, unfit = set(ask.find_missing(self, self.keys, self.pair, cache)), list[str](), dict[Path, str]()
        for key, clip in zip(self.keys, self.clips, strict=True):
            try:
                if key in due or clip.path.exists():
                    manifest.verify(clip)
                if key in due:
                    warnings += audio.check(clip.path, audio.inspect(clip.path))
                    check_length(clip.path, clip.seconds, longest)
                    due.discard(key)
            except InputError as error:
                unfit[clip.path] = str(error)
        if warnings:
            more = f"; and {len(warnings) - 1} recordings more" if len(warnings) > 1 else ""
            _log.warning("warning: %s%s", warnings[0], more)
        return unfit

    def write_down(self, cache: Cache | None, progress: Progress | None) -> list[str]:
        """What is said in each recording; a recogniser that hears nothing at all is refused."""
        texts = [" ".join(text.split()) for text in ask.translate(self, self.keys, self.pair, cache, progress)]
        count = len(self._by_key)
        if count >= _ENOUGH and not any(texts):
            if cache:
                cache.forget(self.identity, self.pair, self.keys)
            raise SystemFailure(
                f"{self.identity} heard nothing in any of the {count} recordings; "
                "check its model, its language and one of the recordings"
            )
        return texts


def transcribe(
    recogniser: Recogniser,
    clips: Sequence[Clip],
    cache: Cache | None = None,
    progress: Progress | None = None,
    pace: Pace | None = None,
) -> list[str]:
    """What is said in each recording; one that is missing, changed or unfit is refused before any is heard."""
    ear = _Listener(recogniser, clips, pace=pace)
    for reason in ear.find_unfit(cache).values():
        raise InputError(reason)
    return ear.write_down(cache, progress)


def outputs(
    system: Cascade | SpeechSystem, items: Sequence[Item], pair: Pair, asker: Asker
) -> tuple[list[Output], Decoding | None]:
    """What a system makes of recordings, and how long one that hears itself took for those heard now.

    A recording that cannot be heard is reported and refused; the others are heard all the same.
    """
    clips = [clip_of(item) for item in items]
    hears = system.recogniser if isinstance(system, Cascade) else system
    unfit = (
        _Listener(hears, clips, PAIR if isinstance(system, Cascade) else pair).find_unfit(asker.cache) if hears else {}
    )
    if unfit and all(clip.path in unfit for clip in clips):
        raise InputError(f"none of the {len(unfit)} recordings can be heard: {next(iter(unfit.values()))}")
    for reason in unfit.values():
        _log.warning("not heard: %s", reason)
    fit = [clip for clip in clips if clip.path not in unfit]
    decoding = None
    if isinstance(system, Cascade):
        answers = iter(_cascade(system, fit, pair, asker))
    else:
        ear = _Listener(system, fit, pair)
        answers = iter([(text, None) for text in asker.translate(ear, ear.keys, pair)])
        decoding = Decoding(ear.pace.clips, round(ear.pace.seconds, 3)) if ear.pace.clips else None
    made = []
    for item, clip in zip(items, clips, strict=True):
        text, heard = ("", None) if clip.path in unfit else next(answers)
        made.append(Output(item, system.identity, pair.target, text, heard, unfit.get(clip.path, "")))
    return made, decoding


def _cascade(
    cascade: Cascade, clips: Sequence[Clip], pair: Pair, asker: Asker
) -> list[tuple[str, Transcription | None]]:
    """Each recording's translation, what was heard, and the translation of what was said."""
    transcripts = sentences = [clip.text for clip in clips]
    if cascade.recogniser:
        transcripts = _Listener(cascade.recogniser, clips).write_down(asker.cache, asker.progress)
    texts = asker.translate(cascade.translator, [*transcripts, *sentences], pair)
    heard = map(Transcription, transcripts, texts[len(clips) :])
    return list(zip(texts[: len(clips)], heard, strict=True))


def attribute_errors(detect: Detect, made: Sequence[Output]) -> Iterator[Verdict]:
    """Verdicts on a cascade, which say where errors come from, by what is read from the sentence itself."""
    written = detect(replace(output, text=output.heard.reference if output.heard else "") for output in made)
    for verdict, other in zip(detect(made), written, strict=True):
        heard, item = verdict.output.heard, verdict.output.item
        cause = attribute(item, heard.transcript, verdict.gender, other.gender) if heard and item.expected else None
        yield verdict._replace(cause=cause)


def score_recognition(
    set_name: str,
    langs: str,
    heard: str | Path | Iterable[str],
    cached: bool = True,
    progress: Progress | None = None,
) -> Result:
    """Score speech recognition on a spoken set: words, occupations and pronouns.

    ``heard`` is the name of a recogniser, or transcripts as a ``Path`` or lines, in the order of the recordings.
    """
    challenge = plan.open_set(set_name)
    items = list(challenge.items(plan.open_pair(langs, challenge)))
    if any(item.audio is None for item in items):
        raise InputError(f"set {challenge.name} is text; name recordings of it, as in -t spoken:{set_name}@DIR")
    if not isinstance(heard, str):
        transcripts = TranslationLines(heard)
        return _result(challenge, items, [text for _, text in transcripts.pair_with(items, "en")], transcripts.name)
    recogniser = recognisers.load(heard)
    with open_cache(cached) as cache:
        texts = transcribe(recogniser, [clip_of(item) for item in items], cache, progress)
    return _result(challenge, items, texts, recogniser.identity)


def score_read_aloud(challenge: TestSet, items: Sequence[Item], texts: Sequence[str], system: str) -> Result:
    """Measure transcripts of a text set that one woman read aloud, such as the published WinoST."""
    spoken = {"voice": "winost", "speaker": "female"}
    read = [replace(item, labels={**item.labels, **spoken, "sentence": item.id}) for item in items]
    return _result(challenge, read, texts, system)


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
