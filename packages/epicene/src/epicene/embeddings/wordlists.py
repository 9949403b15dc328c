"""Association tests by name, from the shipped tables or from a user's TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from epicene.embeddings.text import vocabulary
from epicene.errors import EvidenceError, InputError, UnknownNameError
from epicene.files import checksum, read_lines, read_text
from epicene.tables import rows, table

LISTS = ("x", "y", "a", "b")
OPPOSED = (("x", "y"), ("a", "b"))
SIDES = ("feminine", "masculine")
SHIPPED = ("adjectives", "verbs")
VOCABULARY = "vocabulary"
FREQUENT = 20_000  # words of a vocabulary, which files list by frequency
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class WordList:
    """Words that stand for one thing."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordTest:
    """Two lists of target words, X and Y, and two of attribute words, A and B."""

    name: str
    language: str
    x: WordList
    y: WordList
    a: WordList
    b: WordList
    groups: str = "xy"  # which pair of lists stands for groups of people, for metrics of epicene-lab
    excluded: tuple[str, ...] = ()  # words that the published lists have on both sides; they are in none here

    @property
    def lists(self) -> dict[str, WordList]:
        """The four lists by their letter."""
        return {letter: getattr(self, letter) for letter in LISTS}

    @property
    def words(self) -> list[str]:
        """All words, targets first."""
        return [word for words in self.lists.values() for word in words.words]

    @property
    def title(self) -> str:
        """What is tested, in words."""
        return f"{self.x.name} / {self.y.name}, {self.a.name} / {self.b.name}"

    @property
    def version(self) -> str:
        """A checksum of the words."""
        return checksum("\n".join("\t".join(words.words) for words in self.lists.values()))

    def with_lists(self, change: Callable[[WordList], WordList]) -> WordTest:
        """The test with each of its lists changed."""
        x, y, a, b = map(change, self.lists.values())
        return replace(self, x=x, y=y, a=a, b=b)


TestNames = str | Path | WordTest | Iterable[str | Path | WordTest] | None  # names, languages, TOML files


@cache
def shipped() -> dict[str, WordTest]:
    """The tests of Caliskan et al. 2017, Kurpicz-Briki 2020 and XWEAT by name, aliases aside."""
    lists = {row["list"]: _read_list(row) for row in table("embeddings/tables", "lists.tsv")}
    tests = {
        row["test"]: _make_test(row, {letter: lists[row[letter]] for letter in LISTS})
        for row in table("embeddings/tables", "tests.tsv")
    }
    return tests | _translated()


def _read_list(row: Mapping[str, str]) -> WordList:
    return WordList(row["name"], tuple(row["words"].split(", ")))


def _make_test(row: Mapping[str, str], lists: Mapping[str, WordList]) -> WordTest:
    x, y, a, b = (lists[letter] for letter in LISTS)
    return WordTest(row["test"], row["language"], x, y, a, b, row["groups"])


def _translated() -> dict[str, WordTest]:
    """The tests of XWEAT: those of Caliskan et al. in other languages."""
    lists_by_test: dict[tuple[str, str], dict[str, WordList]] = {}
    for row in table("embeddings/tables", "xweat.tsv"):
        lists_by_test.setdefault((row["test"], row["language"]), {})[row["list"]] = _read_list(row)
    tests = {}
    for (name, language), lists in lists_by_test.items():
        groups = "ab" if name.startswith(("xweat7", "xweat8")) else "xy"
        tests[name] = _exclude_both_sides(_make_test({"test": name, "language": language, "groups": groups}, lists))
    return tests


def _exclude_both_sides(test: WordTest) -> WordTest:
    """The test without words that translation has put on both sides, such as Turkish "o" for he and she."""
    both = [word for first, second in OPPOSED for word in test.lists[first].words if word in test.lists[second].words]

    def without(words: WordList) -> WordList:
        return replace(words, words=tuple(word for word in words.words if word not in both))

    return replace(test.with_lists(without), excluded=tuple(both))


@cache
def _aliases() -> dict[str, str]:
    return {row["alias"]: row["test"] for row in table("embeddings/tables", "tests.tsv") if row["alias"]}


