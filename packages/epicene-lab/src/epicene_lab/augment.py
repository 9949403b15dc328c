"""Sentences about people: every concept in both genders with its gender stated, or left open with a set skew."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from epicene.errors import InputError
from epicene.languages.english import plural
from epicene.tables import table as core_table
from epicene_lab.tables import table

_CHOICE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_VOWELS = tuple("aeiouyhàâéèêîïôœ")
# Articles: feminine, masculine, feminine plural, masculine plural.
_THE = {
    "en": ("the",) * 4,
    "de": ("die", "der", "die", "die"),
    "es": ("la", "el", "las", "los"),
    "fr": ("la", "le", "les", "les"),
    "it": ("la", "il", "le", "i"),
    "pt": ("a", "o", "as", "os"),
}
_A = {
    "en": ("a",) * 4,
    "de": ("eine", "ein"),
    "es": ("una", "un"),
    "fr": ("une", "un"),
    "it": ("una", "un"),
    "pt": ("uma", "um"),
}
# Italian: lo, gli and uno stand before these; l' and un' before vowels.
_LO = re.compile(r"s[bcdfglmnpqrtv]|z|gn|ps|pn|x|y|i[aeou]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Filler:
    """Who a phrase is about, in one language."""

    language: str
    word: str
    feminine: bool
    many: bool
    names: dict[str, tuple[str, ...]]

    def filled(self, phrase: str) -> str:
        """The phrase about this person."""
        phrase = _CHOICE.sub(lambda match: match[1 if self.feminine else 2], phrase)
        used: dict[str, int] = {}

        def word(match: re.Match[str]) -> str:
            slot = match[1]
            if slot in self.names:
                used[slot] = used.get(slot, -1) + 1
                return self.names[slot][used[slot]]
            phrased = {"a": self._a, "the": self._the}.get(slot.lower(), self._bare)()
            return phrased[0].upper() + phrased[1:] if slot[0].isupper() else phrased

        return _SLOT.sub(word, phrase)

    def _bare(self) -> str:
        return self.word

    def _a(self) -> str:
        if self.language == "en":
            return ("an " if self.word.startswith(("a", "e", "i", "o", "un")) else "a ") + self.word
        if self.language == "it":
            return self._italian("un'", "una ", "un ", "uno ", "un ")
        # A feminine noun that begins with a stressed a has the masculine article: un ama de llaves.
        article = "un" if self.word.startswith("ama ") else _A[self.language][0 if self.feminine else 1]
        return f"{article} {self.word}"

    def _the(self) -> str:
        if self.word.startswith("ama "):
            return f"el {self.word}"
        if self.language == "it":
            if self.many:
                return self._italian("le ", "le ", "gli ", "gli ", "i ")
            return self._italian("l'", "la ", "l'", "lo ", "il ")
        if self.language == "fr" and not self.many and self.word.lower().startswith(_VOWELS):
            return f"l'{self.word}"
        place = (0 if self.feminine else 1) + (2 if self.many else 0)
        return f"{_THE[self.language][place]} {self.word}"

    def _italian(self, feminine_vowel: str, feminine: str, vowel: str, lo: str, other: str) -> str:
        """The word after the article that its gender and its first letters ask for."""
        begins = self.word.lower().startswith(tuple("aeiou"))
        if self.feminine:
            return (feminine_vowel if begins else feminine) + self.word
        return (vowel if begins else lo if _LO.match(self.word) else other) + self.word


def make_pairs(target: str, seed: int = 1, phrases: str = "phrases") -> Iterator[tuple[str, str]]:
    """English phrases of a table that state a gender and their translations; the seed chooses the names in them."""
    generator = random.Random(seed)
    names = {row["kind"]: row["names"].split() for row in table("augmentation", "names.tsv")}
    for person in table("augmentation", "people.tsv"):
        for phrase in table("augmentation", f"{phrases}.tsv"):
            for feminine in (True, False):
                chosen = {
                    "name": tuple(generator.sample(names["feminine" if feminine else "masculine"], 2)),
                    "surname": tuple(generator.sample(names["surname"], 2)),
                }
                yield _fill(person, phrase, target, feminine, chosen)


def make_open_pairs(target: str, skew: str, copies: int = 4, seed: int = 1) -> Iterator[tuple[str, str]]:
    """English phrases that leave the gender open; how often the translation is about a man is the skew.

    ``labour``: as often as men do the job. A number, such as 75: that often in per cent the gender that most who do the
    job have. People whom the labour statistics do not count are women as often as men.
    """
    if target not in list_open_targets():
        raise InputError(
            f"no sentences of open gender for target {target!r}; there are: {', '.join(list_open_targets())}"
        )
    generator = random.Random(seed)
    for person in table("augmentation", "people.tsv"):
        share = women(person["concept"], skew)
        for phrase in table("augmentation", "open.tsv"):
            for _ in range(copies):
                yield _fill(person, phrase, target, generator.random() < share, {})


@cache
def list_open_targets() -> tuple[str, ...]:
    """The languages that have sentences of open gender."""
    return tuple(name for name in table("augmentation", "open.tsv")[0] if name not in ("number", "en"))


def women(concept: str, skew: str) -> float:
    """How often a person of open gender is a woman."""
    share = _shares().get(concept)
    if skew == "labour":
        return 0.5 if share is None else share / 100
    try:
        most = float(skew) / 100
    except ValueError:
        raise InputError(f"skew {skew!r}; expected labour, or a per cent from 50 to 100") from None
    if not 0.5 <= most <= 1:
        raise InputError(f"skew {skew}; expected labour, or a per cent from 50 to 100")
    if share is None or share == 50:
        return 0.5
    return most if share > 50 else 1 - most


@cache
def _shares() -> dict[str, float]:
    return {row["concept"]: float(row["women"]) for row in core_table("labour/tables/us_women.tsv")}


def _fill(
    person: Mapping[str, str], phrase: Mapping[str, str], target: str, feminine: bool, names: dict[str, tuple[str, ...]]
) -> tuple[str, str]:
    many = phrase["number"] == "p"
    english = pluralise(person["concept"]) if many else name_in_english(person["concept"])
    form = person[target].split("|")[(1 if feminine else 0) + (2 if many else 0)]
    return (
        Filler("en", english, feminine, many, names).filled(phrase["en"]),
        Filler(target, form, feminine, many, names).filled(phrase[target]),
    )


def name_in_english(concept: str) -> str:
    """A concept as English sentences write it."""
    return concept.upper() if concept in ("ceo", "cfo", "cto") else concept


@cache
def _plurals() -> dict[str, str]:
    return {row["concept"]: row["plural"] for row in core_table("languages/concepts.tsv")}


def pluralise(concept: str) -> str:
    """A concept in the plural, as English sentences write it."""
    if name_in_english(concept) != concept:
        return name_in_english(concept) + "s"
    return _plurals().get(concept) or plural(concept)
