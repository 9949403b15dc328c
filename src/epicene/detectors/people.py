"""Step 1: find the words of a translation that name people, by the language's lexicon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from epicene.languages.folder import Form, Language, Reading

_SHORTEST_HEAD = 4  # letters that the head of a compound has at least


@dataclass(frozen=True, slots=True)
class Mention:
    """Words ``first`` to ``last`` (exclusive) name a person."""

    first: int
    last: int
    readings: Mapping[str, Reading]  # by concept
    compound: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A translation, cut into words as the tables spell them."""

    text: str
    words: list[str]
    spans: list[tuple[int, int]]
    mentions: list[Mention] = field(default_factory=list)

    def between(self, first: int, second: int) -> str:
        """What stands between two neighbouring words."""
        return self.text[self.spans[first][1] : self.spans[second][0]]


class Reader:
    """Cuts texts into words and finds the people in them."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._fold = lru_cache(maxsize=262144)(language.fold)
        self._inside = lru_cache(maxsize=262144)(self._head_of)

    def read(self, text: str) -> Text:
        """Words and mentions of a text."""
        matches = list(self.language.splits.finditer(text))
        words = [self._fold(match[0]) for match in matches]
        found = Text(text, words, [match.span() for match in matches])
        position = 0
        while position < len(words):
            mention = self._mention(found, position)
            if mention is None:
                position += 1
            else:
                found.mentions.append(mention)
                position = mention.last
        return found

    def _mention(self, text: Text, position: int) -> Mention | None:
        word = text.words[position]
        form = self._longest(self.language.forms.get(word, ()), text.words, position)
        if form is not None:
            return Mention(position, position + len(form.words), form.readings)
        if not self.language.compounds and self.language.proclitics is None:
            return None
        if self.language.compounds and not text.text[text.spans[position][0]].isupper():
            return None
        form = self._longest(self._inside(word), text.words, position)
        if form is None:
            return None
        return Mention(position, position + len(form.words), form.readings, self.language.compounds)

    def _longest(self, forms: tuple[Form, ...], words: list[str], position: int) -> Form | None:
        for form in forms:
            size = len(form.words)
            if size == 1:
                return form
            rest = words[position + 1 : position + size]
            if len(rest) == size - 1 and all(map(self._same, rest, form.words[1:])):
                return form
        return None

    def _same(self, word: str, listed: str) -> bool:
        """Whether a later word of a phrase is the listed one, proclitics aside."""
        if word == listed:
            return True
        proclitics = self.language.proclitics
        return proclitics is not None and word.endswith(listed) and bool(proclitics.fullmatch(word[: -len(listed)]))

    def _head_of(self, word: str) -> tuple[Form, ...]:
        """The forms inside a word: after its proclitics, or at the end of a compound, the longest first."""
        proclitics = self.language.proclitics
        if proclitics is not None:
            for cut in range(1, len(word) - 1):
                if proclitics.fullmatch(word[:cut]) and word[cut:] in self.language.forms:
                    return self.language.forms[word[cut:]]
        if self.language.compounds:
            for cut in range(1, len(word) - _SHORTEST_HEAD + 1):
                heads = self.language.forms.get(word[cut:], ())
                if found := tuple(form for form in heads if len(form.words) == 1):
                    return found
        return ()
