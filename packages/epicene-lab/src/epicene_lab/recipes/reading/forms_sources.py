"""Reads the free lexicons that the tables of forms are learnt from; README.md says where each comes from."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

_PERSON = "18"  # WordNet's file noun.person
_TOP_PEOPLE = {"00007846", "09622928"}  # person and its like stand in noun.Tops
_FEMALE, _MALE = "09619168", "09624168"


@cache
def synsets(folder: Path) -> dict[str, tuple[str, list[str], list[str], bool]]:
    """WordNet's nouns by offset: file, lemmas, what each is a kind of, whether it is an individual."""
    found = {}
    for line in (folder / "data.noun").read_text(encoding="latin1").splitlines():
        if line.startswith("  "):
            continue
        fields = line.split("|")[0].split()
        count = int(fields[3], 16)
        file = _PERSON if fields[0] in _TOP_PEOPLE else fields[1]
        lemmas = [fields[4 + 2 * place].replace("_", " ") for place in range(count)]
        pointers = fields[5 + 2 * count :]
        above = [pointers[place + 1] for place in range(0, len(pointers) - 3, 4) if pointers[place] == "@"]
        found[fields[0]] = (file, lemmas, above, "@i" in pointers)
    return found


@cache
def gendered(folder: Path) -> dict[str, str]:
    """The gender of the people whom a synset names, by offset, where the word's meaning tells it."""
    nouns = synsets(folder)
    genders = {}
    for offset in nouns:
        seen, open_ = set(), [offset]
        while open_:
            here = open_.pop()
            if here not in seen:
                seen.add(here)
                open_.extend(nouns[here][2])
        if (_FEMALE in seen) != (_MALE in seen):
            genders[offset] = "f" if _FEMALE in seen else "m"
    return genders


@cache
def english(folder: Path) -> dict[str, tuple[bool, str]]:
    """English nouns that can name people: whether their first sense does, and the gender that it means or ``c``."""
    nouns, genders = synsets(folder), gendered(folder)
    found = {}
    for line in (folder / "index.noun").read_text(encoding="latin1").splitlines():
        if line.startswith("  "):
            continue
        fields = line.split()
        offsets = [offset for offset in fields[6 + int(fields[3]) :] if not nouns[offset][3]]
        people = [offset for offset in offsets if nouns[offset][0] == _PERSON]
        if people:
            first = people[0] == offsets[0]
            found[fields[0].replace("_", " ")] = (first, genders.get(people[0], "c") if first else "c")
    return found


class Noun(NamedTuple):
    """A noun of a bilingual dictionary."""

    lemma: str
    genders: frozenset[str]  # f, m, n
    person: bool
    meant: str  # f or m where the English word means a woman or a man, else c
    plural: bool


_TRANSLATION = re.compile(r"([^,;{}<>()\[\]/]+?)\s*((?:\{[^}]*\},?\s*)+)")
_GLOSSES = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_MEANS_WOMAN = re.compile(r"\b(?:female|woman|feminine|girl|wife|lady)\b")
_PERSONAL = re.compile(r"\b(?:person|someone|who|somebody|one that|one who)\b")
_MEANS_MAN = re.compile(r"\b(?:male|masculine)\b")


def wiktionary(folder: Path, language: str, wordnet: Path) -> Iterator[Noun]:
    """Nouns of the English Wiktionary in a language, from its translations and from its entries."""
    people = english(wordnet)
    listed = set()
    for head, gloss, right in _english_entries(folder, language):
        first, meant = people.get(head.lower(), (False, "c"))
        said = _meant(gloss) or meant
        person = first or bool(head.lower() in people and _PERSONAL.search(gloss))
        for lemma, genders, plural in _translations(right):
            listed.add(lemma)
            yield Noun(lemma, genders, person, said, plural)
    for lemma, tags, gloss in _foreign_entries(folder, language):
        genders = _genders(tags)
        if genders and lemma not in listed:  # an entry "m (f abogada)" has lost its first gender
            words = re.split(r"[,;]|\bor\b", re.sub(r"\([^)]*\)|\b(?:a|an|the|female|male)\b", " ", gloss))
            if language == "es" and genders == {"f"} and re.search(r"(?:o|or|ón|és|ista|e)$", lemma):
                genders = frozenset("mf") if lemma.endswith(("ista", "e")) else frozenset("m")
            kinds = [people.get(" ".join(word.split()).lower(), (False, "c")) for word in words]
            person = any(first for first, _ in kinds) or bool(_PERSONAL.search(gloss))
            yield Noun(lemma, genders, person, _meant(gloss) or kinds[0][1], "-p" in tags)


