"""What the detectors know of a language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from epicene.types import Gender

# What may stand for a space in a pattern: itself, a class that has it, a full stop, an end of the text.
_SPACES = re.compile(r" |\\s|\\W|\\D|\\[AZ]|\[\^|(?<!\\)\.(?![^\[]*\])|[\^$]")


class Reading(StrEnum):
    """What a form says of the person it names."""

    FEMININE = "feminine"
    MASCULINE = "masculine"
    NEUTRAL = "neutral"  # names no gender, whatever its article: Pflegekraft, persona
    EITHER = "either"  # one form for both: its article, adjective or verb tells
    FEMININE_UNLESS = "feminine?"  # feminine unless a cue says masculine: die Nanny
    MASCULINE_UNLESS = "masculine?"  # masculine unless a cue says feminine: presidente, врач


class Form(NamedTuple):
    """A word or phrase that names people, and what it says of each concept that it can translate."""

    words: tuple[str, ...]
    readings: Mapping[str, Reading]
    ranks: Mapping[str, int]  # by concept: how far from the first, most usual word the form is listed
    capital: bool = False  # listed with a capital, as nouns are where nouns have one


@dataclass(frozen=True, slots=True)
class Cue:
    """A word near the noun that shows its gender."""

    word: str
    place: str  # before, after, verb, relative
    ending: str  # the noun's ending under which the cue holds; "" for any
    plural: bool | None  # the number of the source noun under which it holds; None for any
    gender: Gender
    lexical: bool  # says it by meaning (weiblich, mujer), so it holds for neutral nouns as well


@dataclass(frozen=True, slots=True)
class Inclusive:
    """A spelling that names all genders at once: Ärzt:innen, doctor(a)."""

    pattern: re.Pattern[str]  # groups: stem, end
    tries: tuple[str, ...]  # how a listed form is made from them

    @property
    def in_one_word(self) -> bool:
        """Whether a match can hold no space and asks for none beside it, as far as the pattern plainly says so."""
        return _SPACES.search(self.pattern.pattern.replace(r"[^\W", "[")) is None


@dataclass(frozen=True, slots=True)
class Writing:
    """How a language writes words."""

    word: re.Pattern[str]
    strip: re.Pattern[str] | None  # marks that carry no meaning here: vowel points, tatweel
    folds: Mapping[int, str]  # letters to be read as others, as in homoglyphs and ё
    proclitics: re.Pattern[str] | None  # what may be written together before a word: ו, ה, ال
    compounds: bool  # a longer word that ends in a form is read as that form
    not_compounds: tuple[str, ...]  # endings of words that only look like such compounds
    nouns_capitalised: bool  # a noun begins with a capital, unless the whole text has none

    def fold(self, word: str) -> str:
        """A word as the tables spell it: composed, lower-case, without marks."""
        word = word.lower() if word.isascii() else unicodedata.normalize("NFKC", word).casefold()
        if self.strip is not None:
            word = self.strip.sub("", word)
        return word.translate(self.folds) if self.folds else word


@dataclass(frozen=True, slots=True)
class Language:
    """A language's words for people, and what shows their gender."""

    code: str
    writing: Writing
    forms: Mapping[str, tuple[Form, ...]]  # by first word, longest first
    cues: Mapping[str, tuple[Cue, ...]]  # by word
    suffix_cues: Mapping[str, tuple[Cue, ...]]  # by ending, for words not in cues
    inclusive: tuple[Inclusive, ...]
    conjunctions: frozenset[str]
    bystanders: frozenset[str]  # words for relatives and people at large, never a wrong word for an occupation
    stops: frozenset[str]  # words at which a noun phrase ends
    clitics: frozenset[str]  # words between a noun and its verb: recepční se mu vysmála
    window: int  # how many words from the noun a cue may stand
    determiner_wins: bool  # a feminine determiner makes a masculine noun feminine: la médico
    verb_first: bool  # a verb may stand right before its subject, as in Arabic
    own_verb: bool  # but not if another person stands before it in the clause, whose verb it then is
    oblique: re.Pattern[str] | None  # proclitics that make a noun no subject: ל, ب
    oblique_words: frozenset[str]  # words before a noun that make it no subject: את, עם
    pronouns: Mapping[str, Gender]  # pronouns that can only mean a person of one gender
