"""What agrees with a noun in Hindi, where most words for people have one form: का and की, adjectives, the verb."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from epicene.languages.language import Reading
from epicene.reader.slavic import Agreeing
from epicene.reader.translations import folded
from epicene.reader.words import Sentence
from epicene.types import Gender

_REACH = 3  # words before a noun that may agree with it
_TOLD = (Gender.FEMININE, Gender.MASCULINE)


@cache
def _table() -> dict[str, re.Pattern[str]]:
    text = (files("epicene.reader.tables") / "hindi.toml").read_text(encoding="utf-8")
    return {name: re.compile("|".join(words.split())) for name, words in tomllib.loads(text).items()}


def own(word: str) -> Reading:
    """What a noun says by itself: a woman's word tells, a man's may name a woman."""
    if _table()["feminine_noun"].fullmatch(word):
        return Reading.FEMININE
    return Reading.MASCULINE_UNLESS if _table()["masculine_noun"].fullmatch(word) else Reading.EITHER


def agreeing(sentence: Sentence, place: int) -> Agreeing | None:
    """What agrees with the noun at a place: words before it, then the verb of its clause."""
    return _before(sentence, place) or _verb(sentence, place)


def _gender(word: str, kind: str) -> Gender | None:
    table = _table()
    return next((gender for gender in _TOLD if table[f"{gender.value}_{kind}"].fullmatch(word)), None)


def _before(sentence: Sentence, place: int) -> Agreeing | None:
    for number in range(place - 1, max(-1, place - 1 - _REACH), -1):
        word = sentence.words[number]
        if word.clause != sentence.words[place].clause or _table()["ends"].fullmatch(word.lower):
            return None
        gender = _gender(folded(word.lower), "attribute")
        if gender is not None:
            return Agreeing(gender, number, "agreement")
    return None


def _verb(sentence: Sentence, place: int) -> Agreeing | None:
    """The last gendered verb of the noun's sentence; with ने it agrees with the object, so that it tells nothing."""
    words, table = sentence.words, _table()
    last = next((each for each in range(place, len(words)) if _stops(sentence, each)), len(words) - 1)
    found: Agreeing | None = None
    for number in range(place + 1, last + 1):
        if table["joins"].fullmatch(words[number].lower) and found:
            break
        gender = _gender(folded(words[number].lower), "verb")
        if gender is not None:
            found = Agreeing(gender, number, "verb")
    first = next((each + 1 for each in range(place - 1, -1, -1) if _stops(sentence, each)), 0)
    ergative = any(table["ergative"].fullmatch(words[each].lower) for each in range(first, last + 1))
    return None if ergative else found


def _stops(sentence: Sentence, place: int) -> bool:
    """Whether a full stop follows a word."""
    words = sentence.words
    return place + 1 < len(words) and any(sign in sentence.between(place, place + 1) for sign in "।|.;")
