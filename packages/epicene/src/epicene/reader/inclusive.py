"""Forms that name everybody: Ärztinnen und Ärzte, doctor(a), étudiant·e·s, Tuttə, iel; and by which strategy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from epicene.languages.english import gendered
from epicene.languages.language import Inclusive
from epicene.languages.lexicon import Reading
from epicene.reader.align import stem
from epicene.reader.forms import Show
from epicene.reader.mentions import Mention, Texts
from epicene.reader.people import names_person
from epicene.reader.words import Sentence, Translated, Word, cut
from epicene.types import Evidence, Gender, Item

DOUBLET, PRONOUN = "doublet", "pronoun"
# What a spelling holds besides the word's own letters, and how such spellings are called; the first that it holds.
_SIGNS = (
    ("([", "bracket"),
    ("*", "star"),
    (":", "colon"),
    ("@", "at"),
    ("/|", "slash"),
    ("_", "underscore"),
    ("·•‧∙⋅.-!'’", "dot"),
    ("əɜзε3", "schwa"),
    ("x", "x"),
)
_CAPITAL = "capital-i"  # which no word of a table has inside
_WORD = re.compile(r"[\w'’-]+")
_JOINED = 3  # words within which the source joins another person to one
_ENDING = "e"  # an ending of neither gender: amigues, cansade
_GAP = 5  # words between the halves of a doublet, at most
_LISTED = 0.95  # confidence from which a form is one of the lexicon
_ALIKE = 0.5  # share of the shorter half that both halves begin with
_SHORTEST = 3  # letters that both halves begin with at least
_OWN = 0.3  # how surely another person of the source has a half for herself
_SAID = frozenset(("adjective", "participle"))
_BESIDE = _SAID | {"determiner"}
_GENDERS = {Reading.FEMININE: Gender.FEMININE, Reading.MASCULINE: Gender.MASCULINE}
_BOTH = frozenset((Gender.FEMININE, Gender.MASCULINE))


class Spelling(NamedTuple):
    """A spelling that names everybody, and what the word would be without it."""

    strategy: str | None
    evidence: Evidence
    forms: tuple[str, ...]


class InclusiveForms:
    """Finds spellings and pairs that name everybody, in a language."""

    def __init__(self, texts: Texts) -> None:
        language = self._language = texts.language
        self._texts, self._mentions = texts, texts.occupations
        self._capitals = language.writing.nouns_capitalised
        self._stem = stem(language.code)
        pronouns = [spelling for spelling in language.inclusive if spelling.strategy == PRONOUN]
        self._nouns = [spelling for spelling in language.inclusive if spelling not in pronouns]
        self._pronouns = pronouns
        # Spellings within a word are looked for word by word, each word once; most words have none.
        self._within = [spelling for spelling in self._nouns if spelling.in_one_word]
        self._across = [spelling for spelling in self._nouns if not spelling.in_one_word]
        self._is_plain = lru_cache(maxsize=262144)(self._has_no_spelling)
        self._may_mean = lru_cache(maxsize=65536)(self._may_mean_person)

    def respell(self, text: str) -> tuple[str, tuple[tuple[Spelling, range], ...]]:
        """The text with every such spelling written as an ordinary word, and where these words stand."""
        chosen: list[tuple[Spelling, str]] = []
        patterns = self._across if all(map(self._is_plain, text.split())) else self._nouns
        found = [(spelling, form) for spelling in self._spellings(text, patterns) if (form := self._ordinary(spelling))]
        for spelling, form in sorted(found, key=lambda each: not self._may_mean(each[1])):
            _, start, end = spelling.evidence
            if not any(other.evidence.start < end and start < other.evidence.end for other, _ in chosen):
                chosen.append((spelling, form))
        plain, taken, end = "", [], 0
        for spelling, form in sorted(chosen, key=lambda each: each[0].evidence.start):
            plain += text[end : spelling.evidence.start]
            taken.append((spelling, range(len(plain), len(plain) + len(form))))
            plain += form
            end = spelling.evidence.end
        return plain + text[end:], tuple(taken)

    def pronoun(self, text: str, shown: Callable[[str], Gender | None]) -> Spelling | None:
        """A pronoun that means people of any gender, or one of each gender: iel, él/ella."""
        for spelling in self._pronouns:
            if match := spelling.pattern.search(text):
                return Spelling(PRONOUN, Evidence(match[0], *match.span()), ())
        words = cut(text).words
        for first in range(len(words) - 1):
            for second in range(first + 1, min(first + 3, len(words))):
                gap = text[words[first].end : words[second].start]
                joint = gap.strip() in ("/", "(") or gap.strip().lower() in self._language.conjunctions
                if joint and {shown(words[first].lower), shown(words[second].lower)} == _BOTH:
                    span = words[first].start, words[second].end
                    return Spelling(DOUBLET, Evidence(text[slice(*span)], *span), ())
        return None

    def listed_doublet(self, text: Sentence, own: Sequence[Mention], item: Item) -> tuple[Mention, Mention] | None:
        """Two neighbouring words for the person of an item, of opposite gender."""
        if len(own) < 2:
            return None
        joined = _joined_to(item.source, item.person.end)
        for first, second in pairwise(own) if not any(map(gendered, joined)) else ():
            genders = {str(mention.readings[item.person.concept]).rstrip("?") for mention in (first, second)}
            # A feminine word beside one of no gender is a pair too where both are one word: lärare och lärarinnor.
            one = self._one_stem(text.words[first.first], text.words[second.first])
            opposite = genders == {"feminine", "masculine"} or (one and "feminine" in genders and len(genders) > 1)
            same = text.words[first.first].lower == text.words[second.first].lower
            if same and {self._article(text, first.first), self._article(text, second.first)} == _BOTH:
                opposite = True  # els alumnes i les alumnes
            if opposite and (one or not joined) and self._joined(text, first.first, first.last, second.first):
                return first, second
        return None

    def doublet(self, translated: Translated, places: range, place: int) -> int | None:
        """The other half of a pair that renders the words at some places of the source, one half being at a place."""
        sentence = translated.target
        word = sentence.words[place]
        if names_apart(translated.source.text, translated.source.words[places[-1]].end):
            return None
        for other in range(max(0, place - _GAP), min(len(sentence.words), place + _GAP + 1)):
            half = sentence.words[other]
            first, second = sorted((place, other))
            if (
                other != place
                and self._one_stem(word, half)
                and self._opposite(sentence, place, other)
                and self._joined(sentence, first, first + 1, second)
                and not _anothers(translated, places, other)
            ):
                return other
        return None

    def _has_no_spelling(self, word: str) -> bool:
        return not any(map(self._ordinary, self._spellings(word, self._within)))

    def _spellings(self, text: str, patterns: Iterable[Inclusive]) -> Iterator[Spelling]:
        for pattern in patterns:
            for match in pattern.pattern.finditer(text):
                forms = tuple(form.format(stem=match[1], end=match[2]) for form in pattern.tries)
                yield Spelling(_strategy(pattern, match[0], match[1]), Evidence(match[0], *match.span()), forms)

    def _ordinary(self, spelling: Spelling) -> str | None:
        """The word without its spelling, None if the spelling is only the end of an ordinary word: vieux, padre."""
        word = spelling.evidence.text
        if (
            word.isalpha()
            and spelling.strategy != _CAPITAL
            and any(show.confidence > _LISTED for show in self._show(word))
        ):
            return None
        known = next(filter(self._may_mean, spelling.forms), None)
        return known if known or word.isalpha() else spelling.forms[0]

    def _may_mean_person(self, form: str) -> bool:
        """Whether a form is that of a word for people, or of an adjective, which may be said of one: estoy cansade."""
        if self._mentions.read(form).mentions:
            return True
        shows = [show for show in self._show(form) if show.confidence > _LISTED]
        return any(show.pos in _SAID or (show.pos == "noun" and show.person) for show in shows)

    def _show(self, word: str) -> tuple[Show, ...]:
        shows = self._texts.shows
        return shows(word if self._capitals else word.lower()) if shows else ()

    def _one_stem(self, word: Word, half: Word) -> bool:
        first, second = self._stem(word.lower), self._stem(half.lower)
        if first == second:
            return True
        alike = next((place for place, pair in enumerate(zip(first, second, strict=False)) if len({*pair}) > 1), 99)
        return alike >= max(_SHORTEST, _ALIKE * min(len(first), len(second)))

    def _opposite(self, sentence: Sentence, place: int, other: int) -> bool:
        """Whether two nouns are of opposite genders, by their forms, or by their articles where they are one form."""
        if sentence.words[place].lower == sentence.words[other].lower:
            return {self._article(sentence, place), self._article(sentence, other)} == _BOTH
        mine, theirs = self._genders(sentence.words[place]), self._genders(sentence.words[other])
        if {Gender.FEMININE} in (mine, theirs) and (self._language.unmarked_is_neutral or {None} in (mine, theirs)):
            return mine != theirs
        return mine != theirs and mine | theirs >= _BOTH

    def _genders(self, word: Word) -> set[Gender | None]:
        """The genders that a noun's form shows, by the lexicon of occupations where no table of forms has it."""
        if shown := {show.gender for show in word.shows if show.pos == "noun"}:
            return shown
        readings = {
            reading for mention in self._mentions.read(word.text).mentions for reading in mention.readings.values()
        }
        return {_GENDERS.get(reading) for reading in readings}

    def _article(self, sentence: Sentence, place: int) -> Gender | None:
        cues = self._language.cues.get(sentence.words[place - 1].lower, ()) if place else ()
        return next((cue.gender for cue in cues if cue.place == "before" and not cue.lexical), None)

    def _joined(self, sentence: Sentence, begin: int, end: int, second: int) -> bool:
        """Whether a conjunction or slash, and besides only determiners and adjectives, stand between two words."""
        words, conjunctions = sentence.words, self._language.conjunctions
        between = [word for word in words[end:second] if word.lower not in conjunctions]
        gap = sentence.text[words[end - 1].end : words[second].start]
        proclitic = self._language.writing.proclitics is not None and words[second].lower[:1] in conjunctions
        joint = len(between) < second - end or proclitic or "/" in gap or "(" in gap
        # A comma joins two greetings: Chères clientes, chers clients.
        greeting = "," in gap and len(between) == 1 and begin > 0 and self._one_stem(between[0], words[begin - 1])
        if not joint:
            return greeting or ("," in gap and len(between) == 1 and self._stands_beside(between[0]))
        before = {word.lower for word in words[max(0, begin - 2) : begin]}
        return len(between) <= _GAP and all(self._stands_beside(word) or word.lower in before for word in between)

    def _stands_beside(self, word: Word) -> bool:
        """Whether a word is a determiner or an adjective."""
        if any(cue.place == "before" for cue in self._language.cues.get(word.lower, ())):
            return True
        shows = self._show(word.text)
        return bool(shows) and shows[0].pos in _BESIDE


