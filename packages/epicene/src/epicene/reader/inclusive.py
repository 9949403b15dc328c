"""Words that name women and men at once: Ärztinnen und Ärzte, doctor(a), étudiant·e·s."""

from __future__ import annotations

import re

from epicene.languages.language import Language
from epicene.reader.align import stem
from epicene.reader.words import Sentence
from epicene.types import Gender

_GAP = 4  # words between the halves of a doublet, at most
_SIGN = re.compile(r"\w[/(@*:_·•‧|]\w|\w\(|[a-zäöüß]In(?:nen)?\b|/-|\w[x@]s?\b|\w-e(?:-s)?\b")

Span = tuple[int, int]


class Spellings:
    """Finds spellings and pairs that name all genders, in a language."""

    def __init__(self, language: Language) -> None:
        self._inclusive = language.inclusive
        self._conjunctions = language.conjunctions
        self._stem = stem(language.code)

    def both(self, sentence: Sentence, place: int) -> tuple[str, tuple[Span, ...]] | None:
        """The step and the characters that name all genders, where the word at a place does."""
        if span := self._spelling(sentence, place):
            return "inclusive", (span,)
        if (other := self._doublet(sentence, place)) is not None:
            halves = (sentence.words[place], sentence.words[other])
            return "doublet", tuple(sorted((half.start, half.end) for half in halves))
        return None

    def _spelling(self, sentence: Sentence, place: int) -> Span | None:
        """A spelling that names all genders at once and holds the word."""
        word = sentence.words[place]
        if not _SIGN.search(sentence.text, max(0, word.start - 12), min(len(sentence.text), word.end + 8)):
            return None
        for spelling in self._inclusive:
            for match in spelling.pattern.finditer(sentence.text):
                inside = match.start() < word.end and match.end() > word.start
                if inside and not (match[0].isalpha() and word.shows):  # no word that only ends so: vieux
                    return match.span()
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
