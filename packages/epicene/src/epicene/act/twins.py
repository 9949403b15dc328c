"""Words and their twins: the form of the other gender, and whether two sentences differ in nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from epicene.reader.forms import Show, forms
from epicene.reader.words import Sentence, Word, cut
from epicene.tables import resource
from epicene.types import Gender

_BESIDE = 3  # words around a person's that may agree with it
_STEM = 3  # letters that two forms of one word share at least
_ENDING = 3  # letters in which they may differ
_OPPOSITE = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
_BENDING = frozenset(("adjective", "participle", "determiner", "pronoun"))
_ELIDED = {"l'", "le", "la"}
BENT_PLURALS = ("ores", "oles", "anes", "ones", "ines", "eses")
_REACH = 3  # words between an article or an adjective and its noun, at most


class _Table(NamedTuple):
    masculine: dict[str, tuple[str, ...]]  # by feminine form
    feminine: dict[str, tuple[str, ...]]  # by masculine form
    function: frozenset[str]
    joined: dict[str, str]
    auxiliary: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    copula: frozenset[str] = frozenset()


def languages() -> tuple[str, ...]:
    """The languages whose words have twins here."""
    return tuple(_raw())


@cache
def _raw() -> dict[str, dict[str, object]]:
    return tomllib.loads(resource("act/tables", "twins.toml").read_text(encoding="utf-8"))


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
    return found._replace(
        function=frozenset(function),
        joined=dict(joined) if isinstance(joined, dict) else {},
        auxiliary=frozenset(str(raw["auxiliary"]).split()),
        fixed=frozenset(str(raw["fixed"]).split()),
        plain=frozenset(str(raw["plain"]).split()) | frozenset(str(raw["copula"]).split()),
        copula=frozenset(str(raw["copula"]).split()),
    )


@lru_cache(maxsize=1 << 14)
def twins(word: str, gender: Gender, language: str) -> tuple[str, ...]:
    """The forms of a gender that a word of the other gender has, written with its capital; none if it has none."""
    table, small = _table(language), word.lower().replace("’", "'")
    listed = (table.feminine if gender is Gender.FEMININE else table.masculine).get(small, ())
    shown = [
        show.counterpart
        for show in forms(language).shows(word if language == "de" else small)
        if show.counterpart and show.gender is _OPPOSITE[gender] and not (language == "es" and _one_form(small, show))
    ]
    if small in table.fixed or (small in table.plain and small not in table.function):
        return ()
    if gender is Gender.FEMININE and small in table.joined:  # al: a la
        before, _, article = table.joined[small].rpartition(" ")
        listed = (*listed, *(f"{before} {each}" for each in table.feminine.get(article, ())))
    found = dict.fromkeys((*listed, *(each for each in shown if each)))
    capital = word[:1].isupper()
    return tuple(each[:1].upper() + each[1:] if capital else each for each in found if each.lower() != small)


def _one_form(word: str, show: Show) -> bool:
    """Whether a Spanish adjective has one form for both genders, whatever a table of endings says: libre, felices."""
    if show.pos == "noun" and show.person:
        return False
    return word.endswith("e") or (word.endswith("es") and not word.endswith(BENT_PLURALS))


def bends(word: Word, language: str) -> bool:
    """Whether a word only agrees with another: an article, an adjective, a participle, a pronoun."""
    if word.lower in _table(language).function:
        return True
    shows = forms(language).shows(word.lower)
    if shows and shows[0].pos == "noun" and shows[0].person is False:
        return False  # la salida, rather than the participle
    return any(show.pos in _BENDING for show in shows)


def function_genders(word: str, language: str) -> frozenset[Gender]:
    """The genders that an article or a pronoun of the table may have; none of another word."""
    table = _table(language)
    if word not in table.function and word not in table.joined:
        return frozenset()
    found = {Gender.MASCULINE} if word in table.feminine or word in table.joined else set()
    return frozenset(found | ({Gender.FEMININE} if word in table.masculine else set()))


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
    table = _table(language)
    if {one, other} & table.fixed:
        return False
    if one in table.feminine.get(other, ()) or other in table.feminine.get(one, ()):
        return True
    if _a_thing(first, language) or _a_thing(second, language):
        return False  # vida and vid
    for gender in _OPPOSITE:
        told = {each.lower() for each in (*twins(first, gender, language), *twins(second, gender, language))}
        if one in told or other in told:
            return True
    return _same_stem(first, second, language)


def _a_thing(word: str, language: str) -> bool:
    shows = forms(language).shows(word if language == "de" else word.lower())
    return bool(shows) and all(show.pos == "noun" and show.person is False for show in shows)


def _same_stem(first: str, second: str, language: str) -> bool:
    """Whether two forms begin alike and show different genders."""
    shortest = min(len(first), len(second))
    shared = next((at for at in range(shortest) if first[at].lower() != second[at].lower()), shortest)
    if shared < max(_STEM, shortest // 2) or max(len(first), len(second)) - shared > _ENDING:
        return False
    shown = [
        {show.gender for show in forms(language).shows(word if language == "de" else word.lower())}
        for word in (first, second)
    ]
    return any(one in shown[0] and other in shown[1] for one, other in _OPPOSITE.items())


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
        names = names_person(sentence.words[head], language)
        for step in (-1, 1):
            place = head + step
            while 0 <= place < len(sentence.words) and abs(place - head) <= _BESIDE:
                word = sentence.words[place]
                if word.clause != sentence.words[head].clause:
                    break
                bending = bends(word, language)
                # Beside a noun only what bends is its own: el hijo del médico. Beside an article stands the noun.
                if (bending or not names) and twins(word.text, gender, language):
                    found.add(place)
                if not bending:
                    break  # behind the noun something else begins
                place += step
    return found


def names_person(word: Word, language: str) -> bool:
    """Whether a word is a noun for a person, in one of its readings."""
    shows = forms(language).shows(word.text if language == "de" else word.lower)
    return any(show.pos == "noun" and show.person for show in shows)


def all_bending(sentence: Sentence, heads: Collection[int], gender: Gender, language: str) -> set[int]:
    """The person's words and all that bend and stand beside no noun for a thing."""
    found = {place for place in heads if twins(sentence.words[place].text, gender, language)}
    for place, word in enumerate(sentence.words):
        if not twins(word.text, gender, language) or not bends(word, language):
            continue
        if not of_thing(sentence, place, language) and not behind_auxiliary(sentence, place, language):
            found.add(place)
    return found


