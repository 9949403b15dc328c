"""The words of a translation that name people, by the language's lexicon, and which of them is the focus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from epicene.errors import UnknownNameError
from epicene.languages.folder import load
from epicene.languages.language import Language
from epicene.languages.lexicon import Form, Lexicon, Reading
from epicene.reader.forms import forms_of
from epicene.reader.words import Sentence, Shows, Word, cut, cut_as
from epicene.types import Item, Person

_SHORTEST_HEAD = 4  # letters that the head of a compound has at least
# What speaks against a mention, in shares of the sentence's length.
_COMPOUND = 0.2
_RANK = 0.03  # for each word that is more usual
_LAST_RANK = 10
_SWAPPED = 0.3  # the two people stand in the other order than in the source
_ALONE = 1.0  # nobody is left for the other person


@dataclass(frozen=True, slots=True)
class Mention:
    """Words ``first`` to ``last`` (exclusive) name a person."""

    first: int
    last: int
    readings: Mapping[str, Reading]  # by concept
    ranks: Mapping[str, int]  # by concept: 0 for the most usual words
    compound: bool = False
    proclitics: str = ""  # what is written together before the word

    def common(self) -> Reading:
        """What the form says whatever it translates: the reading of all its concepts, or that either may be meant."""
        readings = set(self.readings.values())
        return readings.pop() if len(readings) == 1 else Reading.EITHER


class _Forms(NamedTuple):
    """What the lexicon lists that begins at a word, itself or inside it; for most words nothing."""

    own: tuple[Form, ...]
    before: str = ""  # proclitics
    inside: tuple[Form, ...] = ()


class MentionFinder:
    """Cuts texts into words and finds the people in them."""

    def __init__(self, language: Language, lexicon: Lexicon | None = None) -> None:
        self._lexicon = language.lexicon if lexicon is None else lexicon
        self._writing = language.writing
        self._compounds = language.writing.compounds and lexicon is None  # Protestanten are no Tanten
        self._fold = lru_cache(maxsize=262144)(language.writing.fold)
        self._forms = lru_cache(maxsize=262144)(self._forms_at)

    def read(self, text: str) -> Sentence:
        """Words and mentions of a text."""
        found = cut_as(text, self._writing.word, self._fold)
        words = [word.lower for word in found.words]
        capitals = self._writing.nouns_capitalised and not text.islower()
        end = 0
        for position, forms in enumerate(map(self._forms, words)):
            if position < end or not (forms.own or forms.inside):
                continue
            small = capitals and found.words[position].text[0].islower()
            if mention := self._mention(forms, words, position, small):
                found.mentions.append(mention)
                end = mention.last
        return found

    def _mention(self, forms: _Forms, words: list[str], position: int, small: bool) -> Mention | None:
        """The mention that begins at a word; a small word where nouns have capitals is none of the nouns."""
        form = self._longest(forms.own, words, position)
        if form is not None and not (small and form.capital):
            return Mention(position, position + len(form.words), form.readings, form.ranks)
        if small:
            return None
        form = self._longest(forms.inside, words, position)
        if form is None:
            return None
        end = position + len(form.words)
        return Mention(position, end, form.readings, form.ranks, self._compounds, forms.before)

    def _longest(self, forms: tuple[Form, ...], words: list[str], position: int) -> Form | None:
        after = tuple(words[position + 1 : position + len(forms[0].words)]) if forms else ()
        joins = self._writing.proclitics is not None
        for form in forms:
            rest = form.words[1:]
            there = after[: len(rest)]
            if there == rest or (joins and len(there) == len(rest) and all(map(self._same, there, rest))):
                return form
        return None

    def _same(self, word: str, listed: str) -> bool:
        """Whether a later word of a phrase is the listed one, proclitics aside."""
        if word == listed:
            return True
        proclitics = self._writing.proclitics
        return proclitics is not None and word.endswith(listed) and bool(proclitics.fullmatch(word[: -len(listed)]))

    def _forms_at(self, word: str) -> _Forms:
        """The forms that a word begins, and those after proclitics or at the end of a compound, the longest first."""
        own, proclitics = self._lexicon.find(word), self._writing.proclitics
        if proclitics is not None:
            for cut in range(1, len(word) - 1):
                if proclitics.fullmatch(word[:cut]) and (forms := self._lexicon.find(word[cut:])):
                    return _Forms(own, word[:cut], forms)
        if self._compounds and not word.endswith(self._writing.not_compounds):
            for cut in range(1, len(word) - _SHORTEST_HEAD + 1):
                heads = self._lexicon.find(word[cut:])
                if forms := tuple(form for form in heads if len(form.words) == 1):
                    return _Forms(own, "", forms)
        return _Forms(own)


class Text:
    """A translation, cut into words once for all who read it."""

    def __init__(self, text: str, texts: Texts) -> None:
        self.text, self._texts = text, texts

    @cached_property
    def sentence(self) -> Sentence:
        """Its words as those of any language are cut, with what their forms show."""
        return cut(self.text, self._texts.shows, self._texts.language.writing.nouns_capitalised)

    @cached_property
    def listed(self) -> Sentence:
        """Its words as its language cuts them, with the people whom the lexicon of occupations lists."""
        return self._texts.occupations.read(self.text)

    @cached_property
    def gendered(self) -> Sentence:
        """The same words, with mothers and princes."""
        return self._texts.people.read(self.text)

    def place(self, word: Word) -> int:
        """Where a word of the language's own stands among the others, or the last part of it."""
        return self.sentence.at(*word.span)[-1]

    def listed_at(self, place: int) -> Reading | None:
        """What tables say of a word, whatever it translates: first whether it is a mother or a prince."""
        return self.gendered_at(place) or _listed(self.listed, self.sentence.words[place])

    def gendered_at(self, place: int) -> Reading | None:
        """What a word means by itself that stands for a mother or a prince, whoever it translates."""
        return _listed(self.gendered, self.sentence.words[place])

    def places(self, concept: str) -> list[int]:
        """The places of the words that the tables list for a concept."""
        return [
            self.place(found.words[mention.first])
            for found in (self.listed, self.gendered)
            for mention in found.mentions
            if concept in mention.readings
        ]

    def with_mention(self, place: int) -> tuple[Sentence, Mention]:
        """The language's own words, with the word at a place among the people in them."""
        word, listed = self.sentence.words[place], self.listed
        for mention in listed.mentions:
            if _touches(listed, mention, word):
                return listed, mention
        return self.with_words(range(place, place + 1))

    def with_words(self, places: range) -> tuple[Sentence, Mention]:
        """The language's own words, with the words at some places as one of the people in them."""
        words, listed = self.sentence.words, self.listed
        inside = listed.at(words[places[0]].start, words[places[-1]].end) or range(1)
        mention = Mention(inside.start, inside.stop, {}, {})
        others = [each for each in listed.mentions if each.last <= mention.first or each.first >= mention.last]
        people = sorted([*others, mention], key=lambda each: each.first)
        return Sentence(listed.text, listed.words, people), mention


