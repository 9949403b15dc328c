"""Words and their twins: the form of the other gender, and whether two sentences differ in nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from epicene.detectors.reading.forms import forms
from epicene.detectors.reading.sentence import Sentence, Word, cut
from epicene.tables import resource
from epicene.types import Gender

_BESIDE = 3  # words around a person's that may agree with it
_STEM = 3  # letters that two forms of one word share at least
_OPPOSITE = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
_BENDING = frozenset(("adjective", "participle", "determiner", "pronoun"))
_ELIDED = {"l'", "le", "la"}


class _Table(NamedTuple):
    masculine: dict[str, tuple[str, ...]]  # by feminine form
    feminine: dict[str, tuple[str, ...]]  # by masculine form
    function: frozenset[str]
    joined: dict[str, str]


def languages() -> tuple[str, ...]:
    """The languages whose words have twins here."""
    return tuple(_raw())


@cache
def _raw() -> dict[str, dict[str, object]]:
    return tomllib.loads(resource("acting", "twins.toml").read_text(encoding="utf-8"))


@cache
def _table(language: str) -> _Table:
    raw = _raw()[language]
    found = _Table({}, {}, frozenset(), {})
    function: set[str] = set()
    for name in ("function", "words"):
        for pair in str(raw[name]).split():
            man, _, woman = (each.lower() for each in pair.partition("/"))
            found.feminine[man] = (*found.feminine.get(man, ()), woman)
            found.masculine[woman] = (*found.masculine.get(woman, ()), man)
            function |= {man, woman} if name == "function" else set()
    joined = raw["joined"]
    return found._replace(function=frozenset(function), joined=dict(joined) if isinstance(joined, dict) else {})


@lru_cache(maxsize=1 << 14)
def twins(word: str, gender: Gender, language: str) -> tuple[str, ...]:
    """The forms of a gender that a word of the other gender has, written with its capital; none if it has none."""
    table, small = _table(language), word.lower().replace("’", "'")
    listed = (table.feminine if gender is Gender.FEMININE else table.masculine).get(small, ())
    shown = [
        show.counterpart
        for show in forms(language).shows(word if language == "de" else small)
        if show.counterpart and show.gender is _OPPOSITE[gender]
    ]
    if gender is Gender.FEMININE and small in table.joined:  # al: a la
        before, _, article = table.joined[small].rpartition(" ")
        listed = (*listed, *(f"{before} {each}" for each in table.feminine.get(article, ())))
    found = dict.fromkeys((*listed, *(each for each in shown if each)))
    capital = word[:1].isupper()
    return tuple(each[:1].upper() + each[1:] if capital else each for each in found if each.lower() != small)


def bends(word: Word, language: str) -> bool:
    """Whether a word only agrees with another: an article, an adjective, a participle, a pronoun."""
    if word.lower in _table(language).function:
        return True
    return any(show.pos in _BENDING for show in forms(language).shows(word.lower))


def is_noun_of_other(word: str, gender: Gender, language: str) -> bool:
    """Whether a word is a noun for a person of the other gender, so that it has a twin of this one."""
    if word.lower() in _table(language).function or not twins(word, gender, language):
        return False
    shows = forms(language).shows(word if language == "de" else word.lower())
    return bool(shows) and shows[0].pos == "noun" and shows[0].gender is _OPPOSITE[gender]


@lru_cache(maxsize=1 << 14)
def are_twins(first: str, second: str, language: str) -> bool:
    """Whether two words are one word in two genders."""
    one, other = first.lower().replace("’", "'"), second.lower().replace("’", "'")
    if one == other or {one, other} <= _ELIDED:
        return True
    for gender in _OPPOSITE:
        told = {each.lower() for each in (*twins(first, gender, language), *twins(second, gender, language))}
        if one in told or other in told:
            return True
    return _same_stem(first, second, language)


def _same_stem(first: str, second: str, language: str) -> bool:
    """Whether two forms begin alike and show different genders."""
    shared = next((at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), 0)
    if shared < max(_STEM, min(len(first), len(second)) // 2):
        return False
    shows = [
        {show.gender for show in forms(language).shows(word if language == "de" else word.lower())}
        for word in (first, second)
    ]
    return any(one in shows[0] and other in shows[1] for one, other in _OPPOSITE.items())


def differences(first: str, second: str, language: str) -> list[tuple[str, str]] | None:
    """The words in which two sentences differ, if in nothing but gender; None where something else differs."""
    ours, theirs = (list(_words(text, language)) for text in (first, second))
    if len(ours) != len(theirs):
        return None
    found = [pair for pair in zip(ours, theirs, strict=True) if pair[0].lower() != pair[1].lower()]
    return found if all(are_twins(one, other, language) for one, other in found) else None


def _words(text: str, language: str) -> Iterator[str]:
    """The words of a sentence, those that are two in one apart."""
    joined = _table(language).joined
    for word in cut(text).words:
        yield from joined.get(word.lower, word.text).split()


def rewritten(sentence: Sentence, places: Collection[int], gender: Gender, language: str, last: int = -1) -> str:
    """The sentence with words as their twins, the first of each; up to a place, where one is given."""
    parts, at = [], 0
    for place, word in enumerate(sentence.words):
        new = twins(word.text, gender, language)[:1] if place in places else ()
        parts += [sentence.text[at : word.start], new[0] if new else word.text]
        at = word.end
        if place == last:
            break
    text = "".join(parts) + ("" if last >= 0 else sentence.text[at:])
    for joined, apart in _table(language).joined.items() if gender is Gender.MASCULINE else ():
        text = re.sub(rf"(?<!\w){apart}(?!\w)", joined, text)
        text = re.sub(rf"(?<!\w){apart.capitalize()}(?!\w)", joined.capitalize(), text)
    return text


def agreeing(sentence: Sentence, heads: Collection[int], gender: Gender, language: str) -> set[int]:
    """The places of words to turn with those of a person: what stands beside them and bends, word by word."""
    found = {place for place in heads if twins(sentence.words[place].text, gender, language)}
    for head in heads:
        for step in (-1, 1):
            place = head + step
            while 0 <= place < len(sentence.words) and abs(place - head) <= _BESIDE:
                word = sentence.words[place]
                if word.clause != sentence.words[head].clause:
                    break
                turned = bool(twins(word.text, gender, language))
                if turned:
                    found.add(place)
                if not bends(word, language):
                    break  # behind the noun something else begins
                place += step
    return found


def all_bending(sentence: Sentence, heads: Collection[int], gender: Gender, language: str) -> set[int]:
    """The person's words and all that bend and stand beside no noun for a thing."""
    found = {place for place in heads if twins(sentence.words[place].text, gender, language)}
    for place, word in enumerate(sentence.words):
        if not twins(word.text, gender, language) or not bends(word, language):
            continue
        beside = [sentence.words[each] for each in (place - 1, place + 1) if 0 <= each < len(sentence.words)]
        if not any(_thing(each, language) for each in beside):
            found.add(place)
    return found


def _thing(word: Word, language: str) -> bool:
    shows = forms(language).shows(word.text if language == "de" else word.lower)
    nouns = [show for show in shows if show.pos == "noun"]
    return bool(nouns) and not any(show.person or show.counterpart for show in nouns) and shows[0].pos == "noun"
