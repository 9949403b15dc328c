"""What became of a sentence when it was written down: its words, the person it is about, the words for the gender."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from epicene.errors import MissingExtraError
from epicene.languages.english import joined
from epicene.tables import table
from epicene.types import Gender, Hearing, Item

if TYPE_CHECKING:
    from jiwer import AlignmentChunk

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


class Transcript(NamedTuple):
    """A sentence beside what was written down of it."""

    errors: int  # words substituted, deleted and inserted
    words: int  # of the sentence
    spelt: bool  # the words for the person stand there as they were said
    pronoun: Hearing | None  # kept, changed or lost: the words that tell the gender; None where none was said

    @property
    def cue(self) -> Hearing:
        """Whether one can still tell the person's gender."""
        told = self.pronoun or Hearing.KEPT
        return Hearing.NOBODY if told is Hearing.KEPT and not self.spelt else told


def words(text: str) -> list[str]:
    """The words as word error rates compare them: lower case, no punctuation, hyphens as blanks, genitives joined."""
    return _WORD.findall(joined(unicodedata.normalize("NFKC", text).replace("’", "'").lower()))


def compared(item: Item, transcript: str) -> Transcript:
    """A sentence and what was written down of it."""
    said, heard = words(item.source), words(transcript)
    chunks = _aligned(said, heard)
    errors = sum(
        max(chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx)
        for chunk in chunks
        if chunk.type != "equal"
    )
    return Transcript(errors, len(said), _named(item.person.text, heard), _pronoun(item.expected, said, heard, chunks))


def _aligned(said: Sequence[str], heard: Sequence[str]) -> list[AlignmentChunk]:
    try:
        import jiwer
    except ImportError:
        raise MissingExtraError("comparing transcripts with what was said", "speech") from None
    if not said:
        return []
    found: list[AlignmentChunk] = jiwer.process_words(" ".join(said), " ".join(heard)).alignments[0]
    return found


def _named(person: str, heard: Sequence[str]) -> bool:
    """Whether the words for a person stand in a transcript; where it cuts compounds does not matter.

    Nor does it matter whether something is said to be theirs: "the nurse's" names the nurse.
    """
    wanted = _run_together(words(person))
    for start in range(len(heard)):
        for end in range(start + 1, len(heard) + 1):
            found = _run_together(heard[start:end])
            if wanted in (found, _run_together([*heard[start : end - 1], heard[end - 1].removesuffix("'s")])):
                return True
            if len(found) > len(wanted) + 1:
                break
    return False


def _run_together(parts: Sequence[str]) -> str:
    return "".join(parts).replace("'", "")


@cache
def _genders() -> dict[str, Gender]:
    return {row["word"]: Gender(row["gender"]) for row in table("speech/tables", "cues.tsv")}


def gender_of(word: str) -> Gender | None:
    """The gender that an English word tells, "she's" as "she"."""
    return _genders().get(word.partition("'")[0])


def _pronoun(
    expected: Gender | None, said: Sequence[str], heard: Sequence[str], chunks: Sequence[AlignmentChunk]
) -> Hearing | None:
    """What the words of the expected gender have become: each is looked up where it stood, then elsewhere."""
    became = _became(chunks)
    cues = [place for place, word in enumerate(said) if gender_of(word) is expected and expected is not None]
    if not cues:
        return None
    now = [gender_of(heard[became[place]]) if place in became else None for place in cues]
    if any(gender not in (expected, None) for gender in now):
        return Hearing.CHANGED
    if expected in now:
        return Hearing.KEPT
    taken = {became[place] for place in became if gender_of(said[place]) is gender_of(heard[became[place]])}
    # Not where it stood; it may stand elsewhere. "They" is often a misheard "the", so it says nothing here.
    new = {gender_of(word) for place, word in enumerate(heard) if place not in taken} - {None, Gender.NEUTRAL}
    return Hearing.KEPT if new == {expected} else Hearing.LOST


def _became(chunks: Sequence[AlignmentChunk]) -> dict[int, int]:
    """Places of the sentence and of the transcript that stand opposite each other."""
    found: dict[int, int] = {}
    for chunk in chunks:
        if chunk.type in ("equal", "substitute"):
            said = range(chunk.ref_start_idx, chunk.ref_end_idx)
            found |= dict(zip(said, range(chunk.hyp_start_idx, chunk.hyp_end_idx), strict=True))
    return found
