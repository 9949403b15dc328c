"""``passage``: the gender of the one person of a passage; in English by nouns such as "aunt" and by pronouns.

A noun that names the person (she is my aunt, the girl) counts twice, a pronoun once, and most say what the gender is;
what speaks for the other one stands against the verdict. His mother, or a son whom somebody had, is somebody else.
Where nothing shows a gender, they, it and words for people are neutral. Into other languages it is ``reading``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from epicene.reader import reader as reading
from epicene.reader.people import names_person
from epicene.tables import table
from epicene.types import Detector, Evidence, Gender, Output, Verdict

_VERSION = 2  # of the rules
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TOLD = (Gender.FEMININE, Gender.MASCULINE)
_PRONOUNS = {
    **dict.fromkeys(("she", "her", "hers", "herself"), Gender.FEMININE),
    **dict.fromkeys(("he", "him", "his", "himself"), Gender.MASCULINE),
}
_NEUTRAL = {
    "they": frozenset(("they", "them", "their", "theirs", "themself", "themselves")),
    "it": frozenset(("it", "its", "itself")),
}
_BE = frozenset(("am", "is", "are", "was", "were", "be", "been", "being", "become", "became", "m", "re", "as"))
_HAVE = frozenset(("have", "has", "had", "having", "with", "and"))
_MINE = frozenset(("my", "our", "your", "this"))
_OTHERS = frozenset(("his", "her", "their", "its"))  # before a noun: it names somebody else
_PHRASE = 4  # words of a noun phrase before its noun, at most
_NOUN = 2  # what a noun counts beside a pronoun
_STOP = re.compile(r"[.!?;:,()\"“”]")


@cache
def _nouns() -> dict[str, Gender]:
    return {
        noun: Gender(row["gender"])
        for row in table("sets/mittens/tables", "nouns.tsv")
        for noun in row["nouns"].split()
    }


class EnglishPassage:
    """Reads whole English passages."""

    identity = f"passage{_VERSION}"

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        return map(_read, outputs)


def _read(output: Output) -> Verdict:
    words = [Evidence(match[0], match.start(), match.end()) for match in _WORD.finditer(output.text)]
    nouns = {gender: tuple(_naming(output.text, words, gender)) for gender in _TOLD}
    pronouns = {gender: tuple(each for each in words if _PRONOUNS.get(each.text.lower()) is gender) for gender in _TOLD}
    said = {gender: tuple(sorted((*nouns[gender], *pronouns[gender]), key=lambda each: each.start)) for gender in _TOLD}
    weight = {gender: _NOUN * len(nouns[gender]) + len(pronouns[gender]) for gender in _TOLD}
    first, second = sorted(_TOLD, key=lambda gender: weight[gender], reverse=True)
    if weight[first] > weight[second]:
        return Verdict(output, first, "nouns" if nouns[first] else "pronouns", said[first], against=said[second])
    if said[first]:
        return Verdict(output, Gender.UNKNOWN, "mixed", said[first], against=said[second])
    for step, forms in _NEUTRAL.items():
        if plain := tuple(each for each in words if each.text.lower() in forms):
            return Verdict(output, Gender.NEUTRAL, step, plain)
    if people := tuple(each for each in words if names_person(each.text.lower())):
        return Verdict(output, Gender.NEUTRAL, "person", people)
    return Verdict(output, Gender.UNKNOWN, "none")


def _naming(text: str, words: Sequence[Evidence], gender: Gender) -> Iterator[Evidence]:
    """Nouns of a gender that name the person of the passage."""
    for place, word in enumerate(words):
        told = _nouns().get(word.text.lower().rpartition("-")[2]) is gender
        if told and not _title(text, word) and not _somebody_else(text, words, place):
            yield word


def _title(text: str, word: Evidence) -> bool:
    """A part of a name or title within a sentence: Mother and Child."""
    before = text[: word.start].rstrip()
    return word.text[0].isupper() and before != "" and before[-1] not in ".!?"


def _somebody_else(text: str, words: Sequence[Evidence], place: int) -> bool:
    """His mother, the mother of Ada, or a son whom somebody had; not: she is his mother, the son of Ada."""
    first = place
    while first > 0 and place - first < _PHRASE and not _parted(text, words, first):
        first -= 1
        before = words[first].text.lower()
        if before in _BE or before in _MINE:
            return False
        if before in _HAVE:
            return True
        if before in _OTHERS:
            return first == 0 or words[first - 1].text.lower() not in _BE or _parted(text, words, first)
    after = text[words[place].end :]
    return re.match(r" of [A-Z]", after) is not None


def _parted(text: str, words: Sequence[Evidence], place: int) -> bool:
    """Whether punctuation stands before a word."""
    return _STOP.search(text[words[place - 1].end : words[place].start]) is not None


def build(target: str) -> Detector:
    """The reader of a language."""
    return EnglishPassage() if target == "en" else reading.build(target)
