"""Turn the words of a sentence to the other gender, and see whether all that is said of a person agrees."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from epicene.languages.folder import load
from epicene.reader.forms import Show, forms
from epicene.reader.words import Sentence, Word, cut
from epicene.store.records import decode
from epicene.tables import resource
from epicene.types import Gender

_BESIDE = 3  # words around a person's that may agree with it
_REACH = 3  # words between an article or an adjective and its noun, at most
_STEM = 3  # letters that two forms of one word share at least
_ENDING = 3  # letters in which they may differ
_OPPOSITE = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
_PREDICATES = ("adjective", "participle")
_INFLECTED = frozenset((*_PREDICATES, "determiner", "pronoun"))


Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    """What twins.toml says of a language; the file explains the fields."""

    function: Words
    words: Words
    auxiliary: Words = ()
    fixed: Words = ()
    copula: Words = ()
    plain: Words = ()
    neuter: Words = ()
    elided: Words = ()
    of: Words = ()
    one_form: Words = ()
    one_form_nouns: Words = ()
    two_forms: Words = ()
    before_stressed: Words = ()
    stressed: Words = ()
    contractions: dict[str, str] = field(default_factory=dict)
    articles_show_gender: bool = True


def languages() -> tuple[str, ...]:
    """The languages whose sentences can be rewritten."""
    return tuple(_raw())


@cache
def rewriter(language: str) -> Rewriter:
    """The rewriter of a language."""
    return Rewriter(language)


@cache
def _raw() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resource("act/tables", "twins.toml").read_text(encoding="utf-8"))


def _read_table(language: str) -> _Table:
    rows = {name: row.split() if isinstance(row, str) else row for name, row in _raw()[language].items()}
    return decode(_Table, rows, "twins.toml")


class Rewriter:
    """Knows which words of a language stand for each other, and which agree."""

    def __init__(self, language: str) -> None:
        self._table = _read_table(language)
        self._masculine: dict[str, Words] = {}  # by feminine form
        self._feminine: dict[str, Words] = {}  # by masculine form
        for pair in (*self._table.function, *self._table.words):
            man, _, woman = pair.lower().partition("/")
            self._feminine[man] = (*self._feminine.get(man, ()), woman)
            self._masculine[woman] = (*self._masculine.get(woman, ()), man)
        self._plain = frozenset((*self._table.plain, *self._table.copula))
        self._function = frozenset("/".join(self._table.function).lower().split("/"))
        self._forms = forms(language)
        self._capitals = load(language).writing.nouns_capitalised
        self.counterparts = lru_cache(maxsize=1 << 14)(self._counterparts)
        self.are_counterparts = lru_cache(maxsize=1 << 14)(self._are_counterparts)

    def _shows(self, word: str) -> tuple[Show, ...]:
        return self._forms.shows(word if self._capitals else word.lower())

    def _counterparts(self, word: str, gender: Gender) -> tuple[str, ...]:
        """The forms of a gender that a word of the other gender has, written with its capital; none if it has none."""
        table, small = self._table, _fold(word)
        if small in table.fixed or (small in self._plain and small not in self._function):
            return ()
        listed = (self._feminine if gender is Gender.FEMININE else self._masculine).get(small, ())
        if gender is Gender.FEMININE and small in table.contractions:  # al: a la
            before, _, article = table.contractions[small].rpartition(" ")
            listed = (*listed, *(f"{before} {feminine}" for feminine in self._feminine.get(article, ())))
        learnt = [
            show.counterpart
            for show in self._forms.shows(word if self._capitals else small)
            if show.counterpart and show.gender is _OPPOSITE[gender] and not self._has_one_form(small, show)
        ]
        forms_of_gender = dict.fromkeys((*listed, *learnt))
        capital = word[:1].isupper()
        return tuple(
            form[:1].upper() + form[1:] if capital else form for form in forms_of_gender if form.lower() != small
        )

    def _has_one_form(self, word: str, show: Show) -> bool:
        """Whether an adjective has one form for both genders, whatever a table of endings says: libre, felices."""
        if show.pos == "noun" and show.person:
            return False
        return word.endswith(self._table.one_form) and not word.endswith(self._table.two_forms)

    def _are_counterparts(self, first: str, second: str) -> bool:
        """Whether two words are one word in two genders."""
        table, one, other = self._table, _fold(first), _fold(second)
        if one == other or {one, other}.issubset(table.elided):
            return True
        if not {one, other}.isdisjoint(table.fixed):
            return False
        if one in self._feminine.get(other, ()) or other in self._feminine.get(one, ()):
            return True
        if self._names_only_things(first) or self._names_only_things(second):
            return False  # vida and vid
        for gender in _OPPOSITE:
            counterparts = {*self.counterparts(first, gender), *self.counterparts(second, gender)}
            if not {one, other}.isdisjoint(form.lower() for form in counterparts):
                return True
        return self._share_stem(first, second)

    def _share_stem(self, first: str, second: str) -> bool:
        """Whether two forms begin alike and show different genders."""
        shortest = min(len(first), len(second))
        shared = next((at for at in range(shortest) if first[at].lower() != second[at].lower()), shortest)
        if shared < max(_STEM, shortest // 2) or max(len(first), len(second)) - shared > _ENDING:
            return False
        ours, theirs = ({show.gender for show in self._shows(word)} for word in (first, second))
        return any(one in ours and other in theirs for one, other in _OPPOSITE.items())

    def _names_only_things(self, word: str) -> bool:
        shows = self._shows(word)
        return bool(shows) and all(show.pos == "noun" and show.person is False for show in shows)

    def _names_thing(self, word: Word) -> bool:
        shows = () if self._is_plain(word) else self._shows(word.text)
        nouns = [show for show in shows if show.pos == "noun"]
        return bool(nouns) and not any(show.person or show.counterpart for show in nouns) and shows[0].pos == "noun"

    def _names_person(self, word: Word) -> bool:
        """Whether a word is a noun for a person, in one of its readings."""
        return any(show.pos == "noun" and show.person for show in self._shows(word.text))

    def is_noun_of_other(self, word: str, gender: Gender) -> bool:
        """Whether a word is a noun for a person of the other gender, so that it has a counterpart of this one."""
        if word.lower() in self._function or not self.counterparts(word, gender):
            return False
        shows = self._shows(word)
        return bool(shows) and shows[0].pos == "noun" and shows[0].gender is _OPPOSITE[gender]

    def _agrees(self, word: Word) -> bool:
        """Whether a word only agrees with another: an article, an adjective, a participle, a pronoun."""
        if word.lower in self._function:
            return True
        shows = self._forms.shows(word.lower)
        if shows and shows[0].pos == "noun" and shows[0].person is False:
            return False  # la salida, rather than the participle
        return any(show.pos in _INFLECTED for show in shows)

    def _function_genders(self, word: str) -> set[Gender]:
        """The genders that an article or a pronoun of the table may have; none of another word."""
        contractions = self._table.contractions
        if word not in self._function and word not in contractions:
            return set()
        genders = {Gender.MASCULINE} if word in self._feminine or word in contractions else set()
        return genders | ({Gender.FEMININE} if word in self._masculine else set())

    def _is_copula(self, word: Word) -> bool:
        return word.lower in self._table.copula

    def _is_plain(self, word: Word) -> bool:
        """Whether a word only looks like a noun: son, est."""
        return word.lower in self._plain

    def differences(self, first: str, second: str) -> list[tuple[str, str]] | None:
        """The words in which two sentences differ, if in nothing but gender; None where something else differs."""
        ours, theirs = list(self._split(first)), list(self._split(second))
        if len(ours) != len(theirs):
            return None
        pairs = [pair for pair in zip(ours, theirs, strict=True) if pair[0].lower() != pair[1].lower()]
        return pairs if all(self.are_counterparts(*pair) for pair in pairs) else None

    def _split(self, text: str) -> Iterator[str]:
        """The words of a sentence, with those that are two in one taken apart."""
        for word in cut(text).words:
            yield from self._table.contractions.get(word.lower, word.text).split()

    def rewrite(self, sentence: Sentence, indices: Collection[int], gender: Gender, last: int = -1) -> str:
        """The sentence with some words turned to a gender; up to the word ``last``, where it is given."""
        parts, at = [], 0
        for index, word in enumerate(sentence.words):
            turned = self.counterparts(word.text, gender)[:1] if index in indices else ()
            parts += [sentence.text[at : word.start], turned[0] if turned else word.text]
            at = word.end
            if index == last:
                break
        text = "".join(parts) + ("" if last >= 0 else sentence.text[at:])
        for joined, apart in self._table.contractions.items() if gender is Gender.MASCULINE else ():
            text = re.sub(rf"(?<!\w){apart}(?!\w)", joined, text)
            text = re.sub(rf"(?<!\w){apart.capitalize()}(?!\w)", joined.capitalize(), text)
        return text

    def find_agreeing(self, sentence: Sentence, heads: Collection[int], gender: Gender) -> set[int]:
        """The words to turn with those of a person: what stands beside them and agrees, word by word."""
        indices = self._find_turnable(sentence, heads, gender)
        for head in heads:
            is_noun = self._names_person(sentence.words[head])
            for step in (-1, 1):
                index = head + step
                while 0 <= index < len(sentence.words) and abs(index - head) <= _BESIDE:
                    word = sentence.words[index]
                    if word.clause != sentence.words[head].clause:
                        break
                    agrees = self._agrees(word)
                    # Beside a noun only what agrees belongs to it: el hijo del médico. Beside an article is the noun.
                    if (agrees or not is_noun) and self.counterparts(word.text, gender):
                        indices.add(index)
                    if not agrees:
                        break  # behind the noun something else begins
                    index += step
        return indices

    def find_all_agreeing(self, sentence: Sentence, heads: Collection[int], gender: Gender) -> set[int]:
        """The person's words, and all others that agree with something and stand beside no noun for a thing."""
        return self._find_turnable(sentence, heads, gender) | {
            index
            for index, word in enumerate(sentence.words)
            if self.counterparts(word.text, gender) and self._agrees(word) and self._may_be_persons(sentence, index)
        }

    def _find_turnable(self, sentence: Sentence, indices: Collection[int], gender: Gender) -> set[int]:
        return {index for index in indices if self.counterparts(sentence.words[index].text, gender)}

    def _may_be_persons(self, sentence: Sentence, index: int) -> bool:
        return not self._stands_with_thing(sentence, index) and not self._follows_auxiliary(sentence, index)

    def _stands_with_thing(self, sentence: Sentence, index: int) -> bool:
        """Whether a word follows a noun for a thing, or precedes it with nothing but such words between.

        A number is taken for such a noun: los primeros cuatro meses.
        """
        words = sentence.words
        if index and self._names_thing(words[index - 1]) and words[index].clause == words[index - 1].clause:
            return True
        for word in words[index + 1 : index + 1 + _REACH]:
            if word.clause != words[index].clause:
                return False
            if self._names_thing(word):
                return True
            if not self._agrees(word):
                return False  # a noun for a person, or a verb
        return False

    def _follows_auxiliary(self, sentence: Sentence, index: int) -> bool:
        """Whether a participle stands behind have, with which it agrees with nobody: hemos tenido."""
        if not any(word.lower in self._table.auxiliary for word in sentence.words[max(0, index - 2) : index]):
            return False
        return any(show.pos == "participle" for show in self._forms.shows(sentence.words[index].lower))

    def count_wrong_articles(self, sentence: Sentence) -> int:
        """How many articles of one gender stand with a noun, or a pronoun, that has only the other: las padres."""
        if not self._table.articles_show_gender:
            return 0
        return sum(self._is_wrong_article(sentence, index) for index in range(len(sentence.words)))

    def _is_wrong_article(self, sentence: Sentence, index: int) -> bool:
        article = sentence.words[index]
        genders = self._function_genders(article.lower)
        if len(genders) != 1:
            return False
        for distance, word in enumerate(sentence.words[index + 1 : index + 1 + _REACH]):
            if word.clause != article.clause or self._is_plain(word):
                return False
            others = self._function_genders(word.lower)
            if others:
                neuter = article.lower in self._table.neuter
                return distance == 0 and len(others) == 1 and others != genders and not neuter
            nouns = [show for show in self._forms.shows(word.lower) if show.pos == "noun"]
            if nouns and not (self._agrees(word) and len({show.gender for show in nouns}) > 1):
                return self._disagree(article, word, nouns, genders)
            if not self._agrees(word):
                return False
        return False

    def _disagree(self, article: Word, noun: Word, shows: list[Show], genders: Collection[Gender]) -> bool:
        table = self._table
        if article.lower in table.before_stressed and noun.lower.startswith(table.stressed):
            return False
        one_form = noun.lower.endswith(table.one_form_nouns) and not noun.lower.endswith(table.two_forms)
        if one_form and shows[0].person is not False:
            return False
        return all(show.gender is not None and show.gender not in genders for show in shows)

    def find_disagreeing(self, sentence: Sentence, heads: Collection[int], gender: Gender) -> set[int]:
        """The adjectives and participles that could agree with people of a gender, and show the other one.

        What stands with a noun for a thing, behind *have*, in another number than all of the people, or after a noun of
        the gender that it shows, is not theirs.
        """
        numbers = {show.number for head in heads for show in self._forms.shows(sentence.words[head].lower)} - {""}
        indices = set[int]()
        for index, word in enumerate(sentence.words):
            if index in heads or not self.counterparts(word.text, gender):
                continue
            before = sentence.words[max(0, index - 2) : index]
            if self._names_person(word) and any(map(self._is_copula, before)):
                # My friend is an author: the noun and its article.
                if not self._belongs_to_other(sentence, index, heads, gender):
                    indices |= {index} if self._is_copula(before[-1]) else {index - 1, index}
                continue
            predicates = [show for show in self._forms.shows(word.lower) if show.pos in _PREDICATES]
            if not predicates:
                continue
            follows = index - 1 in heads and self._names_person(sentence.words[index - 1])  # the British minister
            if not follows and (self._names_person(word) or not self._agrees(word)):
                continue
            if numbers and not any(show.number in ("", *numbers) for show in predicates):
                continue
            belongs_to_other = self._belongs_to_other(sentence, index, indices | set(heads), gender)
            if self._may_be_persons(sentence, index) and not belongs_to_other:
                indices.add(index)
        return indices

    def _belongs_to_other(self, sentence: Sentence, index: int, heads: Collection[int], gender: Gender) -> bool:
        """Whether a noun before a word has the gender that it shows: a thing of the same clause, or another person."""
        clause = sentence.words[index].clause
        for before, word in enumerate(sentence.words[:index]):
            if before in heads or self._is_plain(word) or self._function_genders(word.lower):
                continue
            if any(other.lower in self._table.of for other in sentence.words[max(0, before - 2) : before]):
                continue  # the farmers of Scotland
            nouns = [show for show in self._forms.shows(word.lower)[:1] if show.pos == "noun"]
            if any(show.gender not in (gender, None) and (show.person or word.clause == clause) for show in nouns):
                return True
        return False


def _fold(word: str) -> str:
    return word.lower().replace("’", "'")
