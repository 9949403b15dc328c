"""Recordings to listen to in a page: a few examples of where errors come from, each small enough to be in the page."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from epicene.errors import InputError
from epicene.languages.codes import name
from epicene.measures.speech import IN_WORDS
from epicene.output.page.series import Series
from epicene.speech import audio, manifest
from epicene.text import clip, cut_pieces, mark_spans, visible
from epicene.types import Cause, Gender, Origin, Verdict

MOST = 8  # examples in a page
BYTES = 1_000_000  # that all recordings of a page take together
_SECONDS = 15  # of a recording; longer ones are left out
_RATE = 8_000  # telephone sound: enough to hear what is said
_ORDER = (Origin.RECOGNITION, Origin.TRANSLATION, Origin.BOTH, Origin.LUCK, Origin.RIGHT)
SAID = {
    Origin.RECOGNITION: ("wrong", "Error from recognition", "; from the sentence itself it is right"),
    Origin.TRANSLATION: ("wrong", "Error from translation", ""),
    Origin.BOTH: ("wrong", "Error from both", ", and the sentence itself is translated wrong as well"),
    Origin.UNREAD: ("undetected", "Gender not detected", ", nobody’s error"),
    Origin.LUCK: ("right", "Correct by chance", ""),
    Origin.RIGHT: ("right", "Right", ""),
}


@dataclass(frozen=True, slots=True)
class Example:
    """A recording with all that came of it."""

    id: str
    system: str  # nothing where the page has one alone
    source: list[tuple[str, bool]]
    voice: str
    speaker: str
    sound: str  # a WAV file in base64; nothing where the recording is not there any more
    transcript: str | None
    target: str
    language: str
    text: list[tuple[str, bool]]
    reference: str | None  # the translation of the sentence itself
    outcome: str
    title: str
    reason: str


def examples(series: Sequence[Series]) -> list[Example]:
    """A few recordings of all results, each origin in turn."""
    found, room = [], BYTES
    spoken = [each for each in series if _spoken(each)]
    several = len({each.label for each in spoken}) > 1
    for each, verdict in _chosen(spoken):
        sound = _sound(verdict)
        if len(sound) > room:
            continue
        room -= len(sound)
        found.append(_example(each, verdict, sound, visible(each.label) if several else ""))
        if len(found) == MOST:
            break
    return found


def _spoken(each: Series) -> bool:
    return any(verdict.output.item.audio for verdict in each.result.verdicts[:1])


def _chosen(series: Sequence[Series]) -> Iterator[tuple[Series, Verdict]]:
    """Verdicts, one of each origin and result at a time, no sentence twice, from the middle of each result on."""
    queues = [_by_origin(each) for each in series]
    seen: set[str] = set()
    for turn in range(MOST):
        for place in range(len(_ORDER)):
            for each, queue in zip(series, queues, strict=True):
                new = (verdict for verdict in queue[place] if verdict.output.item.labels["sentence"] not in seen)
                if turn < len(queue[place]) and (verdict := next(new, None)):
                    seen.add(verdict.output.item.labels["sentence"])
                    yield each, verdict


def _by_origin(each: Series) -> list[list[Verdict]]:
    own = [verdict for verdict in each.result.verdicts if _short(verdict)]
    own = own[len(own) // 2 :] + own[: len(own) // 2]
    return [[verdict for verdict in own if _origin(verdict) is origin] for origin in _ORDER]


def _short(verdict: Verdict) -> bool:
    return float(verdict.output.item.labels.get("seconds", "inf")) <= _SECONDS


def _origin(verdict: Verdict) -> Origin:
    if isinstance(verdict.cause, Cause):
        return verdict.cause.origin
    if verdict.gender is Gender.UNKNOWN:
        return Origin.UNREAD
    return Origin.RIGHT if verdict.gender is verdict.output.item.expected else Origin.TRANSLATION


def _sound(verdict: Verdict) -> str:
    """The recording in base64, if it is still the one that was heard."""
    item = verdict.output.item
    try:
        if item.audio is None or manifest.checksum(item.audio) != item.labels.get("sha256"):
            return ""
        return base64.b64encode(audio.encode(audio.load(item.audio, _RATE), _RATE)).decode("ascii")
    except InputError:
        return ""


def _example(each: Series, verdict: Verdict, sound: str, system: str) -> Example:
    item, heard = verdict.output.item, verdict.output.heard
    source, _ = clip(item.source)
    text, _ = clip(verdict.output.text)
    outcome, title, reason = SAID[_origin(verdict)]
    if verdict.cause:
        reason = IN_WORDS[verdict.cause.cue] + reason
    elif outcome == "wrong":
        title, reason = "Wrong", "by a system that writes nothing down"
    return Example(
        f"{visible(each.result.set)} {visible(item.id)}",
        system,
        cut_pieces(source, [(item.person.start, item.person.start + len(item.person.text))]),
        visible(item.labels["voice"]),
        visible(item.labels["speaker"]),
        sound,
        clip(heard.transcript)[0] if heard else None,
        verdict.output.target,
        name(verdict.output.target),
        cut_pieces(text, mark_spans(verdict.evidence)),
        clip(heard.reference)[0] if heard else None,
        outcome,
        title,
        reason,
    )