class Texts:
    """Cuts translations into a language into words, each once."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.occupations = MentionFinder(language)
        self.people = MentionFinder(language, language.people)
        self.of = lru_cache(maxsize=1 << 8)(lambda text: Text(text, self))

    @cached_property
    def shows(self) -> Shows | None:
        """What a form shows; read when it is first asked for, since listed people often need none."""
        forms = forms_of(self.language.code)
        return forms.shows if forms else None


def _listed(text: Sentence, word: Word) -> Reading | None:
    for mention in text.mentions:
        if _touches(text, mention, word):
            readings = {*mention.readings.values()}
            return readings.pop() if len(readings) == 1 else None
    return None


def _touches(text: Sentence, mention: Mention, word: Word) -> bool:
    """Whether a mention holds a word."""
    return text.words[mention.first].start < word.end and text.words[mention.last - 1].end > word.start


@cache
def _reader(target: str) -> MentionFinder | None:
    try:
        return MentionFinder(load(target))
    except UnknownNameError:
        return None


def mentions(item: Item, text: str, target: str) -> bool:
    """Whether the lexicon finds the focus of an item in a text."""
    reader = _reader(target)
    return reader is not None and any(item.person.concept in found.readings for found in reader.read(text).mentions)


def choose(text: Sentence, mentions: list[Mention], item: Item) -> Mention:
    """The mention that fits best: where it stands, how usual the word is, and whom it leaves for the others."""
    if len(mentions) == 1:
        return mentions[0]
    person, source = item.person, item.source
    costs = {mention.first: _cost(text, mention, person, source) for mention in mentions}
    if not item.others:
        return min(mentions, key=lambda mention: costs[mention.first])
    other = item.others[0]
    rest = [mention for mention in text.mentions if other.concept in mention.readings]

    def cost(pair: tuple[Mention, Mention | None]) -> float:
        mention, partner = pair
        if partner is None:
            return costs[mention.first] + _ALONE
        swapped = (mention.first < partner.first) != (person.start < other.start)
        return costs[mention.first] + _cost(text, partner, other, source) + _SWAPPED * swapped

    pairs = [(mention, partner) for mention, partner in product(mentions, [*rest, None]) if partner is not mention]
    return min(pairs, key=cost)[0]


def nearer(text: Sentence, mention: Mention, other: Person, item: Item) -> bool:
    """Whether a mention stands rather where the person does in the source than where the other person does."""
    return _away(text, mention, item.person, item.source) <= _away(text, mention, other, item.source)


def _away(text: Sentence, mention: Mention, person: Person, source: str) -> float:
    here = text.words[mention.first].start / max(1, len(text.text))
    return abs(here - person.start / max(1, len(source)))


def _cost(text: Sentence, mention: Mention, person: Person, source: str) -> float:
    rank = mention.ranks.get(person.concept, 0)  # where one is no word for the person, none is
    return _away(text, mention, person, source) + _RANK * min(rank, _LAST_RANK) + _COMPOUND * mention.compound