def names_apart(source: str, end: int) -> bool:
    """Whether the source itself joins a woman or a man to the person who ends at an offset: boys and girls."""
    return any(map(gendered, _joined_to(source, end)))


def _joined_to(source: str, end: int) -> list[str]:
    """The words around an "and" or "or" that joins the person who ends at an offset to others, the person's own too."""
    words = [(word[0].lower(), word.end()) for word in _WORD.finditer(source)]
    last = next((place for place, word in enumerate(words) if word[1] >= end), len(words) - 1)
    return [
        word
        for place in range(max(0, last - _JOINED), min(last + 2, len(words)))
        if words[place][0] in ("and", "or")
        for word, _ in words[max(0, place - 1) : place + _JOINED + 1]
    ]


def _strategy(pattern: Inclusive, spelling: str, root: str) -> str | None:
    """What a spelling is called: as its pattern says, else by the sign that it holds besides the word itself."""
    if pattern.strategy is not None:
        return pattern.strategy or None
    rest = spelling.replace(root, "", 1).lower()
    return next((name for signs, name in _SIGNS if any(sign in rest for sign in signs)), _ENDING)


def _anothers(translated: Translated, places: range, other: int) -> bool:
    """Whether the other half rather renders somebody else of the source: my brother and my sister."""
    links = [link[other] for link in translated.links]
    rival = max(
        (place for place in range(len(links)) if place not in places), key=lambda place: links[place], default=0
    )
    own = max(links[place] for place in places)
    return links[rival] > max(own, _OWN) and names_person(translated.source.words[rival].lower)