@cache
def default_names() -> tuple[str, ...]:
    """The published tests; variants, kept to explain a published figure, are run only when named."""
    return tuple(row["test"] for row in table("embeddings/tables", "tests.tsv") if row["kind"] != "variant")


def find(specs: TestNames = None) -> list[WordTest]:
    """Tests by name, by language or by TOML file, each once; all published ones if none are named.

    ``en``, ``de`` and ``fr`` are all of Caliskan et al. and Kurpicz-Briki, ``es``, ``hr``, ``it``, ``ru`` and ``tr``
    those of XWEAT, as ``xweat-de`` is for German.
    """
    if specs is None:
        specs = default_names()
    tests: dict[str, WordTest] = {}
    for spec in [specs] if isinstance(specs, str | Path | WordTest) else specs:
        for test in [spec] if isinstance(spec, WordTest) else _find(str(spec)):
            if tests.setdefault(test.name, test) != test:
                raise InputError(f"two different tests are called {test.name!r}; give one of them another name")
    return list(tests.values())


def _find(spec: str) -> list[WordTest]:
    if spec.endswith(".toml"):
        return [read(Path(spec))]
    name = spec.lower()
    tests = shipped()
    of_language = [tests[test] for test in default_names() if tests[test].language == name]
    translated = [test for test in _translated().values() if test.language == name.removeprefix("xweat-")]
    if of_language or translated:
        return of_language or translated
    known = _aliases().get(name, name)
    if known not in tests:
        languages = {test.language for test in tests.values()} | {"xweat-de"}
        raise UnknownNameError("test", spec, {*tests, *_aliases(), *languages}, "Or give a FILE.toml.")
    return [tests[known]]


def read(path: Path) -> WordTest:
    """A user's own test: the tables x, y, a and b, each with ``words`` and, if wanted, ``name``."""
    try:
        content = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from None
    lists = {letter: _parse_list(content.get(letter), letter, path) for letter in LISTS}
    groups = str(content.get("groups", "xy"))
    if groups not in ("xy", "ab"):
        raise InputError(f'{path}: groups = {groups!r}; expected "xy" or "ab", the pair of lists that names two groups')
    named = {"test": str(content.get("name", path.stem)), "language": str(content.get("language", ""))}
    test = _make_test({**named, "groups": groups}, lists)
    check(test, str(path))
    return test


def _parse_list(entry: Any, letter: str, path: Path) -> WordList:
    words = entry.get("words") if isinstance(entry, dict) else entry
    if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
        raise InputError(
            f'{path}: no words for {letter}; expected a table such as [{letter}] with words = ["he", "him"]'
        )
    name = entry.get("name", letter.upper()) if isinstance(entry, dict) else letter.upper()
    return WordList(str(name), tuple(word.strip() for word in words))


def check(test: WordTest, where: str) -> None:
    """Refuse a test that cannot be run: an empty list, or a word on both sides."""
    for letter, words in test.lists.items():
        if not words.words:
            raise InputError(f"{where}: the list {letter} ({words.name}) is empty; expected at least one word")
    for first, second in OPPOSED:
        both = [word for word in test.lists[first].words if word in test.lists[second].words]
        if both:
            raise InputError(f"{where}: {', '.join(both)} in both {first} and {second}; a word can be on one side only")


def in_sentences(test: WordTest, templates: Sequence[str]) -> WordTest:
    """The test with each word put into each template, as SEAT does; a sentence begins with a capital."""

    def filled(words: WordList) -> WordList:
        sentences = (template.replace("{word}", word) for word in words.words for template in templates)
        return replace(words, words=tuple(sentence[0].upper() + sentence[1:] for sentence in sentences))

    return test.with_lists(filled)


def templates(spec: str | Path, language: str) -> list[str]:
    """Sentence templates: ``seat`` for the shipped ones of a language, or a file with one a line and {word} in each."""
    if str(spec) == "seat":
        shipped_rows = table("embeddings/tables", "templates.tsv")
        if sentences := [row["template"] for row in shipped_rows if row["language"] == language]:
            return sentences
        known = ", ".join(sorted({row["language"] for row in shipped_rows}))
        raise InputError(f"no templates for language {language!r}; known: {known}; or give a file")
    path = Path(spec)
    lines = list(read_lines(path))
    for number, line in enumerate(lines, 1):
        if "{word}" not in line or " " not in line.strip():
            raise InputError(f"{path}:{number}: {line!r} is no template; expected a sentence with {{word}} in it")
    if not lines:
        raise InputError(f"{path}: no templates; expected sentences such as: This is {{word}}.")
    return lines


