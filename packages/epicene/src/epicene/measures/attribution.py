"""Where a cascade's wrong verdicts come from: recognition, translation, or both.

Two questions decide. Is the cue in the transcript: a word that tells the expected gender, and the person it is about?
And is the gender right when the same translator is given the sentence that was really said? The table is in
docs/speech.md.
"""

from __future__ import annotations

from epicene.measures.recognition import compared
from epicene.types import Cause, Gender, Hearing, Item, Origin

# What became of the cue, as examples say it.
IN_WORDS = {
    Hearing.KEPT: "the cue was there",
    Hearing.CHANGED: "the cue was changed",
    Hearing.LOST: "the cue was lost",
    Hearing.NOBODY: "the cue was there, but not the person",
}


def attribute(item: Item, transcript: str, spoken: Gender, written: Gender) -> Cause:
    """Why a cascade's verdict is what it is; ``written`` is read from its translation of the sentence itself."""
    cue = compared(item, transcript).cue
    return Cause(_origin(cue is Hearing.KEPT, spoken, written, item.expected), cue, written)


def _origin(kept: bool, spoken: Gender, written: Gender, expected: Gender | None) -> Origin:
    if spoken is expected:
        return Origin.RIGHT if kept else Origin.LUCK
    if spoken is Gender.UNKNOWN and (kept or written is Gender.UNKNOWN):
        return Origin.UNREAD
    if kept:
        return Origin.TRANSLATION
    return Origin.RECOGNITION if written in (expected, Gender.UNKNOWN) else Origin.BOTH
