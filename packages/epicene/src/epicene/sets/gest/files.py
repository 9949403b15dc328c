"""GEST's files as published: sentences with their stereotype, and translations of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import read_text, set_folder
from epicene.sets.files import require

NAME = "gest"
VERSIONS = {"1.1": "gest_1.1.csv", "1.0": "gest.csv"}
STEREOTYPES = tuple(str(number) for number in range(1, 17))


class Sentence(NamedTuple):
    """A sentence in the first person, and the number of its stereotype."""

    text: str
    stereotype: str


def sentences(version: str = "1.1") -> list[Sentence]:
    """The sentences of a version, in published order."""
    path = require(NAME, VERSIONS[version])
    found = [
        Sentence(row["sentence"], row["stereotype"])
        for row in _rows(read_text(path), str(path), "sentence", "stereotype")
    ]
    if bad := next((row for row in found if row.stereotype not in STEREOTYPES), None):
        raise InputError(f"{path}: stereotype {bad.stereotype!r}; expected 1 to 16")
    return found


def list_versions() -> list[str]:
    """The versions that are on this machine; 1.0, the one that was translated, comes last."""
    return [version for version, file in VERSIONS.items() if (set_folder(NAME) / file).is_file()]


def translations(text: str, where: str) -> dict[str, str]:
    """A system's published translations, by their English sentence."""
    return {row["from"]: row["to"] for row in _rows(text, where, "from", "to")}


def _rows(text: str, where: str, *columns: str) -> Iterator[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
        raise InputError(f"{where}:1: no column {missing[0]}; expected a CSV file with {', '.join(columns)}")
    for row in reader:
        if not all(row[name] is not None for name in columns):
            raise InputError(f"{where}:{reader.line_num}: too few columns; expected {', '.join(columns)}")
        yield row