class SeedList(NamedTuple):
    """Gendered words that a word is compared with."""

    name: str
    feminine: tuple[str, ...]
    masculine: tuple[str, ...]


class Listed(NamedTuple):
    """A word that is to be scored, and where it stands."""

    word: str
    where: str


def seed_lists(path: str | Path | None = None) -> tuple[SeedList, ...]:
    """The paper's two lists, he and she and 95 + 108 gendered words, or those of a table: list, side, words."""
    lists: dict[str, dict[str, tuple[str, ...]]] = {}
    listed = table("embeddings/tables", "gendered_words.tsv")
    if path is not None and not (listed := tuple(rows("\n".join(read_lines(path)) or "list", str(path)))):
        raise InputError(f"{path}: no seed words; expected a table with the columns list, side and words")
    for row in listed:
        words = tuple(word.strip() for word in row.get("words", "").split(",") if word.strip())
        if row.get("side") not in SIDES or not words or "list" not in row:
            raise InputError(f"{path}: {row}: expected the columns list, side ({' or '.join(SIDES)}) and words")
        lists.setdefault(row["list"], {})[row["side"]] = words
    for name, sides in lists.items():
        if missing := [side for side in SIDES if side not in sides]:
            raise InputError(f"{path}: the list {name!r} has no {missing[0]} side; expected both")
        if both := sorted(set(sides["feminine"]) & set(sides["masculine"])):
            raise InputError(f"{path}: {', '.join(both)} on both sides of {name!r}; a word can be on one side only")
    return tuple(SeedList(name, sides["feminine"], sides["masculine"]) for name, sides in lists.items())


def version(lists: Iterable[SeedList]) -> str:
    """A checksum of seed words."""
    return checksum(repr(list(lists)))


def read_words(source: str | Path | Iterable[str]) -> list[Listed]:
    """Words, one a line, what follows a tab aside; blank lines and comments are passed over, doubles refused."""
    named = isinstance(source, str | Path)
    lines = read_lines(source) if isinstance(source, str | Path) else source
    words: dict[str, Listed] = {}
    for number, line in enumerate(lines, 1):
        word = line.partition("\t")[0].strip()
        if not word or word.startswith("#"):
            continue
        where = f"{source}:{number}" if named else f"word {number}"
        if word in words:
            first = words[word].where.rpartition(":")[2]
            raise InputError(f"{where}: {word!r} appears twice (first: {first}); remove one")
        words[word] = Listed(word, where)
    if not words:
        raise InputError(f"{source if named else 'the list'}: no words; expected one a line")
    return list(words.values())


def candidates(spec: str, embedding: str) -> list[str]:
    """Words to rank: ``adjectives`` or ``verbs`` of WiBeMT's lists, or the first of a file's ``vocabulary[:N]``.

    Seeds are left out; of a vocabulary, only words of small letters are taken.
    """
    seeds = {word for listed in seed_lists() for word in (*listed.feminine, *listed.masculine)}
    if spec in SHIPPED:
        rows_of_part = (row for row in table("embeddings/tables", "candidates.tsv") if row["part"] == spec)
        return [row["word"] for row in rows_of_part if row["word"] not in seeds]
    name, _, count = spec.partition(":")
    if name != VOCABULARY or (count and not count.isdecimal()):
        raise InputError(f"candidates {spec!r}; expected {', '.join(SHIPPED)}, {VOCABULARY} or {VOCABULARY}:50000")
    first = islice(vocabulary(Path(embedding)), int(count or FREQUENT))
    words = [w for w in first if len(w) >= _SHORTEST and w.isalpha() and w == w.lower() and w not in seeds]
    if not words:
        raise EvidenceError(f"{embedding}: no words of small letters among the first {count or FREQUENT}")
    return list(dict.fromkeys(words))
