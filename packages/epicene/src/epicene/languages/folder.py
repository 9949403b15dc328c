"""Loads a language's folder of tables, as ``docs/languages.md`` describes it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from itertools import product
from typing import Any

from epicene.errors import InputError
from epicene.languages import LANGUAGES
from epicene.languages.language import Cue, Form, Inclusive, Language, Reading, Writing
from epicene.tables import rows
from epicene.types import Gender

_PLACES = ("before", "after", "verb", "relative")
_NUMBERS = {"": None, "s": False, "p": True}


@cache
def load(code: str) -> Language:
    """The language with this two-letter code."""
    return read(LANGUAGES.find(code).path, code)


def read(folder: Traversable, code: str) -> Language:
    """A language from its folder of tables."""
    config = tomllib.loads(folder.joinpath("language.toml").read_text(encoding="utf-8"))
    writing = _writing(config)
    cues = list(_cues(folder, code, writing))

    def folded(name: str) -> frozenset[str]:
        return frozenset(map(writing.fold, config.get(name, ())))

    return Language(
        code=code,
        writing=writing,
        forms=_forms(folder, code, writing, config.get("paradigms", {})),
        cues=_by_word(cue for cue in cues if not cue.word.startswith("*")),
        suffix_cues=_by_word(cue for cue in cues if cue.word.startswith("*")),
        inclusive=tuple(
            Inclusive(_from_word_start(each["pattern"]), tuple(each["try"])) for each in config.get("inclusive", ())
        ),
        conjunctions=folded("conjunctions"),
        bystanders=folded("bystanders"),
        clitics=folded("clitics"),
        stops=folded("stops"),
        window=config.get("window", 3),
        determiner_wins=config.get("determiner_wins", False),
        verb_first=config.get("verb_first", False),
        own_verb=config.get("own_verb", False),
        oblique=re.compile(config["oblique"]) if "oblique" in config else None,
        oblique_words=folded("oblique_words"),
        pronouns={
            writing.fold(word): Gender(gender) for gender, words in config.get("pronouns", {}).items() for word in words
        },
    )


def _from_word_start(pattern: str) -> re.Pattern[str]:
    r"""A pattern that begins with letters of a word, tried only where words begin: the same matches, much sooner."""
    return re.compile(rf"\b{pattern}" if pattern.startswith(r"(\w") else pattern)


def _writing(config: Mapping[str, Any]) -> Writing:
    return Writing(
        word=re.compile(config.get("word", r"\w+(?:-\w+)*")),
        strip=re.compile(config["strip"]) if "strip" in config else None,
        folds={ord(letter): reading for letter, reading in config.get("folds", {}).items()},
        proclitics=re.compile(config["proclitics"]) if "proclitics" in config else None,
        compounds=config.get("compounds", False),
        not_compounds=tuple(config.get("not_compounds", ())),
        nouns_capitalised=config.get("nouns_capitalised", False),
    )


def _cues(folder: Traversable, code: str, writing: Writing) -> Iterator[Cue]:
    where = f"{code}/cues.tsv"
    for row in rows(folder.joinpath("cues.tsv").read_text(encoding="utf-8"), where):
        if row["place"] not in _PLACES or row["number"] not in _NUMBERS:
            raise InputError(f"{where}: {row}: place is {', '.join(_PLACES)}; number is s, p or empty")
        for word, ending in product(row["words"].split(), row["ending"].split() or [""]):
            yield Cue(
                word=writing.fold(word),
                place=row["place"],
                ending=writing.fold(ending),
                plural=_NUMBERS[row["number"]],
                gender=Gender(row["gender"]),
                lexical=row["kind"] == "lexical",
            )


def _by_word(cues: Iterable[Cue]) -> dict[str, tuple[Cue, ...]]:
    found: dict[str, tuple[Cue, ...]] = {}
    for cue in cues:
        key = cue.word.lstrip("*")
        found[key] = (*found.get(key, ()), cue)
    return found


def _forms(
    folder: Traversable, code: str, writing: Writing, paradigms: Mapping[str, str]
) -> dict[str, tuple[Form, ...]]:
    where = f"{code}/occupations.tsv"
    endings = {name: _folded_endings(listed, writing) for name, listed in paradigms.items()}
    readings: dict[tuple[str, ...], dict[str, Reading]] = {}
    ranks: dict[tuple[str, ...], dict[str, int]] = {}
    capitals: set[tuple[str, ...]] = set()
    for row in rows(folder.joinpath("occupations.tsv").read_text(encoding="utf-8"), where):
        concept, reading = row["concept"], Reading(row["gender"])
        for rank, entry in enumerate(map(str.strip, row["forms"].split(","))):
            for words in _inflected(entry, endings, writing, where):
                by_concept = readings.setdefault(words, {})
                by_concept[concept] = _joined(by_concept.get(concept), reading)
                listed = ranks.setdefault(words, {})
                listed[concept] = min(rank, listed.get(concept, rank))
                if entry[0].isupper():
                    capitals.add(words)
    by_first: dict[str, list[Form]] = {}
    for words, by_concept in readings.items():
        by_first.setdefault(words[0], []).append(Form(words, by_concept, ranks[words], words in capitals))
    return {first: tuple(_longest_first(found)) for first, found in by_first.items()}


def _longest_first(forms: list[Form]) -> list[Form]:
    return sorted(forms, key=lambda form: -len(form.words)) if len(forms) > 1 else forms


def _folded_endings(listed: str, writing: Writing) -> tuple[int, list[str]]:
    """How many letters a paradigm takes off, and the endings that it puts on."""
    endings = listed.split()
    cut = int(endings.pop(0)[1:]) if endings[0].startswith("<") else 0
    return cut, ["" if ending == "-" else writing.fold(ending) for ending in endings]


def _inflected(
    entry: str, endings: Mapping[str, tuple[int, list[str]]], writing: Writing, where: str
) -> Iterator[tuple[str, ...]]:
    """All forms of an entry such as ``ama/s de llaves``: each word with each ending of its paradigm."""
    choices = []
    for word in entry.split(" "):
        stem, slash, name = word.partition("/")
        if slash and name not in endings:
            raise InputError(f"{where}: {word!r} names the paradigm {name!r}; known: {', '.join(sorted(endings))}")
        cut, suffixes = endings[name] if slash else (0, [""])
        stem = writing.fold(stem)
        stem = stem[: len(stem) - cut]
        choices.append([stem + suffix for suffix in suffixes])
    if len(choices) == 1 and choices[0][0].isalpha():
        yield from ((word,) for word in choices[0])
        return
    for phrase in map(" ".join, product(*choices)):
        words = tuple(map(writing.fold, writing.word.findall(phrase)))
        if not words:
            raise InputError(f"{where}: {entry!r} is no word")
        yield words


def _joined(first: Reading | None, second: Reading) -> Reading:
    """A form that stands under two genders of one concept is one form for both."""
    return second if first in (None, second) else Reading.EITHER
