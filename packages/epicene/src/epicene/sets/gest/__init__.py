"""GEST (Pikuliak et al. 2024): sentences in the first person with a stereotype; nobody's gender is told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError, UnknownNameError
from epicene.files import checksum, read_text, set_folder
from epicene.sets import TestSet, read_about
from epicene.sets.files import read_csv, require
from epicene.sets.gest.measures import MEASURES, MEN, WOMEN
from epicene.types import Item, Kind, Pair, Person

NAME = "gest"
VERSIONS = {"1.1": "gest_1.1.csv", "1.0": "gest.csv"}
# The pronoun as a subject first: it says best where the speaker stands.
_SPEAKER = (re.compile(r"\bI\b"), re.compile(r"\b(?:me|my|mine|myself)\b", re.IGNORECASE))


class Sentence(NamedTuple):
    """A sentence in the first person, and the number of its stereotype."""

    text: str
    stereotype: str


def sentences(version: str = "1.1") -> list[Sentence]:
    """The sentences of a version, in published order."""
    path = require(NAME, VERSIONS[version])
    found = [
        Sentence(row["sentence"], row["stereotype"])
        for row in read_csv(read_text(path), str(path), "sentence", "stereotype")
    ]
    if bad := next((row for row in found if row.stereotype not in (*WOMEN, *MEN)), None):
        raise InputError(f"{path}: stereotype {bad.stereotype!r}; expected 1 to 16")
    return found


def list_versions() -> list[str]:
    """The versions that are on this machine; 1.0, the one that was translated, comes last."""
    return [version for version, file in VERSIONS.items() if (set_folder(NAME) / file).is_file()]


def translations(text: str, where: str) -> dict[str, str]:
    """A system's published translations, by their English sentence."""
    return {row["from"]: row["to"] for row in read_csv(text, where, "from", "to")}


def _person(sentence: str) -> Person:
    """Who speaks; the sentence's first word where no pronoun names the speaker."""
    match = next((found for pattern in _SPEAKER if (found := pattern.search(sentence))), None)
    if match is None:
        first = sentence.split()[0]
        return Person(first, 0, "i", kind=Kind.PRONOUN)
    return Person(match[0], match.start(), "i", kind=Kind.PRONOUN)


def _items(version: str, pair: Pair) -> list[Item]:  # noqa: ARG001 - the English sentences serve every target
    """The sentences in published order."""
    return [
        Item(str(number), text, _person(text), None, {"stereotype": stereotype})
        for number, (text, stereotype) in enumerate(sentences(version))
    ]


def _version(version: str) -> str:
    return checksum(*(f"{stereotype}\t{text}\n" for text, stereotype in sentences(version)))


def read_outputs(path: Path) -> tuple[TestSet, list[str]] | None:
    """The sentences that a published ``translations.csv`` translates, whichever version they are of, and its lines."""
    if path.suffix != ".csv" or not path.is_file():
        return None
    translated = translations(read_text(path), str(path))
    version = ("1.1", *list_versions())[-1]
    rows = [row for row in sentences(version) if row.text in translated]
    own = [item for item in _items(version, Pair("en", "ru")) if item.source in translated]

    def version_of_rows() -> str:
        return checksum(*(f"{row.stereotype}\t{row.text}\n" for row in rows))

    challenge = replace(SET, items=lambda _: own, version=version_of_rows, read_outputs=None)
    return challenge, [translated[item.source] for item in own]


def variant(argument: str) -> TestSet:
    """The set of ``gest:1.0``, the version that the published translations were made from, or ``gest:1.1``."""
    if argument not in VERSIONS:
        raise UnknownNameError("version of gest", argument, tuple(VERSIONS))
    return replace(
        SET,
        about=replace(SET.about, name=f"gest:{argument}"),
        items=lambda pair: _items(argument, pair),
        version=lambda: _version(argument),
    )


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    items=lambda pair: _items("1.1", pair),
    version=lambda: _version("1.1"),
    variant=variant,
    open_gender=True,
    read_outputs=read_outputs,
)
