"""Loads a language's folder of tables, as ``docs/languages.md`` describes it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import product
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene.languages import CODES, LANGUAGES
from epicene.languages.codes import codes_of
from epicene.languages.english import CODE as ENGLISH
from epicene.languages.language import Attached, Cue, Inclusive, Language, Stems, Surnames, Writing
from epicene.languages.lexicon import Lexicon
from epicene.tables import resource, rows
from epicene.types import Gender

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_PLACES = ("before", "after", "verb", "relative")
_NUMBERS = {"": None, "s": False, "p": True}
# By how a pattern begins with a run of letters, what holds only where such a run begins.
_WORD_STARTS = {r"(\w": r"\b", r"([^\W_]+": r"(?<![^\W_])", r"([^\W_]{": r"(?<![^\W_])"}
_SHARED = resource("languages")


@cache
def _folders(code: str) -> tuple[Traversable, ...]:
    """Where the tables of a language are: in its folder, then in that of the language whose tables it shares."""
    own = LANGUAGES.find(code).path
    shared = codes_of(code).tables
    return (own, LANGUAGES.find(shared).path) if shared else (own,)


def find_table(code: str, name: str) -> Traversable | None:
    """A table of a language, None where it has none of this name."""
    paths = (folder.joinpath(name) for folder in _folders(code))
    return next((path for path in paths if path.is_file()), None)


@cache
def has_table(code: str, name: str) -> bool:
    """Whether a language is known here, and its folder has a table of this name."""
    return code in LANGUAGES and find_table(code, name) is not None


def languages_with(name: str) -> tuple[str, ...]:
    """The codes of the languages whose folders have a table of this name."""
    return tuple(code for code in LANGUAGES.names() if find_table(code, name))


@cache
def checksum(code: str) -> str:
    """What the tables of a language and of English are, in eight letters."""
    digest = sha256()
    for folders in (_folders(code), _folders(ENGLISH), (_SHARED.joinpath("groups"),)):
        paths = {path.name: path for folder in reversed(folders) for path in folder.iterdir() if path.is_file()}
        for name, path in sorted(paths.items()):
            if name not in (CODES, "PROVENANCE.toml"):
                digest.update(name.encode() + path.read_bytes())
    digest.update(_SHARED.joinpath("romanisation.toml").read_bytes())
    return digest.hexdigest()[:8]


@cache
def load(code: str) -> Language:
    """The language with this two-letter code, from its tables."""
    config = _config(code)
    writing = _writing(config)
    cues = list(_cues(code, writing))

    def folded(name: str) -> frozenset[str]:
        return frozenset(map(writing.fold, config.get(name, ())))

    def lexicon(name: str) -> Lexicon:
        return Lexicon(_table(code, name), config.get("paradigms", {}), writing, f"{code}/{name}")

    def pattern(name: str) -> re.Pattern[str] | None:
        return re.compile(config[name]) if name in config else None

    return Language(
        code=code,
        writing=writing,
        lexicon=lexicon("occupations.tsv"),
        people=lexicon("people.tsv"),
        cues=_by_word(cue for cue in cues if not cue.word.startswith("*")),
        suffix_cues=_by_word(cue for cue in cues if cue.word.startswith("*")),
        inclusive=tuple(
            Inclusive(_from_word_start(spelling["pattern"]), tuple(spelling.get("try", ())), spelling.get("strategy"))
            for spelling in config.get("inclusive", ())
        ),
        conjunctions=folded("conjunctions"),
        bystanders=folded("bystanders"),
        clitics=folded("clitics"),
        stops=folded("stops"),
        window=config.get("window", 3),
        unmarked_is_neutral=config.get("unmarked") == "neutral",
        determiner_wins=config.get("determiner_wins", False),
        verb_decides=config.get("verb_decides", False),
        verb_first=config.get("verb_first", False),
        own_verb=config.get("own_verb", False),
        oblique=pattern("oblique"),
        oblique_words=folded("oblique_words"),
        pronouns={
            writing.fold(word): Gender(gender) for gender, words in config.get("pronouns", {}).items() for word in words
        },
        common_endings=tuple(config.get("common_endings", ())),
        of=frozenset(config.get("of", ())),
        fixed=frozenset(config.get("fixed", "").split()),
        things=pattern("things"),
        indefinites={
            word: Gender(gender) for gender, words in config.get("indefinites", {}).items() for word in words.split()
        },
        surnames=Surnames(**{name: tuple(words.split()) for name, words in config.get("surnames", {}).items()}),
        stems=Stems(**config.get("stems", {})),
        attached=Attached(**config["attached"]) if "attached" in config else None,
        endings=config.get("endings", {}),
        feminine_plural=pattern("feminine_plural"),
        ergative=config.get("ergative", {}),
    )


def _config(code: str) -> dict[str, Any]:
    """The keys of language.toml, and those of its group that it does not have itself."""
    path = find_table(code, "language.toml")
    if path is None:
        raise InputError(f"{LANGUAGES.find(code).path}: no language.toml")
    config = tomllib.loads(path.read_text(encoding="utf-8"))
    if "group" not in config:
        return config
    group = _SHARED.joinpath("groups", f"{config['group']}.toml")
    if not group.is_file():
        known = ", ".join(sorted(path.name.removesuffix(".toml") for path in _SHARED.joinpath("groups").iterdir()))
        raise InputError(f"{path}: unknown group {config['group']!r}; known: {known}")
    return tomllib.loads(group.read_text(encoding="utf-8")) | config


def _from_word_start(pattern: str) -> re.Pattern[str]:
    """A pattern that begins with letters of a word, tried only where words begin: the same matches, much sooner."""
    flags, letters = ("(?i)", pattern.removeprefix("(?i)")) if pattern.startswith("(?i)") else ("", pattern)
    start = next((start for begins, start in _WORD_STARTS.items() if letters.startswith(begins)), "")
    return re.compile(flags + start + letters)


def _writing(config: Mapping[str, Any]) -> Writing:
    return Writing(
        word=re.compile(config.get("word", r"\w+(?:-\w+)*")),
        strip=re.compile(config["strip"]) if "strip" in config else None,
        folds={ord(letter): reading for letter, reading in config.get("folds", {}).items()},
        proclitics=re.compile(config["proclitics"]) if "proclitics" in config else None,
        compounds=config.get("compounds", False),
        not_compounds=tuple(config.get("not_compounds", ())),
        nouns_capitalised=config.get("nouns_capitalised", False),
        latin=config.get("latin", True),
        foreign=re.compile(config["foreign"]) if "foreign" in config else None,
    )


def _table(code: str, name: str) -> Iterable[Mapping[str, str]]:
    """The rows of a table, none where the language does not have it."""
    path = find_table(code, name)
    return rows(path.read_text(encoding="utf-8"), f"{code}/{name}") if path else ()


def _cues(code: str, writing: Writing) -> Iterator[Cue]:
    where = f"{code}/cues.tsv"
    for row in _table(code, "cues.tsv"):
        if row["place"] not in _PLACES or row["number"] not in _NUMBERS:
            raise InputError(f"{where}: {row}: place is {', '.join(_PLACES)}; number is s, p or empty")
        plural, gender, lexical = _NUMBERS[row["number"]], Gender(row["gender"]), row["kind"] == "lexical"
        words, endings = ([*map(writing.fold, row[name].split())] for name in ("words", "ending"))
        for word, ending in product(words, endings or [""]):
            yield Cue(word, row["place"], ending, plural, gender, lexical)


def _by_word(cues: Iterable[Cue]) -> dict[str, tuple[Cue, ...]]:
    found: dict[str, tuple[Cue, ...]] = {}
    for cue in cues:
        key = cue.word.lstrip("*")
        found[key] = (*found.get(key, ()), cue)
    return found
