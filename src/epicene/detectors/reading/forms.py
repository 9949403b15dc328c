"""What the form of a word shows: gender, number, whether it names a person, and its counterpart.

Known words and unknown ones go the same way: the longest suffix that the language's table lists speaks. The tables
are learnt from free lexicons such that they say of every word of the lexicon what the lexicon says.
"""

from __future__ import annotations

import lzma
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import numpy as np

from epicene.errors import UnknownNameError
from epicene.types import Gender

_POS = {
    "N": "noun",
    "A": "adjective",
    "P": "participle",
    "V": "verb",
    "D": "determiner",
    "O": "pronoun",
    "M": "name",
}
_GENDERS = {"f": Gender.FEMININE, "m": Gender.MASCULINE, "n": Gender.NEUTRAL, "c": None}
_NUMBERS = {"s": "singular", "p": "plural", "-": ""}
_CASES = {"n": "nominative", "a": "accusative", "d": "dative", "g": "genitive", ".": ""}
_WHOLE_WORD = 0.99  # confidence in a word that the table lists by itself
_HYPHEN = re.compile(r"[-‐‑]")


class Show(NamedTuple):
    """One reading of a form."""

    pos: str  # noun, adjective, participle, verb, determiner, pronoun, name
    gender: Gender | None  # None: one form for both; NEUTRAL: the neuter
    number: str  # singular, plural, "" where the form does not tell
    person: bool | None = None  # of a noun: it names a person; None: it may
    fixed: bool = False  # the gender belongs to the word and says nothing of the person: la persona, das Kind
    case: str = ""  # nominative, accusative, dative, genitive; "" where the form does not tell
    counterpart: str | None = None  # the form of the other gender
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class _Table:
    labels: list[str]
    rules: dict[str, tuple[int, int]]  # by suffix: number of the label, confidence in per cent
    longest: int

    def lists(self, word: str) -> bool:
        """Whether the table has the word by itself, not by its ending."""
        return "^" + word in self.rules or word in self.rules

    def find(self, word: str) -> tuple[str, float]:
        """The label of the longest suffix that is listed, and how sure it is."""
        rules = self.rules
        whole = rules.get("^" + word) or rules.get(word)
        if whole is not None:
            return self.labels[whole[0]], _WHOLE_WORD
        for start in range(max(1, len(word) - self.longest), len(word) + 1):
            rule = rules.get(word[start:])
            if rule is not None:
                return self.labels[rule[0]], rule[1] / 100
        return "", 0.0


class Forms:
    """The forms of a language."""

    def __init__(self, language: str, tables: dict[str, _Table]) -> None:
        self.language = language
        self._tables = tables
        self.shows = lru_cache(maxsize=262144)(self._shows)

    def _shows(self, word: str) -> tuple[Show, ...]:
        """All that the form may show, the likeliest first.

        Where nouns have capitals (German), give the word as it stands; in small letters it is read both ways.
        """
        word = word.replace("’", "'")
        key = word.lower()
        if "nouns" not in self._tables:
            return _readings(word, key, self._tables["words"])
        nouns = _readings(word, key, self._tables["nouns"])
        if not word[:1].isupper():
            return _readings(word, key, self._tables["words"]) + nouns
        if self._tables["words"].lists(key):  # Der, Eine, Sie at the beginning of a sentence
            return _readings(word, key, self._tables["words"]) + nouns
        return nouns


def _readings(word: str, key: str, table: _Table) -> tuple[Show, ...]:
    label, confidence = table.find(key)
    if confidence < _WHOLE_WORD:
        head = _HYPHEN.split(key)[-1]
        if head != key and len(head) > 2:  # vice-présidente, ex-chanceler
            found = table.find(head)
            label, confidence = found if found[0] else (label, confidence)
    return tuple(_show(code, word, confidence) for code in label.split())


def _show(code: str, word: str, confidence: float) -> Show:
    tags, _, rewriting = code.partition(":")
    return Show(
        _POS[tags[0]],
        _GENDERS[tags[1]],
        _NUMBERS[tags[2]],
        {"+": True, "-": False}.get(tags[3]),
        tags[4] == "!",
        _CASES[tags[5]],
        _rewritten(word, rewriting) if rewriting else None,
        confidence,
    )


def _rewritten(word: str, rewriting: str) -> str | None:
    """The form of the other gender; None where the rule does not fit the word."""
    if rewriting.startswith("="):
        return rewriting[1:]
    cut, _, added = rewriting.partition(">")
    return word[: len(word) - int(cut)] + added if int(cut) <= len(word) else None


def languages() -> tuple[str, ...]:
    """The codes of the languages that have a table."""
    folder = resources.files("epicene.tables.reading.forms")
    return tuple(sorted(entry.name.removesuffix(".xz") for entry in folder.iterdir() if entry.name.endswith(".xz")))


@lru_cache(maxsize=None)
def forms(language: str) -> Forms:
    """The forms of a language, by its two-letter code."""
    source = resources.files("epicene.tables.reading.forms") / f"{language}.xz"
    if not source.is_file():
        raise UnknownNameError("table of forms", language, languages())
    return Forms(language, _tables(lzma.decompress(source.read_bytes())))


def _tables(data: bytes) -> dict[str, _Table]:
    """The tables of a file: the size of its text, the text, then numbers (``recipes/reading/README.md``)."""
    size, _, data = data.partition(b"\n")
    lines = data[: int(size)].decode().split("\n")
    tables = {}
    place, offset = 1, int(size)
    for head in lines[0].split("\t"):
        name, labels, count = head.split(" ")
        first, rules = place + int(labels), int(count)
        last = first + rules
        numbers = np.frombuffer(data, "<u2", rules, offset).tolist()
        confidences = data[offset + 2 * rules : offset + 3 * rules]
        keys = [suffix[::-1] for suffix in lines[first:last]]
        found = dict(zip(keys, zip(numbers, confidences, strict=True), strict=True))
        tables[name] = _Table(lines[place:first], found, max(map(len, keys)))
        place, offset = last, offset + 3 * rules
    return tables
