"""What the form of a word shows: gender, number, whether it names a person, and its counterpart.

Known words and unknown ones go the same way: the longest suffix that the language's table lists speaks. The tables
are learnt from free lexicons such that they say of every word of the lexicon what the lexicon says.
"""

from __future__ import annotations

import lzma
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from epicene.errors import UnknownNameError
from epicene.languages.folder import find_table, languages_with, load
from epicene.languages.language import Attached, Language
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
_FILE = "forms.xz"
END = "^"  # before the first letter of a word that does not count as the end of longer ones
_HASHES, _SEED = 7, 0x9E3779B9
_WHOLE_WORD = 0.99  # confidence in a word that the lexicon has
_GUESS = 50  # per cent that a last letter must be right in to say anything: foreign words end in any
_LIKELY = 0.4  # confidence in the first part of a word that makes it the head
_CLITIC = 0.8  # confidence in a pronoun that is written together with a word
_SHORTEST_STEM = 2
_SHORTEST_HEAD = 4  # letters that the head of a compound has at least
_CLOSED = frozenset(("determiner", "pronoun"))  # Der, Eine, Sie begin a sentence
_ACRONYM = 4  # letters that a word in capitals has at most that is taken for an acronym
_PERSON = re.compile(r"N[mf].\+\.")
_WOMAN = re.compile(r"Nf.\+\.")
_JOINT = re.compile(r"[-‐‑']")


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
    rules: dict[str, int]  # by suffix: 128 times the number of the label, and the confidence in per cent
    longest: int
    members: bytes  # a Bloom filter of the words of the lexicon

    def lists(self, word: str) -> bool:
        """Whether the lexicon has the word; one in a hundred others passes too."""
        if END + word in self.rules or word in self.rules:
            return True
        return all(self.members[bit >> 3] >> (bit & 7) & 1 for bit in bits(word, 8 * len(self.members)))

    def find(self, word: str) -> tuple[str, float]:
        """The label of the longest suffix that is listed, and how sure it is."""
        rules = self.rules
        known = self.lists(word)
        whole = rules.get(END + word)
        if whole is not None:
            return self.labels[whole >> 7], _WHOLE_WORD
        for start in range(max(0, len(word) - self.longest), len(word) + 1):
            rule = rules.get(word[start:])
            if rule is not None:
                if not known and len(word) - start < _SHORTEST_STEM and rule & 127 < _GUESS:
                    break
                return self.labels[rule >> 7], _WHOLE_WORD if known else (rule & 127) / 100
        return "", 0.0


def bits(word: str, size: int) -> Iterator[int]:
    """The bits that a word sets in a Bloom filter of a size."""
    data = word.encode()
    first, second = zlib.crc32(data), zlib.crc32(data, _SEED) | 1
    return ((first + place * second) % size for place in range(_HASHES))