def of_thing(sentence: Sentence, place: int, language: str) -> bool:
    """Whether a word stands with a noun for a thing: right behind it, or before it with nothing but such words between.

    A number is taken for such a noun: los primeros cuatro meses.
    """
    if (
        place
        and _thing(sentence.words[place - 1], language)
        and sentence.words[place].clause == sentence.words[place - 1].clause
    ):
        return True
    for other in sentence.words[place + 1 : place + 1 + _REACH]:
        if other.clause != sentence.words[place].clause:
            return False
        if _thing(other, language):
            return True
        if not bends(other, language):
            return False  # a noun for a person, or a verb
    return False


def behind_auxiliary(sentence: Sentence, place: int, language: str) -> bool:
    """Whether a participle stands behind have, with which it agrees with nobody: hemos tenido."""
    before = sentence.words[max(0, place - 2) : place]
    shows = forms(language).shows(sentence.words[place].lower)
    auxiliary = any(each.lower in _table(language).auxiliary for each in before)
    return auxiliary and any(show.pos == "participle" for show in shows)


def is_copula(word: Word, language: str) -> bool:
    """Whether a word is a form of *to be*."""
    return word.lower in _table(language).copula


def is_plain(word: Word, language: str) -> bool:
    """Whether a word is one of those that only look like nouns: son, est."""
    return word.lower in _table(language).plain


def _thing(word: Word, language: str) -> bool:
    if is_plain(word, language):
        return False
    shows = forms(language).shows(word.text if language == "de" else word.lower)
    nouns = [show for show in shows if show.pos == "noun"]
    return bool(nouns) and not any(show.person or show.counterpart for show in nouns) and shows[0].pos == "noun"
