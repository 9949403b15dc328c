"""MT-GenEval's files as published: sentences with their counterfactuals, and professions with the sentence before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import checksum, read_lines, set_folder
from epicene.sets.files import entry, read_csv, require

GENDERS = ("feminine", "masculine")
_MARKED = re.compile(r"<([FM])>(.*?)</\1>")
_JOIN = "<sep> "


class Side(NamedTuple):
    """One sentence of a pair, where the first words that tell the gender stand in it, and its translation."""

    source: str
    start: int
    end: int
    reference: str


class InContext(NamedTuple):
    """A sentence, the one before it, and its translations with the right and with the wrong gender."""

    before: str
    source: str
    right: str
    wrong: str


def sides(part: str, gender: str, target: str) -> list[Side]:
    """The sentences of one gender, in published order."""
    name = "mt-geneval" if part == "test" else f"mt-geneval-{part}"
    stem = f"geneval-sentences-{gender}-{part}.en_{target}"
    marked, sources, references = (
        _lines(name, file) for file in (f"{part}/annotated/{stem}.en", f"{part}/{stem}.en", f"{part}/{stem}.{target}")
    )
    _same_length(name, marked, sources, references)
    return [Side(source, *_find_cue(line), ref) for line, source, ref in zip(marked, sources, references, strict=True)]


def _find_cue(line: str) -> tuple[int, int]:
    """Where the first marked words stand once the marks are gone; the first word where nothing is marked."""
    match = _MARKED.search(line)
    if match is None:
        return 0, len(line.split()[0])
    start = match.start() + len(match[2]) - len(match[2].lstrip())
    return start, start + len(match[2].strip())


def in_context(target: str) -> list[InContext]:
    """The professions with their context, in published order."""
    name, stem = "mt-geneval-context", "geneval-context-wikiprofessions-{}-test.en_{}.{}"
    joined, right, wrong = (
        _lines(name, stem.format(order, target, language))
        for order, language in (("2to1", "en"), ("original", target), ("flipped", target))
    )
    _same_length(name, joined, right, wrong)
    cut = [line.rpartition(_JOIN) for line in joined]
    return [InContext(b.strip(), s, r, w) for (b, _, s), r, w in zip(cut, right, wrong, strict=True)]


def paired_translations(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Sources and translations of each gender, from a CSV file with both sentences of a pair in each row."""
    columns = [f"{what}_{gender}" for gender in GENDERS for what in ("source", "translate")]
    rows = list(read_csv(path, *columns))
    return {
        gender: [
            (" ".join(row[f"source_{gender}"].split()), " ".join(row[f"translate_{gender}"].split())) for row in rows
        ]
        for gender in GENDERS
    }


def version(name: str) -> str:
    """A checksum of the files that are here, whatever languages they are in."""
    files = entry(name).files
    if not any((set_folder(name) / file.name).is_file() for file in files):
        require(name, files[0].name)
    return checksum(*(file.sha256 for file in files))


def _lines(name: str, file: str) -> list[str]:
    return list(read_lines(require(name, file)))


def _same_length(name: str, *columns: Sequence[str]) -> None:
    if len({len(column) for column in columns}) > 1:
        numbers = ", ".join(str(len(column)) for column in columns)
        raise InputError(f"{name}: the files have {numbers} lines; expected as many each: epicene data get {name}")
