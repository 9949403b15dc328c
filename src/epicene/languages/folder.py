"""Loads a language's folder of tables, as ``docs/languages.md`` describes it."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import product

from epicene.data import rows
from epicene.errors import InputError, UnknownNameError
from epicene.types import Gender


class Reading(StrEnum):
    """What a form says of the person it names."""

    FEMININE = "feminine"
    MASCULINE = "masculine"
    NEUTRAL = "neutral"  # names no gender, whatever its article: Pflegekraft, persona
    EITHER = "either"  # one form for both: its article, adjective or verb tells
    FEMININE_UNLESS = "feminine?"  # feminine unless a cue says masculine: die Nanny
    MASCULINE_UNLESS = "masculine?"  # masculine unless a cue says feminine: presidente, врач


@dataclass(frozen=True, slots=True)
class Form:
    """A word or phrase that names people, and what it says of each concept that it can translate."""

    words: tuple[str, ...]
    readings: Mapping[str, Reading]


@dataclass(frozen=True, slots=True)
class Cue:
    """A word near the noun that shows its gender."""

    word: str
    place: str  # before, after, verb
    ending: str  # the noun's ending under which the cue holds; "" for any
    plural: bool | None  # the number of the source noun under which it holds; None for any
    gender: Gender
    lexical: bool  # says it by meaning (weiblich, mujer), so it holds for neutral nouns as well


@dataclass(frozen=True, slots=True)
class Inclusive:
    """A spelling that names all genders at once: Ärzt:innen, doctor(a)."""

    pattern: re.Pattern[str]  # groups: stem, end
    tries: tuple[str, ...]  # how a listed form is made from them


@dataclass(frozen=True, slots=True)
class Language:
    """All that the detectors know of a language."""

    code: str
    forms: Mapping[str, tuple[Form, ...]]  # by first word, longest first
    cues: Mapping[str, tuple[Cue, ...]]  # by word
    suffix_cues: Mapping[str, tuple[Cue, ...]]  # by ending, for words not in cues
    endings: tuple[tuple[str, Gender], ...]  # a noun outside the lexicon, by its ending
    inclusive: tuple[Inclusive, ...]
    compounds: bool  # a longer word that ends in a form is read as that form
    proclitics: re.Pattern[str] | None  # what may be written together before a word: ו, ה, ال
    strip: re.Pattern[str] | None  # marks that carry no meaning here: vowel points, tatweel
    folds: Mapping[int, str]  # letters to be read as others, as in homoglyphs and ё
    conjunctions: frozenset[str]
    stops: frozenset[str]  # words at which a noun phrase ends
    window: int  # how many words from the noun a cue may stand
    determiner_wins: bool  # a feminine determiner makes a masculine noun feminine: la médico
    splits: re.Pattern[str]  # what a word is

    def fold(self, word: str) -> str:
        """A word as the tables spell it: composed, lower-case, without marks."""
        word = unicodedata.normalize("NFC", word).casefold() if not word.isascii() else word.lower()
        if self.strip is not None:
            word = self.strip.sub("", word)
        return word.translate(self.folds) if self.folds else word


_HERE = files(__package__)


def known() -> list[str]:
    """Codes of the languages that have a folder."""
    return sorted(entry.name for entry in _HERE.iterdir() if entry.joinpath("language.toml").is_file())


@cache
def load(code: str) -> Language:
    """The language with this two-letter code."""
    folder = _HERE.joinpath(code)
    if not folder.joinpath("language.toml").is_file():
        hint = "To add one, write a folder as docs/languages.md describes."
        raise UnknownNameError("target language", code, known(), hint)
    return read(folder, code)


def read(folder: Traversable, code: str) -> Language:
    """A language from its folder of tables."""
    config = tomllib.loads(folder.joinpath("language.toml").read_text(encoding="utf-8"))
    strip = re.compile(config["strip"]) if "strip" in config else None
    folds = {ord(letter): reading for letter, reading in config.get("folds", {}).items()}
    cues = list(_cues(folder, code))
    bare = Language(
        code=code,
        forms={},
        cues=_by_word(cue for cue in cues if not cue.word.startswith("*")),
        suffix_cues=_by_word(cue for cue in cues if cue.word.startswith("*")),
        endings=tuple(
            (ending, gender)
            for gender in (Gender.FEMININE, Gender.MASCULINE)
            for ending in config.get("endings", {}).get(gender.value, [])
        ),
        inclusive=tuple(
            Inclusive(re.compile(entry["pattern"]), tuple(entry["try"])) for entry in config.get("inclusive", [])
        ),
        compounds=config.get("compounds", False),
        proclitics=re.compile(config["proclitics"]) if "proclitics" in config else None,
        strip=strip,
        folds=folds,
        conjunctions=frozenset(config.get("conjunctions", [])),
        stops=frozenset(config.get("stops", [])),
        window=config.get("window", 3),
        determiner_wins=config.get("determiner_wins", False),
        splits=re.compile(config.get("word", r"\w+(?:-\w+)*")),
    )
    return _with_forms(bare, folder, config.get("paradigms", {}))


def _cues(folder: Traversable, code: str) -> Iterator[Cue]:
    where = f"{code}/cues.tsv"
    places = {"before", "after", "verb"}
    numbers = {"": None, "s": False, "p": True}
    for row in rows(folder.joinpath("cues.tsv").read_text(encoding="utf-8"), where):
        if row["place"] not in places or row["number"] not in numbers:
            raise InputError(f"{where}: {row}: place is one of {sorted(places)}, number is s, p or empty")
        for word in row["words"].split():
            yield Cue(
                word.casefold(),
                row["place"],
                row["ending"],
                numbers[row["number"]],
                Gender(row["gender"]),
                row.get("kind") == "lexical",
            )


def _by_word(cues: Iterator[Cue]) -> dict[str, tuple[Cue, ...]]:
    found: dict[str, tuple[Cue, ...]] = {}
    for cue in cues:
        key = cue.word.lstrip("*")
        found[key] = (*found.get(key, ()), cue)
    return found


def _with_forms(language: Language, folder: Traversable, paradigms: Mapping[str, str]) -> Language:
    where = f"{language.code}/occupations.tsv"
    readings: dict[tuple[str, ...], dict[str, Reading]] = {}
    for row in rows(folder.joinpath("occupations.tsv").read_text(encoding="utf-8"), where):
        reading = Reading(row["gender"])
        for entry in row["forms"].split(","):
            for phrase in inflect(entry.strip(), paradigms, where):
                words = tuple(language.fold(word) for word in language.splits.findall(phrase))
                if not words:
                    raise InputError(f"{where}: {row['concept']}: {entry!r} is no word")
                known = readings.setdefault(words, {})
                known[row["concept"]] = _joined(known.get(row["concept"]), reading)
    by_first: dict[str, list[Form]] = {}
    for words, by_concept in readings.items():
        by_first.setdefault(words[0], []).append(Form(words, by_concept))
    forms = {first: tuple(sorted(found, key=lambda form: -len(form.words))) for first, found in by_first.items()}
    fields = {name: getattr(language, name) for name in Language.__dataclass_fields__}
    return Language(**{**fields, "forms": forms})


def _joined(first: Reading | None, second: Reading) -> Reading:
    """A form that stands under two genders of one concept is one form for both."""
    return second if first in (None, second) else Reading.EITHER


def inflect(entry: str, paradigms: Mapping[str, str], where: str) -> Iterator[str]:
    """All forms of an entry such as ``ama/s de llaves``: each word with each ending of its paradigm."""
    choices = [_endings(word, paradigms, where) for word in entry.split(" ")]
    return (" ".join(words) for words in product(*choices))


def _endings(word: str, paradigms: Mapping[str, str], where: str) -> list[str]:
    stem, slash, name = word.partition("/")
    if not slash:
        return [word]
    if name not in paradigms:
        raise InputError(f"{where}: {word!r} names the paradigm {name!r}; known: {', '.join(sorted(paradigms))}")
    endings = paradigms[name].split()
    if endings[0].startswith("<"):
        stem, endings = stem[: -int(endings[0][1:])], endings[1:]
    return [stem + ending.replace("-", "") for ending in endings]
