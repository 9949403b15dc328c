"""Whether the words of a sentence agree: articles with their nouns, and what is said of people with these."""

from __future__ import annotations

from collections.abc import Collection

from epicene.act.twins import (
    BENT_PLURALS,
    behind_auxiliary,
    bends,
    function_genders,
    is_copula,
    is_plain,
    names_person,
    of_thing,
    twins,
)
from epicene.reader.forms import Show, forms
from epicene.reader.words import Sentence, Word
from epicene.types import Gender

_REACH = 3  # words between an article and its noun, at most
_SAID = ("adjective", "participle")
_OF = frozenset(("de", "del", "di", "d'", "du", "des", "do", "da", "della"))
_CASES = ("de",)  # articles of several cases look alike, so nothing can be told from them
_BEFORE_STRESSED, _STRESSED = ("el", "un", "al", "del"), ("a", "á", "ha", "há")  # Spanish: el agua, un ama
# How nouns for people end that have one form for both, though a table of forms may list one gender: la paciente.
_BOTH = {
    "es": ("e", "es", "ista", "istas", "al", "ales"),
    "fr": ("e", "es"),
    "it": ("e", "ista"),
    "pt": ("e", "es", "ista"),
}


def torn(sentence: Sentence, language: str) -> int:
    """How many articles of one gender stand with a noun, or a pronoun, that has only the other: las padres."""
    if language in _CASES:
        return 0
    return sum(_torn_at(sentence, place, language) for place in range(len(sentence.words)))


def _torn_at(sentence: Sentence, place: int, language: str) -> bool:
    word = sentence.words[place]
    own = function_genders(word.lower, language)
    if len(own) != 1:
        return False
    for step, other in enumerate(sentence.words[place + 1 : place + 1 + _REACH]):
        theirs = function_genders(other.lower, language)
        if other.clause != word.clause or is_plain(other, language):
            return False
        if theirs:
            return step == 0 and len(theirs) == 1 and theirs != own and word.lower != "lo"
        nouns = [show for show in forms(language).shows(other.lower) if show.pos == "noun"]
        if nouns and not (bends(other, language) and len({show.gender for show in nouns}) > 1):
            return _disagree(word, other, nouns, own, language)
        if not bends(other, language):
            return False
    return False


def _disagree(word: Word, other: Word, nouns: list[Show], own: Collection[Gender], language: str) -> bool:
    if language == "es" and word.lower in _BEFORE_STRESSED and other.lower.startswith(_STRESSED):
        return False
    both = other.lower.endswith(_BOTH.get(language, ())) and not other.lower.endswith(BENT_PLURALS)
    if both and nouns[0].person is not False:
        return False
    return all(show.gender is not None and show.gender not in own for show in nouns)


def loose(sentence: Sentence, heads: Collection[int], gender: Gender, language: str) -> set[int]:
    """The places of adjectives and participles that could agree with people of a gender, and show the other one.

    What stands with a noun for a thing, behind *have*, in another number than all of the people, or after a noun of
    the gender that it shows, is not theirs.
    """
    numbers = {show.number for head in heads for show in forms(language).shows(sentence.words[head].lower)} - {""}
    found = set[int]()
    for place, word in enumerate(sentence.words):
        if place in heads or not twins(word.text, gender, language):
            continue
        before = sentence.words[max(0, place - 2) : place]
        predicate = bool(before) and is_copula(before[-1], language)
        if names_person(word, language) and any(is_copula(each, language) for each in before):
            # My friend is an author: the noun and its article.
            if not _owned(sentence, place, heads, gender, language):
                found |= {place} if predicate else {place - 1, place}
            continue
        said = [show for show in forms(language).shows(word.lower) if show.pos in _SAID]
        if not said:
            continue
        behind = place - 1 in heads and names_person(sentence.words[place - 1], language)  # the British minister
        if not behind and (names_person(word, language) or not bends(word, language)):
            continue
        alike = not numbers or any(show.number in ("", *numbers) for show in said)
        theirs = alike and not of_thing(sentence, place, language) and not behind_auxiliary(sentence, place, language)
        if theirs and not _owned(sentence, place, found | set(heads), gender, language):
            found.add(place)
    return found


def _owned(sentence: Sentence, place: int, heads: Collection[int], gender: Gender, language: str) -> bool:
    """Whether a noun before a word has the gender that it shows: a thing of the same clause, or another person."""
    word = sentence.words[place]
    for before in range(place):
        other = sentence.words[before]
        if before in heads or is_plain(other, language) or function_genders(other.lower, language):
            continue
        if any(each.lower in _OF for each in sentence.words[max(0, before - 2) : before]):
            continue  # the farmers of Scotland
        nouns = [show for show in forms(language).shows(other.lower)[:1] if show.pos == "noun"]
        if any(show.gender not in (gender, None) and (show.person or other.clause == word.clause) for show in nouns):
            return True
    return False
