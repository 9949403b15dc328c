"""Recordings to listen to in a page: a few examples of where errors come from, each small enough to be in the page."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import Any

from epicene.errors import InputError
from epicene.measures.speech import IN_WORDS
from epicene.output.page.series import Series
from epicene.speech import audio, manifest
from epicene.text import clip, cut_pieces, mark_spans, visible
from epicene.types import Attribution, ErrorSource, Gender, Verdict

MOST = 8  # examples in a page
BYTES = 1_000_000  # that all recordings of a page take together
_SECONDS = 15  # of a recording; longer ones are left out
_RATE = 8_000  # telephone sound: enough to hear what is said
_ORDER = (ErrorSource.RECOGNITION, ErrorSource.TRANSLATION, ErrorSource.BOTH, ErrorSource.LUCK, ErrorSource.RIGHT)
SAID = {
    ErrorSource.RECOGNITION: ("wrong", "Error from recognition", "; from the sentence itself it is right"),
    ErrorSource.TRANSLATION: ("wrong", "Error from translation", ""),
    ErrorSource.BOTH: ("wrong", "Error from both", ", and the sentence itself is translated wrong as well"),
    ErrorSource.UNDETECTED: ("undetected", "Gender not detected", ", nobody’s error"),
    ErrorSource.LUCK: ("right", "Correct by chance", ""),
    ErrorSource.RIGHT: ("right", "Right", ""),
}


def examples(series: Sequence[Series]) -> list[dict[str, Any]]:
    """A few recordings of all results, each origin in turn, each small enough for the room that is left."""
    shown, room = list[dict[str, Any]](), BYTES
    spoken = [system for system in series if any(verdict.output.item.audio for verdict in system.result.verdicts[:1])]
    several = len({system.label for system in spoken}) > 1
    for system, verdict in _choose(spoken):
        sound = _encode_sound(verdict)
        if len(sound) > room:
            continue
        room -= len(sound)
        shown.append({**_describe(system, verdict), "sound": sound, "system": visible(system.label) if several else ""})
        if len(shown) == MOST:
            break
    return shown


def _choose(series: Sequence[Series]) -> Iterator[tuple[Series, Verdict]]:
    """Verdicts, one of each origin and result at a time, no sentence twice, from the middle of each result on."""
    queues = [_group_by_origin(system) for system in series]
    seen: set[str] = set()
    for turn in range(MOST):
        for place in range(len(_ORDER)):
            for system, queue in zip(series, queues, strict=True):
                new = (verdict for verdict in queue[place] if verdict.output.item.labels["sentence"] not in seen)
                if turn < len(queue[place]) and (verdict := next(new, None)):
                    seen.add(verdict.output.item.labels["sentence"])
                    yield system, verdict


def _group_by_origin(system: Series) -> list[list[Verdict]]:
    verdicts = system.result.verdicts
    middle = len(verdicts) // 2
    short = [
        verdict
        for verdict in (*verdicts[middle:], *verdicts[:middle])
        if float(verdict.output.item.labels.get("seconds", "inf")) <= _SECONDS
    ]
    return [[verdict for verdict in short if _find_origin(verdict) is origin] for origin in _ORDER]


def _find_origin(verdict: Verdict) -> ErrorSource:
    if isinstance(verdict.cause, Attribution):
        return verdict.cause.origin
    if verdict.gender is Gender.UNKNOWN:
        return ErrorSource.UNDETECTED
    return ErrorSource.RIGHT if verdict.gender is verdict.output.item.expected else ErrorSource.TRANSLATION


def _encode_sound(verdict: Verdict) -> str:
    """The recording in base64, if it is still the one that was heard."""
    item = verdict.output.item
    try:
        if item.audio is None or manifest.checksum(item.audio) != item.labels.get("sha256"):
            return ""
        return base64.b64encode(audio.encode(audio.load(item.audio, _RATE), _RATE)).decode("ascii")
    except InputError:
        return ""


def _describe(system: Series, verdict: Verdict) -> dict[str, Any]:
    """All that came of a recording, as the template shows it."""
    item, heard = verdict.output.item, verdict.output.heard
    text, _ = clip(verdict.output.text)
    outcome, title, reason = SAID[_find_origin(verdict)]
    if verdict.cause:
        reason = IN_WORDS[verdict.cause.cue] + reason
    elif outcome == "wrong":
        title, reason = "Wrong", "by a system that writes nothing down"
    return {
        "id": f"{visible(system.result.set)} {visible(item.id)}",
        "source": cut_pieces(clip(item.source)[0], [(item.person.start, item.person.end)]),
        "voice": visible(item.labels["voice"]),
        "speaker": visible(item.labels["speaker"]),
        "transcript": clip(heard.transcript)[0] if heard else None,
        "target": verdict.output.target,
        "text": cut_pieces(text, mark_spans(verdict.evidence)),
        "reference": clip(heard.reference)[0] if heard else None,  # the translation of the sentence itself
        "outcome": outcome,
        "title": title,
        "reason": reason,
    }