class Forms:
    """The forms of a language."""

    def __init__(self, language: Language, tables: dict[str, _Table]) -> None:
        self._writing, self._attached, self._things = language.writing, language.attached, language.things
        self._tables = tables
        self.shows = lru_cache(maxsize=262144)(self._shows)

    def _shows(self, word: str) -> tuple[Show, ...]:
        """All that the form may show, the likeliest first.

        Where nouns have capitals (German), give the word as it stands; in small letters it is read both ways.
        """
        word = word.replace("’", "'")
        if not self._writing.latin and word.isascii():
            return ()
        key = word.lower()
        if word.isupper() and ("." in word or 1 < len(word) <= _ACRONYM):
            return ()  # la C.E.O.
        words, nouns = self._tables["words"], self._tables.get("nouns")
        foreign = self._writing.foreign
        if foreign is not None and foreign.search(key) and not words.lists(key):
            return ()
        if self._attached is not None:
            return self._parted(key, words, self._attached)
        if nouns is None:
            thing = self._things is not None and self._things.fullmatch(key)
            readings = _readings(word, key, words)
            return (
                tuple(show._replace(person=False) if show.person else show for show in readings) if thing else readings
            )
        others = _readings(word, key, words)
        closed = bool(_CLOSED.intersection(show.pos for show in others))
        if word[:1].isupper() and not closed and (nouns.lists(key) or not words.lists(key)):
            return _readings(word, self._last_part(key, nouns), nouns)
        return others + _readings(word, key, nouns)

    def _last_part(self, word: str, nouns: _Table) -> str:
        """The head of a compound for a person that the lexicon does not have: Zoo|wärter; else the word itself."""
        if self._writing.compounds and not nouns.lists(word) and not _PERSON.search(nouns.find(word)[0]):
            for start in range(_SHORTEST_STEM, len(word) - _SHORTEST_HEAD + 1):
                if nouns.lists(word[start:]):
                    return word[start:] if _PERSON.search(nouns.find(word[start:])[0]) else word
        return word

    def _parted(self, word: str, table: _Table, attached: Attached) -> tuple[Show, ...]:
        """What a word shows that other words may be written together with."""
        if table.lists(word):
            return _readings(word, word, table)
        for before in attached.before:
            rest = word.removeprefix(before)
            if rest != word and table.lists(rest):
                return tuple(show._replace(counterpart=None) for show in _readings(rest, rest, table))
        for after, code in attached.after.items():
            stem = word.removesuffix(after)
            if stem != word and len(stem) >= _SHORTEST_STEM:
                for joined, alone in attached.joined.items():
                    stem = stem.removesuffix(joined) + alone if stem.endswith(joined) else stem
                return (*_readings(stem, stem, table), _show(code, word, _CLITIC))
        found = _readings(word, word, table)
        for begins, code in attached.verbs.items():
            if word.startswith(begins) and len(word) > _SHORTEST_STEM + 1:
                return (*found, _show(code, word, _CLITIC / 2))
        return found


def _readings(word: str, key: str, table: _Table) -> tuple[Show, ...]:
    label, confidence = table.find(key)
    if confidence < _WHOLE_WORD and len(parts := _JOINT.split(key)) > 1:
        label, confidence = _head(parts, table) or (label, confidence)
    return tuple(_show(code, word, confidence) for code in label.split())


def _head(parts: list[str], table: _Table) -> tuple[str, float] | None:
    """What the head of a word in several parts shows: étudiantes-athlètes, l'archer, ex-chanceler."""
    first, last = table.find(parts[0]), table.find(parts[-1])
    if len(parts[0]) <= _SHORTEST_STEM + 1 or first[1] < _LIKELY or not _PERSON.search(first[0]):
        return last if last[0] and len(parts[-1]) > _SHORTEST_STEM else None
    return last if _WOMAN.search(last[0]) and not _WOMAN.search(first[0]) else first  # архитектор-итальянка


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
    return languages_with(_FILE)


@cache
def forms(code: str) -> Forms:
    """The forms of a language that has a table of them."""
    table = find_table(code, _FILE)
    if table is None:
        raise UnknownNameError("table of forms", code, languages())
    return Forms(load(code), _tables(lzma.decompress(table.read_bytes())))


def forms_of(code: str) -> Forms | None:
    """The forms of a language, None where it has no table of them."""
    return forms(code) if find_table(code, _FILE) else None


def _tables(data: bytes) -> dict[str, _Table]:
    """The tables of a file: the size of its text, the text, then numbers (``recipes/reading/README.md``)."""
    size, _, data = data.partition(b"\n")
    lines = data[: int(size)].decode().split("\n")
    tables = {}
    place, offset = 1, int(size)
    for head in lines[0].split("\t"):
        name, labels, count, filtered = head.split(" ")
        first, rules = place + int(labels), int(count)
        last = first + rules
        numbers = np.frombuffer(data, "<u2", rules, offset).astype(np.int64)
        confidences = np.frombuffer(data, np.uint8, rules, offset + 2 * rules)
        keys = [suffix[::-1] for suffix in lines[first:last]]
        found = dict(zip(keys, (128 * numbers + confidences).tolist(), strict=True))
        members = data[offset + 3 * rules : offset + 3 * rules + int(filtered)]
        tables[name] = _Table(lines[place:first], found, max(map(len, keys)), members)
        place, offset = last, offset + 3 * rules + int(filtered)
    return tables
