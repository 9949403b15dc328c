"""Whether the words of a sentence agree: articles with their nouns, and what is said of people with these."""

from __future__ import annotations

from collections.abc import Collection

from epicene.detectors.reading.forms import forms
from epicene.detectors.reading.sentence import Sentence
from epicene.detectors.reading.twins import behind_auxiliary, bends, function_genders, is_plain, of_thing, twins
from epicene.types import Gender

_REACH = 3  # words between an article and its noun, at most
_SAID = ("adjective", "participle")
_CASES = ("de",)  # articles of several cases look alike, so nothing can be told from them
_BEFORE_STRESSED, _STRESSED = ("el", "un", "al", "del"), ("a", "á", "ha", "há")  # Spanish: el agua, un ama


def torn(sentence: Sentence, language: str) -> bool:
    """Whether an article of one gender stands with a noun, or a pronoun, that has only the other: las padres."""
    if language in _CASES:
        return False
    return any(_torn_at(sentence, place, language) for place in range(len(sentence.words)))


def _torn_at(sentence: Sentence, place: int, language: str) -> bool:
    word = sentence.words[place]
    own = function_genders(word.lower, language)
    if len(own) != 1:
        return False
    for step, other in enumerate(sentence.words[place + 1 : place + 1 + _REACH]):
        if other.clause != word.clause:
            return False
        theirs = function_genders(other.lower, language)
        if theirs:
            return step == 0 and len(theirs) == 1 and theirs != own and word.lower != "lo"
        if is_plain(other, language):
            return False
        nouns = [show.gender for show in forms(language).shows(other.lower) if show.pos == "noun"]
        if nouns and not (bends(other, language) and len(set(nouns)) > 1):
            if language == "es" and word.lower in _BEFORE_STRESSED and other.lower.startswith(_STRESSED):
                return False
            return None not in nouns and not set(nouns) & own
        if not bends(other, language):
            return False
    return False


def loose(sentence: Sentence, heads: Collection[int], gender: Gender, language: str) -> int:
    """How many adjectives and participles could agree with people who have a gender, and show the other one.

    What stands with a noun for a thing, behind *have*, or in another number than all of the people is not theirs.
    """
    numbers = {show.number for head in heads for show in forms(language).shows(sentence.words[head].lower)}
    found = 0
    for place, word in enumerate(sentence.words):
        shows = forms(language).shows(word.lower)
        said = [show for show in shows if show.pos in _SAID]
        if not said or place in heads or not bends(word, language) or not twins(word.text, gender, language):
            continue
        alike = not numbers - {""} or any(show.number in ("", *numbers) for show in said)
        other_person = any(
            show.pos == "noun" and show.person and show.gender is not gender
            for near in sentence.words[max(0, place - 1) : place]
            for show in forms(language).shows(near.lower)[:1]
        )
        if alike and not other_person and not of_thing(sentence, place, language):
            found += not behind_auxiliary(sentence, place, language)
    return found
