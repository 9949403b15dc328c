"""Reads the gender that the word for a person shows, and what agrees with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from epicene.detectors.agreement import Agreement
from epicene.detectors.people import Mention, Text
from epicene.detectors.people import Reader as Lexicon
from epicene.detectors.reading.forms import Show
from epicene.detectors.reading.sentence import Sentence
from epicene.detectors.reading.translations import stem
from epicene.languages.language import Language, Reading
from epicene.types import Gender

_DOUBLET_GAP = 4  # words between the halves of a doublet, at most
_NOUNS = frozenset(("noun", "name"))
_ADJECTIVES = frozenset(("adjective", "participle"))


class Read(NamedTuple):
    """A gender, by which step, on which characters, how surely, and what spoke against it."""

    gender: Gender
    step: str
    spans: tuple[tuple[int, int], ...]
    confidence: float
    against: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Own:
    """What a word says by itself."""

    reading: Reading
    confidence: float


def own(shows: tuple[Show, ...], plural: bool, capital: bool) -> Own:
    """What the form of a word says of the person it names."""
    nouns = [show for show in shows if show.pos in _NOUNS and show.person is not False]
    nouns = nouns or [show for show in shows if show.pos in _ADJECTIVES]
    nouns = nouns or [show for show in shows if show.pos in _NOUNS]
    fitting = [show for show in nouns if show.number in ("", "plural" if plural else "singular")] or nouns
    if not fitting:
        return Own(Reading.EITHER, 0.5)
    sure = fitting[0].confidence
    genders = {show.gender for show in fitting}
    if all(show.fixed for show in fitting):
        return Own(Reading.NEUTRAL, sure)
    if genders == {Gender.FEMININE}:
        return Own(Reading.FEMININE, sure)
    if genders == {Gender.MASCULINE}:
        return Own(Reading.MASCULINE, sure)
    if genders == {Gender.NEUTRAL}:
        return Own(Reading.NEUTRAL, sure)
    return Own(Reading.EITHER, sure)


class Nouns:
    """Reads nouns and names of a language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._lexicon = Lexicon(language)
        self._agreement = Agreement(language)
        self._stem = stem(language.code)

    def read(self, sentence: Sentence, place: int, plural: bool, strength: float) -> Read:
        """The gender of the person whom the word at a place names."""
        word = sentence.words[place]
        span = (word.start, word.end)
        if inclusive := self._inclusive(sentence, place):
            return Read(Gender.NEUTRAL, "inclusive", (inclusive,), strength)
        if (other := self._doublet(sentence, place)) is not None:
            half = sentence.words[other]
            return Read(Gender.NEUTRAL, "doublet", tuple(sorted((span, (half.start, half.end)))), strength)
        said = own(word.shows, plural, word.capital)
        text = self._lexicon.read(sentence.text)
        mention = self._mention(text, sentence, place)
        gender, cues = self._agreement.read(text, mention, self._softened(said.reading), plural)
        spans = (span, *(text.spans[cue] for cue in cues))
        step = "agreement" if cues else "form"
        return Read(gender, step, tuple(sorted(spans)), strength * (0.5 + said.confidence / 2))

    def _softened(self, reading: Reading) -> Reading:
        """A masculine noun is read as feminine where the language lets a feminine verb or adjective say so."""
        if reading is Reading.MASCULINE and self.language.code in ("ru", "uk", "be"):
            return Reading.MASCULINE_UNLESS
        return reading

    def _mention(self, text: Text, sentence: Sentence, place: int) -> Mention:
        """The word as a mention of a person, put among the others of the text."""
        word = sentence.words[place]
        inside = [number for number, (start, end) in enumerate(text.spans) if start < word.end and end > word.start]
        first, last = (inside[0], inside[-1] + 1) if inside else (0, 1)
        mention = Mention(first, last, {}, {})
        text.mentions[:] = [each for each in text.mentions if each.last <= first or each.first >= last] + [mention]
        text.mentions.sort(key=lambda each: each.first)
        return mention

    def _inclusive(self, sentence: Sentence, place: int) -> tuple[int, int] | None:
        """A spelling that names all genders at once and holds the word."""
        word = sentence.words[place]
        around = sentence.text[word.start : word.end + 8]
        if word.text.isalpha() and around[len(word.text) :][:1] in ("", " ", ",", ".") and "@" not in around:
            lower = word.text[1:].lower()
            if lower == word.text[1:] and not self._before_slash(sentence, place):
                return None
        for spelling in self.language.inclusive:
            for match in spelling.pattern.finditer(sentence.text):
                if match.start(1) < word.end and match.end() > word.start:
                    return match.span()
        return None

    def _before_slash(self, sentence: Sentence, place: int) -> bool:
        before = sentence.text[max(0, sentence.words[place].start - 12) : sentence.words[place].start]
        return "/" in before or "(" in before or "@" in before

    def _doublet(self, sentence: Sentence, place: int) -> int | None:
        """The other half of a pair such as Ärztinnen und Ärzte."""
        word = sentence.words[place]
        mine = {show.gender for show in word.shows if show.pos == "noun"}
        root = self._stem(word.lower)
        for other in range(max(0, place - _DOUBLET_GAP), min(len(sentence.words), place + _DOUBLET_GAP + 1)):
            half = sentence.words[other]
            if other == place or half.lower == word.lower or self._stem(half.lower) != root:
                continue
            theirs = {show.gender for show in half.shows if show.pos == "noun"}
            if {Gender.FEMININE, Gender.MASCULINE} <= mine | theirs and mine != theirs:
                first, second = sorted((place, other))
                between = [each.lower for each in sentence.words[first + 1 : second]]
                gap = sentence.text[sentence.words[first].end : sentence.words[second].start]
                if not self.language.conjunctions.isdisjoint(between) or "/" in gap or "(" in gap:
                    return other
        return None


def weaker(read: Read, factor: float) -> Read:
    """The same verdict with less confidence."""
    return replace_confidence(read, read.confidence * factor)


def replace_confidence(read: Read, confidence: float) -> Read:
    """The same verdict with another confidence."""
    return read._replace(confidence=confidence)
