"""GEST (Pikuliak et al. 2024): sentences in the first person with a stereotype; nobody's gender is told."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from epicene.errors import UnknownNameError
from epicene.files import read_text
from epicene.sets import TestSet, read_about
from epicene.sets.gest import files as published
from epicene.sets.gest.measures import MEASURES
from epicene.types import Item, Kind, Pair, Person

# The pronoun as a subject first: it says best where the speaker stands.
_SPEAKER = (re.compile(r"\bI\b"), re.compile(r"\b(?:me|my|mine|myself)\b", re.IGNORECASE))


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
        for number, (text, stereotype) in enumerate(published.sentences(version))
    ]


def _version(version: str) -> str:
    digest = hashlib.sha256()
    for text, stereotype in published.sentences(version):
        digest.update(f"{stereotype}\t{text}\n".encode())
    return digest.hexdigest()[:8]


def read_outputs(path: Path) -> tuple[TestSet, list[str]] | None:
    """The sentences that a published ``translations.csv`` translates, whichever version they are of, and its lines."""
    if path.suffix != ".csv" or not path.is_file():
        return None
    translated = published.translations(read_text(path), str(path))
    version = ("1.1", *published.list_versions())[-1]
    rows = [row for row in published.sentences(version) if row.text in translated]
    own = [item for item in _items(version, Pair("en", "ru")) if item.source in translated]

    def checksum() -> str:
        return hashlib.sha256("".join(f"{row.stereotype}\t{row.text}\n" for row in rows).encode()).hexdigest()[:8]

    challenge = replace(SET, items=lambda _: own, version=checksum, read_outputs=None)
    return challenge, [translated[item.source] for item in own]


def variant(argument: str) -> TestSet:
    """The set of ``gest:1.0``, the version that the published translations were made from, or ``gest:1.1``."""
    if argument not in published.VERSIONS:
        raise UnknownNameError("version of gest", argument, tuple(published.VERSIONS))
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
