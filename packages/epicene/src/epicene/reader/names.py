"""Finds a name in a translation, and reads the little that it shows: how a language derives or declines it."""

from __future__ import annotations

from epicene.languages.english import CODE as ENGLISH
from epicene.languages.english import word_lists
from epicene.languages.language import Language
from epicene.reader.align import folded, romanise, similar, skeleton, transcribed
from epicene.reader.forms import forms
from epicene.reader.people import may_name_person
from epicene.reader.words import Decision, Sentence, Translated, Word
from epicene.types import Gender

_VOWELS = frozenset("aeiouy")
_LISTED = 0.9  # confidence from which a lexicon lists a word
_OWN_FORM = 0.9  # confidence in what a surname's ending says


def is_name(translated: Translated, person: range, kind: str) -> bool:
    """Whether capitals begin all words for a person and none of them says what they are: not Americans, Head Coach."""
    words = [translated.source.words[place] for place in person]
    head = words[-1].lower
    if not all(word.capital for word in words) or head.endswith(tuple(word_lists("mentions")["nations"])):
        return False
    if len(words) == 1:
        before = translated.source.words[person[0] - 1].lower if person[0] else ""
        known = any(show.person or show.pos == "adjective" for show in forms(ENGLISH).shows(head))
        return kind == "name" and not known and before not in word_lists("mentions")["determiners"]
    if not may_name_person(head):
        return True
    spelt = [word for word in translated.target.words if _spells(words[-1], word)]  # Thomas Cook, not Vice President
    return bool(spelt) and not any(show.person and show.confidence > _LISTED for word in spelt for show in word.shows)


def find_name(translated: Translated, person: range) -> range:
    """The words of a translation that spell a name of the source; empty where it was translated or left out."""
    source, target = translated.source.words, translated.target.words
    size = len(target) / len(source)
    places = [
        min(spelt, key=lambda number: abs(number + 0.5 - (place + 0.5) * size))
        for place in person
        if (spelt := [number for number, word in enumerate(target) if _spells(source[place], word)])
    ]
    if not places:
        return range(0)
    first = last = places[-1]  # the surname, with what stands right before it
    while first - 1 in places and translated.target.between(first - 1, first).strip() in ("", "-", "."):
        first -= 1
    return range(first, last + 1)


def _spells(name: Word, word: Word) -> bool:
    """Whether a word spells a part of a name."""
    if len(name.text) < 2 or word.text[0].islower():
        return False
    spelt = folded(word.lower)
    return spelt.startswith(folded(name.lower)) or similar(name.lower, spelt, True) > 0


def read_name(language: Language, source: Sentence, person: range, target: Sentence, name: range) -> Decision | None:
    """What the form of a name shows: Palinová is a woman's, and Стирлинга, declined after a consonant, a man's."""
    for place in name:
        word = target.words[place]
        for number in person:
            part = source.words[number]
            if not _spells(part, word):
                continue
            if any(_is_declined(part.lower, word.lower, ending) for ending in language.surnames.declined):
                return Decision(Gender.MASCULINE, "name", target.evidence([place]), _OWN_FORM)
            own = part.lower.endswith(language.surnames.source) and word.lower.endswith(language.surnames.feminine)
            if own and word.lower != part.lower:
                return Decision(Gender.FEMININE, "name", target.evidence([place]), _OWN_FORM)
    return None


def _is_declined(name: str, word: str, ending: str) -> bool:
    """Whether a word is a name that ends in a consonant, with an ending that only a man's name takes."""
    name, base = name.rstrip("h"), word.removesuffix(ending)
    if base == word or not name or name[-1] in _VOWELS or not name[-1].isalpha():
        return False
    if not transcribed(name, word):
        return folded(base).rstrip("h") == folded(name)
    return romanise(base)[-1:] not in _VOWELS and skeleton(romanise(base))[-1:] == skeleton(name)[-1:]