def adjectives(folder: Path, language: str, pos: str = "adj") -> Iterator[str]:
    """Adjectives (or other words) of the English Wiktionary's translations in a language, in their base form."""
    path = folder / f"en-{language}-enwiktionary.txt"
    for line in path.read_text().splitlines() if path.exists() else ():
        left, _, right = line.partition(" :: ")
        if f" {{{pos}}}" in left:
            for item in _GLOSSES.sub(" ", right).split(","):
                if re.search(r"\{(?:f|n|p|f-p|m-p)\}", item):
                    continue
                word = re.sub(r"\{[^}]*\}|/[^/]*/", "", item).strip().lower()
                if re.fullmatch(r"[^\W\d_]+", word):
                    yield word


def _english_entries(folder: Path, language: str) -> Iterator[tuple[str, str, str]]:
    path = folder / f"en-{language}-enwiktionary.txt"
    if path.exists():
        for line in path.read_text().splitlines():
            left, _, right = line.partition(" :: ")
            head, _, gloss = left.partition(" {n}")
            if gloss or left.endswith("{n}"):
                yield head, gloss, right
        return
    path = folder / f"en-{language}.dsl"
    if path.exists():
        for lines in _dsl(path):
            if len(lines) > 2 and "[p]<n>[/p]" in lines[1]:
                yield lines[0], lines[1], " ".join(lines[2:])


def _foreign_entries(folder: Path, language: str) -> Iterator[tuple[str, str, str]]:
    path = folder / f"{language}-en-enwiktionary.txt"
    if path.exists():
        for line in path.read_text().splitlines():
            left, _, gloss = line.partition(" :: ")
            match = re.match(r"([^{]+) \{([^}]*)\}", left)
            if match:
                yield match[1], match[2], gloss
        return
    path = folder / f"{language}-en.dsl"
    if path.exists():
        for lines in _dsl(path):
            match = re.search(r"\[p\]\{?<?([mfn,\- spl]+)>?\}?\[/p\]", lines[1]) if len(lines) > 2 else None
            if match:
                yield lines[0], match[1], " ".join(lines[2:])


def _dsl(path: Path) -> Iterator[list[str]]:
    """The entries of a DSL dictionary: head word and lines, with tags written as in the plain files."""
    for block in path.read_text(encoding="utf-16-le").lstrip("\ufeff").replace("\r", "").split("\n\n"):
        lines = block.strip("\n").split("\n")
        if len(lines) > 1 and not lines[0].startswith("#"):
            rest = [re.sub(r"\[p\]<([^>]*)>\[/p\]", r"{\1}", line) for line in lines[2:]]
            yield [lines[0], lines[1], *(re.sub(r"\[/?\w+[^\]]*\]|\\", "", line).strip() for line in rest)]


def _translations(right: str) -> Iterator[tuple[str, frozenset[str], bool]]:
    for match in _TRANSLATION.finditer(_GLOSSES.sub(" ", right)):
        genders = _genders(match[2])
        lemma = match[1].strip(" ,|=")
        if genders and lemma:
            yield lemma, genders, "p" in re.findall(r"[a-z]+", match[2])


def _genders(tags: str) -> frozenset[str]:
    letters = re.findall(r"\b(mf|fm|[mfn])\b", tags)
    return frozenset("".join(letters))


def _meant(gloss: str) -> str:
    if _MEANS_WOMAN.search(gloss):
        return "f"
    return "m" if _MEANS_MAN.search(gloss) else ""


class Stem(NamedTuple):
    """A line of a Hunspell dictionary."""

    word: str
    flags: frozenset[str]
    tags: str


class Affix(NamedTuple):
    """A rule of a Hunspell affix file."""

    cut: str
    add: str
    fits: re.Pattern[str]
    tags: str
    flags: str


def hunspell(folder: Path, name: str, long_flags: bool = False) -> tuple[list[Stem], dict[str, list[Affix]]]:
    """The words of a Hunspell dictionary, and the suffixes by flag."""
    rules: dict[str, list[Affix]] = defaultdict(list)
    for line in (folder / f"{name}.aff").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        if len(fields) >= 5 and fields[0] == "SFX":
            add, _, flags = fields[3].partition("/")
            fits = re.compile(fields[4] + "$")
            rules[fields[1]].append(
                Affix(fields[2].replace("0", ""), add.replace("0", ""), fits, " ".join(fields[5:]), flags)
            )
    stems = []
    for line in (folder / f"{name}.dic").read_text(encoding="utf-8").splitlines()[1:]:
        left, _, tags = line.replace("\t", " ").partition(" ")
        word, _, flags = left.partition("/")
        cut = [flags[place : place + 2] for place in range(0, len(flags), 2)] if long_flags else list(flags)
        stems.append(Stem(word, frozenset(cut), tags))
    return stems, rules


def inflected(word: str, rules: list[Affix]) -> Iterator[tuple[str, Affix]]:
    """The forms that a flag makes of a word."""
    for rule in rules:
        if rule.fits.search(word) and word.endswith(rule.cut):
            yield word[: len(word) - len(rule.cut)] + rule.add, rule
