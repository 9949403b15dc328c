"""A sentence cut into words once: where each stands, which clause it is in, and what its form shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from epicene.reader.forms import Show

Shows = Callable[[str], "tuple[Show, ...]"]

# A word ends at an apostrophe that elides (l', dell', d'), which stays with it; English 's is a word of its own.
_WORD = re.compile(
    r"['’](?:s|re|ve|ll|d|m|t)(?!\w)"
    r"|\w+(?:\.\w)+\.?"  # C.E.O.
    r"|\w+['’](?=\w)(?!(?:s|re|ve|ll|d|m|t)(?!\w))"
    r"|[\w\u064b-\u0652\u0670\u0900-\u0963\u0591-\u05c7\u200c\u200d\u0301]+"
)
_CLAUSE = re.compile(r"[.;:!?…\n,()\[\]{}«»„“”\"—–¿¡،؛؟।]|\s-\s")
_QUOTES = '«»„“”"‘‹›'


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence."""

    text: str
    lower: str  # as tables spell it: lower-case, ’ as '
    start: int
    end: int
    clause: int  # counted by the punctuation before the word
    shows: tuple[Show, ...] = ()  # what its form shows, the likeliest first
    capital: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text cut into words."""

    text: str
    words: tuple[Word, ...]

    def at(self, start: int, end: int | None = None) -> range:
        """The places of the words that a stretch of characters touches."""
        end = start + 1 if end is None else end
        places = [place for place, word in enumerate(self.words) if word.start < end and word.end > start]
        return range(places[0], places[-1] + 1) if places else range(0)

    def between(self, first: int, second: int) -> str:
        """What stands between two neighbouring words: blanks, a hyphen, punctuation."""
        return self.text[self.words[first].end : self.words[second].start]

    def clause(self, place: int) -> range:
        """The places of the words between the same two marks of punctuation as a word."""
        number = self.words[place].clause
        first, last = place, place + 1
        while first > 0 and self.words[first - 1].clause == number:
            first -= 1
        while last < len(self.words) and self.words[last].clause == number:
            last += 1
        return range(first, last)


def cut(text: str, shows: Shows | None = None, capitals: bool = False) -> Sentence:
    """A text cut into words; ``shows`` says what a form shows, asked as it is written where ``capitals`` tell nouns."""
    words: list[Word] = []
    clause, before = 0, 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        if _CLAUSE.search(text, before, start):
            clause += 1
        before = end
        written = match[0]
        lower = written.lower().replace("’", "'")
        shown = shows(written if capitals else lower) if shows else ()
        words.append(Word(written, lower, start, end, clause, shown, written[:1].isupper()))
    return Sentence(text, tuple(words))


@dataclass(frozen=True, slots=True)
class Translated:
    """A source sentence, its translation, and how surely each word of one renders each word of the other."""

    source: Sentence
    target: Sentence
    links: Sequence[Sequence[float]]  # by source word: the strength of its link to each target word, 0 to 1

    def rendering(self, place: int, least: float = 0.0) -> list[int]:
        """The target words that render a source word, the surest first."""
        row = self.links[place]
        return sorted((word for word in range(len(row)) if row[word] > least), key=lambda word: -row[word])
