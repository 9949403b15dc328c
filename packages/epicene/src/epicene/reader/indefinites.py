"""People without a noun: everyone, few, one, those."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from epicene.languages.english import word_lists
from epicene.reader.words import Translated
from epicene.types import Gender

_LINKED = 0.05
_NEAR = 0.45  # how far from its place by proportion an unlinked word may stand
_FREE = 0.6
_LISTED = 0.9  # confidence from which a lexicon lists a word


class Indefinite(NamedTuple):
    """A word that stands for people and the gender it shows."""

    place: int
    gender: Gender
    strength: float


def named(word: str) -> bool:
    """Whether an English word names people without a noun."""
    return word in word_lists("indefinites")["words"]


def people(word: str) -> bool:
    """Whether an English noun says no more than that they are people."""
    return word in word_lists("indefinites")["people"]


class Indefinites:
    """Finds such words in a language."""

    def __init__(
        self, genders: Mapping[str, Gender], empty: Callable[[str], bool], article: Callable[[str], bool]
    ) -> None:
        self._genders = genders
        self._empty = empty
        self._article = article

    def find(self, translated: Translated, head: int) -> Indefinite | None:
        """The word that renders an English word at a place, if the language has one for it."""
        words, links = translated.target.words, translated.links
        best: tuple[float, Indefinite] | None = None
        for place, word in enumerate(words):
            gender = self._genders.get(self._spelt(translated, place))
            if gender is None:
                continue
            if gender is not Gender.NEUTRAL and self._article(word.lower) and self._attributive(translated, place):
                continue
            link = links[head][place]
            claimed = sum(row[place] for number, row in enumerate(links) if number != head)
            near = 1 - abs((head + 0.5) / len(links) - (place + 0.5) / len(words))
            if link < _LINKED and (near < 1 - _NEAR or claimed > _FREE):
                continue
            score = 2 * link + near - claimed / 2
            if best is None or score > best[0]:
                best = score, Indefinite(place, gender, 0.6 + link / 3 if link >= _LINKED else 0.45)
        return self._completed(translated, best[1]) if best else None

    def _completed(self, translated: Translated, found: Indefinite) -> Indefinite:
        """A word beside it where that says more: cada una, toutes les deux."""
        words = translated.target.words
        if found.gender is Gender.NEUTRAL:
            for place in (found.place + 1, found.place - 1, found.place - 2):
                gender = self._genders.get(words[place].lower) if 0 <= place < len(words) else None
                if gender is Gender.MASCULINE and words[found.place].lower.endswith("'"):
                    return found  # quelqu'un: its masculine says nothing
                if gender in (Gender.FEMININE, Gender.MASCULINE):
                    return found._replace(place=place, gender=gender)
        return found

    def _spelt(self, translated: Translated, place: int) -> str:
        """A word with what a hyphen joins to it: quelques-unes, кто-то."""
        target = translated.target
        word = target.words[place].lower
        if place + 1 < len(target.words) and target.between(place, place + 1) == "-":
            joined = f"{word}-{target.words[place + 1].lower}"
            return joined if joined in self._genders else word
        return word

    def _attributive(self, translated: Translated, place: int) -> bool:
        """Whether a noun follows that the word belongs to."""
        words = translated.target.words
        if place + 1 >= len(words) or words[place + 1].clause != words[place].clause:
            return False
        if self._empty(words[place + 1].lower) or words[place + 1].lower in self._genders:
            return False
        return any(show.pos == "noun" and show.confidence > _LISTED for show in words[place + 1].shows[:1])
