"""What two references of one sentence, one of a woman and one of a man, say about a translation of it.

Words that stand only in the feminine reference speak for a woman, those only in the masculine one for a man. Where both
stand, the words that are no article or other short word decide, and where these are even nothing is decided.

The detector ``contrast`` lets the references decide where they can, since people made them for this sentence; the
reader of the language, where there is one, decides the rest. Where the two disagree, the words that the other one read
stand in ``against``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import tee
from typing import NamedTuple

from epicene.errors import InputError
from epicene.reader import DetectorFactory
from epicene.reader.reader import build
from epicene.text import normalised
from epicene.types import Accepted, Detector, Evidence, Gender, Output, Verdict

# Marks of vowels belong to words of Hindi and Arabic, though they are no letters.
_WORD = re.compile(r"[^\W_][\w\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0962\u0963]*")
_SHORT = 3  # letters of articles, pronouns and prepositions, at most
_OTHER = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
_VERSION = 1  # of the rules of the detector
_UNSURE = 0.5  # of a verdict that the other way of reading contradicts
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


class Contrasting:
    """Contrasts references and asks the reader of the language, if it has one."""

    def __init__(self, target: str) -> None:
        self._reader = _reader(target)
        self.identity = f"contrast{_VERSION}" + (f"+{self._reader.identity}" if self._reader else "")

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        if self._reader is None:
            for output in outputs:
                yield _alone(output)
            return
        first, second = tee(outputs)
        for output, verdict in zip(first, self._reader.detect(second), strict=True):
            yield _both(output, verdict)


def _reader(target: str) -> Detector | None:
    try:
        return build(target)
    except InputError:  # a language that has references but no reader
        return None


def _contrast(output: Output) -> Contrast:
    if not output.item.references:
        return Contrast(Gender.UNKNOWN, "nothing")
    if not both_told(output.item.references):
        item = output.item
        raise InputError(f"sentence {item.id} has no reference of each gender; detector contrast needs both")
    return read(output.item.references, output.text)


def _alone(output: Output) -> Verdict:
    found = _contrast(output)
    sure = None if found.gender is Gender.UNKNOWN else found.confidence
    return Verdict(output, found.gender, found.step, found.evidence, confidence=sure, against=found.against)


def _both(output: Output, verdict: Verdict) -> Verdict:
    """The contrast where it tells, else what was read; a disagreement is kept as words against the verdict."""
    found = _alone(output)
    told = verdict.gender in _OTHER and not verdict.on_other_word
    if found.gender is Gender.UNKNOWN:
        if found.step == "nothing" and verdict.gender is not Gender.UNKNOWN and not verdict.on_other_word:
            return verdict._replace(step=f"reading: {verdict.step}")
        return found
    if told and verdict.gender is not found.gender:
        against = tuple(dict.fromkeys((*found.against, *verdict.evidence)))
        return found._replace(against=against, confidence=_UNSURE, step="contrast, not reading")
    return found._replace(step="contrast and reading") if told else found


CONTRAST = DetectorFactory(Contrasting)
