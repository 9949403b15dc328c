"""Words that name women and men at once: Ärztinnen und Ärzte, doctor(a), étudiant·e·s."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from epicene.languages.language import Language
from epicene.reader.align import stem
from epicene.reader.mentions import Mention, MentionFinder
from epicene.reader.words import Sentence
from epicene.types import Evidence, Gender, Person

_GAP = 4  # words between the halves of a doublet, at most
_SIGN = re.compile(r"\w[/(@*:_·•‧|]\w|\w\(|[a-zäöüß]In(?:nen)?\b|/-|\w[x@]s?\b|\w-e(?:-s)?\b")


class Spellings:
    """Finds spellings and pairs that name all genders, in a language."""

    def __init__(self, language: Language) -> None:
        self._inclusive = language.inclusive
        self._conjunctions = language.conjunctions
        self._stem = stem(language.code)

    def both(self, sentence: Sentence, place: int) -> tuple[str, tuple[Evidence, ...]] | None:
        """The step and the words that name all genders, where the word at a place does."""
        if spelling := self._spelling(sentence, place):
            return "inclusive", (spelling,)
        if (other := self._doublet(sentence, place)) is not None:
            return "doublet", sentence.evidence((place, other))
        return None

    def _spelling(self, sentence: Sentence, place: int) -> Evidence | None:
        """A spelling that names all genders at once and holds the word."""
        word = sentence.words[place]
        if not _SIGN.search(sentence.text, max(0, word.start - 12), min(len(sentence.text), word.end + 8)):
            return None
        for spelling in self._inclusive:
            for match in spelling.pattern.finditer(sentence.text):
                inside = match.start() < word.end and match.end() > word.start
                if inside and not (match[0].isalpha() and word.shows):  # no word that only ends so: vieux
                    return Evidence(match[0], *match.span())
        return None

    def _doublet(self, sentence: Sentence, place: int) -> int | None:
        """The other half of a pair."""
        word = sentence.words[place]
        mine = {show.gender for show in word.shows if show.pos == "noun"}
        root = self._stem(word.lower)
        for other in range(max(0, place - _GAP), min(len(sentence.words), place + _GAP + 1)):
            half = sentence.words[other]
            if other == place or half.lower == word.lower or self._stem(half.lower) != root:
                continue
            theirs = {show.gender for show in half.shows if show.pos == "noun"}
            if {Gender.FEMININE, Gender.MASCULINE} <= mine | theirs and mine != theirs:
                first, second = sorted((place, other))
                between = [each.lower for each in sentence.words[first + 1 : second]]
                gap = sentence.text[sentence.words[first].end : sentence.words[second].start]
                if not self._conjunctions.isdisjoint(between) or "/" in gap or "(" in gap:
                    return other
        return None


class ListedSpellings:
    """Finds spellings that name all genders, of words that a language's lexicon lists."""

    def __init__(self, language: Language, mentions: MentionFinder) -> None:
        self._all = language.inclusive
        self._mentions = mentions
        # Spellings within a word are looked for word by word, each word once; most words have none.
        self._within = [spelling.pattern for spelling in self._all if spelling.in_one_word]
        self._across = tuple(spelling for spelling in self._all if not spelling.in_one_word)
        self._plain = lru_cache(maxsize=262144)(self._is_plain)

    def find(self, text: str, person: Person) -> Evidence | None:
        """A spelling that names all genders at once, of a word for the person."""
        plain = all(map(self._plain, text.split()))
        for spelling in self._across if plain else self._all:
            for match in spelling.pattern.finditer(text):
                tries = (attempt.format(stem=match[1], end=match[2]) for attempt in spelling.tries)
                for mention in (mention for attempt in tries for mention in self._mentions.read(attempt).mentions):
                    if person.concept in mention.readings:
                        return Evidence(match[0], *match.span())
        return None

    def _is_plain(self, word: str) -> bool:
        return not any(pattern.search(word) for pattern in self._within)


def find_doublet(
    text: Sentence, own: Sequence[Mention], person: Person, conjunctions: frozenset[str]
) -> tuple[Mention, Mention] | None:
    """Two neighbouring words for the person, of opposite gender, joined by a conjunction or a slash."""
    for first, second in pairwise(own):
        genders = {str(mention.readings[person.concept]).rstrip("?") for mention in (first, second)}
        if genders != {"feminine", "masculine"} or second.first - first.last > _GAP:
            continue
        joints = {*(word.lower for word in text.words[first.last : second.first]), second.proclitics[:1]}
        between = text.between(first.last - 1, second.first)
        if joints & conjunctions or "/" in between or "(" in between:
            return first, second
    return None
