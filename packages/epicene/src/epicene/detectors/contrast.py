"""What two references of one sentence, one of a woman and one of a man, say about a translation of it.

Words that stand only in the feminine reference speak for a woman, those only in the masculine one for a man. Where both
stand, the words that are no article or other short word decide, and where these are even nothing is decided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from epicene.normalise import normalised
from epicene.types import Accepted, Evidence, Gender

# Marks of vowels belong to words of Hindi and Arabic, though they are no letters.
_WORD = re.compile(r"[^\W_][\w\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0962\u0963]*")
_SHORT = 3  # letters of articles, pronouns and prepositions, at most
_OTHER = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
Words = frozenset[str]


class Contrast(NamedTuple):
    """The words of a translation that speak for each gender, and what they come to."""

    gender: Gender
    step: str  # contrast, mixed or nothing
    evidence: tuple[Evidence, ...] = ()
    against: tuple[Evidence, ...] = ()

    @property
    def confidence(self) -> float:
        """Certain where nothing speaks against it."""
        said, denied = len(self.evidence), len(self.against)
        return (said + 1) / (said + denied + 1) if self.gender is not Gender.UNKNOWN else 0.0


def read(references: Sequence[Accepted], text: str) -> Contrast:
    """The gender that a translation shares with the references."""
    found = {gender: _spans(only, text) for gender, only in telling(tuple(references)).items()}
    leader = max(found, key=lambda gender: (_long(found[gender]), len(found[gender])))
    other = _OTHER[leader]
    if not found[leader]:
        return Contrast(Gender.UNKNOWN, "nothing")
    if found[other] and _long(found[leader]) == _long(found[other]):
        return Contrast(Gender.UNKNOWN, "mixed", found[Gender.FEMININE], found[Gender.MASCULINE])
    return Contrast(leader, "contrast", found[leader], found[other])


@lru_cache(maxsize=4096)
def telling(references: tuple[Accepted, ...]) -> dict[Gender, Words]:
    """The words that only references of one gender have."""
    found: dict[Gender, set[str]] = {gender: set() for gender in _OTHER}
    for text, gender in references:
        if gender in found:
            found[gender] |= words(text)
    return {gender: frozenset(found[gender] - found[_OTHER[gender]]) for gender in _OTHER}


def words(text: str) -> Words:
    """The words of a text, in small letters."""
    return frozenset(match[0].lower() for match in _WORD.finditer(normalised(text)))


def both_told(references: Sequence[Accepted]) -> bool:
    """Whether there is a reference of each gender, so that they can be contrasted."""
    return {gender for _, gender in references} >= _OTHER.keys()


def _spans(words: Words, text: str) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(match[0], match.start(), match.end()) for match in _WORD.finditer(text) if match[0].lower() in words
    )


def _long(spans: Sequence[Evidence]) -> int:
    return sum(len(each.text) > _SHORT for each in spans)
