"""A sentence cut into words once: where each stands, which clause it is in, and what its form shows; what words are
found to be in it, and what is decided by them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from epicene.types import Evidence, Gender

if TYPE_CHECKING:
    from epicene.reader.forms import Show
    from epicene.reader.mentions import Mention

Shows = Callable[[str], "tuple[Show, ...]"]

# A word ends at an apostrophe that elides (l', dell', d'), which stays with it; English 's is a word of its own.
_WORD = re.compile(
    r"['’](?:s|re|ve|ll|d|m|t)(?!\w)"
    r"|\w+(?:\.\w)+\.?"  # C.E.O.
    r"|\w+['’](?=\w)(?!(?:s|re|ve|ll|d|m|t)(?!\w))"
    r"|[\w\u00ad\u064b-\u0652\u0670\u0900-\u0963\u0591-\u05c7\u200c\u200d\u0301]+"
)
_CLAUSE = re.compile(r"[.;:!?…\n,()\[\]{}«»„“”\"—–¿¡،؛؟।|]|\s-\s")


class Word(NamedTuple):
    """A word of a sentence."""

    text: str
    lower: str  # as tables spell it: lower-case, ’ as '; without marks where the language's own words are asked for
    start: int
    end: int
    clause: int  # counted by the punctuation before the word
    shows: tuple[Show, ...] = ()  # what its form shows, the likeliest first
    capital: bool = False

    @property
    def span(self) -> tuple[int, int]:
        """Where it begins and ends."""
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text cut into words."""

    text: str
    words: tuple[Word, ...]
    mentions: list[Mention] = field(default_factory=list)  # the people whom a language's lexicon finds in it

    def at(self, start: int, end: int | None = None) -> range:
        """The places of the words that a stretch of characters touches."""
        end = start + 1 if end is None else end
        places = [place for place, word in enumerate(self.words) if word.start < end and word.end > start]
        return range(places[0], places[-1] + 1) if places else range(0)

    def between(self, first: int, second: int) -> str:
        """What stands between two neighbouring words: blanks, a hyphen, punctuation."""
        return self.text[self.words[first].end : self.words[second].start]

    def evidence(self, places: Iterable[int]) -> tuple[Evidence, ...]:
        """The words at these places as evidence of a verdict, in order."""
        return evidence_of(self.words[place] for place in places)

    def beside(self, place: int, step: int) -> Word | None:
        """The word before or after one, in the same clause."""
        other = place + step
        if not 0 <= other < len(self.words) or self.words[other].clause != self.words[place].clause:
            return None
        return self.words[other]

    def parted(self, place: int) -> bool:
        """Whether a clause ends behind a word."""
        return self.words[place].clause != self.words[place + 1].clause


def cut(text: str, shows: Shows | None = None, capitals: bool = False) -> Sentence:
    """A text cut into words; ``shows`` says what a form shows, asked as it is written where ``capitals`` tell nouns."""
    words = []
    for written, start, end, clause in _pieces(text, _WORD):
        plain = written.replace("\u00ad", "")  # a soft hyphen
        lower = plain.lower().replace("’", "'")
        shown = shows(plain if capitals else lower) if shows else ()
        words.append(Word(written, lower, start, end, clause, shown, written[:1].isupper()))
    return Sentence(text, tuple(words))


def cut_as(text: str, pattern: re.Pattern[str], fold: Callable[[str], str]) -> Sentence:
    """A text cut into a language's own words, spelt as its tables spell them."""
    words = [Word(written, fold(written), start, end, clause) for written, start, end, clause in _pieces(text, pattern)]
    return Sentence(text, tuple(words))


def _pieces(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int, int, int]]:
    """Each word with where it stands, and the number of its clause."""
    clause, before = 0, 0
    for match in pattern.finditer(text):
        start, end = match.span()
        if start - before > 1 or (before < start and text[before] != " "):
            clause += _CLAUSE.search(text, before, start) is not None
        before = end
        yield match[0], start, end, clause


def evidence_of(words: Iterable[Word]) -> tuple[Evidence, ...]:
    """Words as evidence of a verdict, in order."""
    return tuple(sorted({Evidence(word.text, *word.span) for word in words}, key=lambda each: (each.start, each.end)))


@dataclass(frozen=True, slots=True)
class Translated:
    """A source sentence, its translation, and how surely each word of one renders each word of the other."""

    source: Sentence
    target: Sentence
    links: Sequence[Sequence[float]]  # by source word: the strength of its link to each target word, 0 to 1


class Agreeing(NamedTuple):
    """A gender, the word that shows it, and how it belongs to the person."""

    gender: Gender
    place: int
    step: str


class Rendering(NamedTuple):
    """The place of the word that renders the person, how surely, and how it was found."""

    place: int
    strength: float  # 0 to 1
    how: str  # translated, modifier, unclaimed, lexicon


class Decision(NamedTuple):
    """A gender, by which step, on which words, how surely, and what speaks against it."""

    gender: Gender
    step: str
    evidence: tuple[Evidence, ...] = ()
    confidence: float = 0.0
    against: tuple[Evidence, ...] = ()
    inclusive: str | None = None  # how a form names everybody
    listed: bool = False  # whether a word decides that is listed for an occupation
