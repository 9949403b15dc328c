"""``passage``: the gender of the one person of a passage; in English by all pronouns, then by nouns such as "aunt".

A pronoun of the other gender speaks against the verdict; where as many speak for one as for the other, nothing is read.
Into other languages it is ``reading``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from epicene.detectors import DetectorFactory
from epicene.detectors.epicene import reading
from epicene.languages.english import kind_of
from epicene.tables import table
from epicene.types import Detector, Evidence, Gender, Kind, Output, Verdict

_VERSION = 1  # of the rules
_WORD = re.compile(r"[^\W\d_]+")
_TOLD = (Gender.FEMININE, Gender.MASCULINE)
_NEUTRAL = frozenset(("they", "them", "their", "theirs", "themself", "themselves"))


@cache
def _genders() -> dict[str, Gender]:
    return {row["word"]: Gender(row["gender"]) for row in table("winost", "cues.tsv")}


class EnglishPassage:
    """Reads whole English passages."""

    identity = f"passage{_VERSION}"
    together: int | None = 1

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(_read, outputs)


def _read(output: Output) -> Verdict:
    words = [Evidence(match[0], match.start(), match.end()) for match in _WORD.finditer(output.text)]
    for step, kind in (("pronouns", Kind.PRONOUN), ("nouns", Kind.NOUN)):
        found = {gender: _of(words, gender, kind) for gender in _TOLD}
        first, second = sorted(_TOLD, key=lambda gender: len(found[gender]), reverse=True)
        if len(found[first]) > len(found[second]):
            return Verdict(output, first, step, found[first], against=found[second])
        if found[first]:
            return Verdict(output, Gender.UNKNOWN, "mixed", found[first], against=found[second])
        if step == "pronouns" and (plain := tuple(each for each in words if each.text.lower() in _NEUTRAL)):
            neutral = Verdict(output, Gender.NEUTRAL, "they", plain)
            nouns = {gender: _of(words, gender, Kind.NOUN) for gender in _TOLD}
            if not any(nouns.values()):
                return neutral
    return Verdict(output, Gender.UNKNOWN, "none")


def _of(words: list[Evidence], gender: Gender, kind: Kind) -> tuple[Evidence, ...]:
    return tuple(each for each in words if _genders().get(each.text.lower()) is gender and kind_of(each.text) is kind)


def build(target: str) -> Detector:
    """The reader of a language."""
    return EnglishPassage() if target == "en" else reading.build(target)


DETECTOR = DetectorFactory(build)
