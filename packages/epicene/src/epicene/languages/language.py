"""What the reader knows of a language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from epicene.types import Gender

if TYPE_CHECKING:
    from epicene.languages.lexicon import Lexicon

# What may stand for a space in a pattern: itself, a class that has it, a full stop, an end of the text.
_SPACES = re.compile(r" |\\s|\\W|\\D|\\[AZ]|\[\^|(?<!\\)\.(?![^\[]*\])|[\^$]")

Lists = Mapping[str, str]  # words or regular expressions by name, blanks between them


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
    latin: bool  # a word in ASCII letters can be one of the language
    foreign: re.Pattern[str] | None  # what no word of the language has, unless it is listed: Il guard, la worker

    @property
    def joins_words(self) -> bool:
        """Whether some phrases count as one word: uomo delle."""
        return r"\s" in self.word.pattern

    def fold(self, word: str) -> str:
        """A word as the tables spell it: composed, lower-case, without marks."""
        word = word.lower() if word.isascii() else unicodedata.normalize("NFKC", word).casefold()
        if self.strip is not None:
            word = self.strip.sub("", word)
        return word.translate(self.folds) if self.folds else word


class Cue(NamedTuple):
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
    strategy: str | None = None  # how such a spelling is called, where its sign does not say so; "" for no name

    @property
    def in_one_word(self) -> bool:
        """Whether a match can hold no space and asks for none beside it, as far as the pattern plainly says so."""
        return _SPACES.search(self.pattern.pattern.replace(r"[^\W", "[")) is None


class Stems(NamedTuple):
    """What a word loses before it is looked up among translations."""

    suffixes: str = ""
    before: str = ""  # what is written together with the word that follows it
    folds: Mapping[str, str] = {}
    compounds: bool = False  # a noun and what it is made of are one word


class Attached(NamedTuple):
    """What a language writes together with a word."""

    before: tuple[str, ...] = ()  # the longest first
    after: Mapping[str, str] = {}  # pronouns, with the code of what they show
    joined: Mapping[str, str] = {}  # how a word ends before them, and by itself
    verbs: Mapping[str, str] = {}  # how a verb in the present begins, with the code of what it shows


class Surnames(NamedTuple):
    """How a language derives and declines people's names."""

    feminine: tuple[str, ...] = ()  # endings of women's: Palinová, Ивановой
    source: tuple[str, ...] = ("",)  # how these end in English, any way by default
    declined: tuple[str, ...] = ()  # what only a man's name takes that ends in a consonant: Stirlinga


@dataclass(frozen=True, slots=True)
class Language:
    """A language's words for people, and what shows their gender."""

    code: str
    writing: Writing
    lexicon: Lexicon  # of occupations
    people: Lexicon  # of nouns that mean a woman or a man by themselves: mother, prince
    cues: Mapping[str, tuple[Cue, ...]]  # by word
    suffix_cues: Mapping[str, tuple[Cue, ...]]  # by ending, for words not in cues
    inclusive: tuple[Inclusive, ...]
    conjunctions: frozenset[str]
    bystanders: frozenset[str]  # words for relatives and people at large, never a wrong word for an occupation
    stops: frozenset[str]  # words at which a noun phrase ends
    clitics: frozenset[str]  # words between a noun and its verb: recepční se mu vysmála
    window: int  # how many words from the noun a cue may stand
    unmarked_is_neutral: bool  # a noun that is not derived for women (secretaris, lärare) is used of everybody
    determiner_wins: bool  # a feminine determiner makes a masculine noun feminine: la médico
    verb_decides: bool  # so does a feminine verb or adjective: врач сказала
    verb_first: bool  # a verb may stand right before its subject, as in Arabic
    own_verb: bool  # but not if another person stands before it in the clause, whose verb it then is
    oblique: re.Pattern[str] | None  # proclitics that make a noun no subject: ל, ب
    oblique_words: frozenset[str]  # words before a noun that make it no subject: את, עם
    pronouns: Mapping[str, Gender]  # pronouns that can only mean a person of one gender
    common_endings: tuple[str, ...]  # that women's and men's words share, whatever gender a lexicon gives them
    of: frozenset[str]  # what joins a noun to the word for a person before it: compañera de trabajo
    fixed: frozenset[str]  # nouns whose gender says nothing of the person they name; "-schaft" is an ending of such
    things: re.Pattern[str] | None  # nouns that a lexicon takes for people, and that are rarely any: жизнь
    indefinites: Mapping[str, Gender]  # everyone, few, one, by the gender that they show
    surnames: Surnames
    stems: Stems
    attached: Attached | None
    endings: Mapping[str, Lists]  # of words that agree, where cases are shown by endings
    feminine_plural: re.Pattern[str] | None  # a plural that is rather of a woman's word than of a man's
    ergative: Mapping[str, Lists]  # words of a language whose verbs agree with an object after an ergative

    def is_fixed(self, word: str) -> bool:
        """Whether a noun's gender says nothing of the person: Kind, Lehrerschaft; also behind proclitics."""
        if word in self.fixed or any(f"-{word[cut:]}" in self.fixed for cut in range(1, len(word))):
            return True
        proclitics = self.writing.proclitics
        return proclitics is not None and any(
            word[cut:] in self.fixed and proclitics.fullmatch(word[:cut]) for cut in range(1, len(word) - 1)
        )
