"""The words of a translation that name people, by the language's lexicon, and which of them is the focus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

from epicene.errors import UnknownNameError
from epicene.languages.folder import load
from epicene.languages.language import Language
from epicene.languages.lexicon import Form, Lexicon, Reading
from epicene.reader.words import Sentence, cut_as
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


class MentionFinder:
    """Cuts texts into words and finds the people in them."""

    def __init__(self, language: Language, lexicon: Lexicon | None = None) -> None:
        self._lexicon = language.lexicon if lexicon is None else lexicon
        self._writing = language.writing
        self._compounds = language.writing.compounds and lexicon is None  # Protestanten are no Tanten
        self._fold = lru_cache(maxsize=262144)(language.writing.fold)
        self._inside = lru_cache(maxsize=262144)(self._forms_inside)
        self._begins = lru_cache(maxsize=262144)(self._may_begin)

    def read(self, text: str) -> Sentence:
        """Words and mentions of a text."""
        found = cut_as(text, self._writing.word, self._fold)
        words = [word.lower for word in found.words]
        capitals = self._writing.nouns_capitalised and not text.islower()
        position = 0
        while position < len(words):
            if not self._begins(words[position]):
                position += 1
                continue
            small = capitals and found.words[position].text[0].islower()
            mention = self._mention(words, position, small)
            if mention is None:
                position += 1
            else:
                found.mentions.append(mention)
                position = mention.last
        return found

    def _may_begin(self, word: str) -> bool:
        """Whether a mention can begin at a word at all; few words can."""
        return bool(self._lexicon.find(word) or self._inside(word)[1])

    def _mention(self, words: list[str], position: int, small: bool) -> Mention | None:
        """The mention that begins at a word; a small word where nouns have capitals is none of the nouns."""
        word = words[position]
        form = self._longest(self._lexicon.find(word), words, position)
        if form is not None and not (small and form.capital):
            return Mention(position, position + len(form.words), form.readings, form.ranks)
        if small:
            return None
        before, forms = self._inside(word)
        form = self._longest(forms, words, position)
        if form is None:
            return None
        size = len(form.words)
        return Mention(position, position + size, form.readings, form.ranks, self._compounds, before)

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
        proclitics = self._writing.proclitics
        return proclitics is not None and word.endswith(listed) and bool(proclitics.fullmatch(word[: -len(listed)]))

    def _forms_inside(self, word: str) -> tuple[str, tuple[Form, ...]]:
        """Proclitics and the forms after them, or the forms at the end of a compound, the longest first."""
        proclitics = self._writing.proclitics
        if proclitics is not None:
            for cut in range(1, len(word) - 1):
                if proclitics.fullmatch(word[:cut]) and (forms := self._lexicon.find(word[cut:])):
                    return word[:cut], forms
        if self._compounds and not word.endswith(self._writing.not_compounds):
            for cut in range(1, len(word) - _SHORTEST_HEAD + 1):
                heads = self._lexicon.find(word[cut:])
                if found := tuple(form for form in heads if len(form.words) == 1):
                    return "", found
        return "", ()


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
