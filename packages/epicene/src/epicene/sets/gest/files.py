"""GEST's files as published: sentences with their stereotype, and translations of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from epicene.errors import DataMissingError, InputError
from epicene.files import read_text
from epicene.published import folder

NAME = "gest"
VERSIONS = {"1.1": "gest_1.1.csv", "1.0": "gest.csv"}
STEREOTYPES = tuple(str(number) for number in range(1, 17))


class Sentence(NamedTuple):
    """A sentence in the first person, and the number of its stereotype."""

    text: str
    stereotype: str


def sentences(version: str = "1.1") -> list[Sentence]:
    """The sentences of a version, in published order."""
    path = path_of(version)
    if not path.is_file():
        raise DataMissingError(
            f"{path.name} of gest is not on this machine; run: epicene data get gest (or: epicene data add gest PATH)"
        )
    found = [Sentence(row["sentence"], row["stereotype"]) for row in _rows(path, "sentence", "stereotype")]
    if bad := next((row for row in found if row.stereotype not in STEREOTYPES), None):
        raise InputError(f"{path}: stereotype {bad.stereotype!r}; expected 1 to 16")
    return found


def path_of(version: str) -> Path:
    """Where a version lies."""
    return folder(NAME) / VERSIONS[version]


def translations(path: Path) -> dict[str, str]:
    """A system's published translations, by their English sentence."""
    return {row["from"]: row["to"] for row in _rows(path, "from", "to")}


def _rows(path: Path, *columns: str) -> Iterator[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
        raise InputError(f"{path}:1: no column {missing[0]}; expected a CSV file with {', '.join(columns)}")
    for row in reader:
        if not all(row[name] is not None for name in columns):
            raise InputError(f"{path}:{reader.line_num}: too few columns; expected {', '.join(columns)}")
        yield row
