"""MiTTenS as published: passages into and out of English that tell somebody's gender."""

from __future__ import annotations

import csv
import io
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import read_text
from epicene.sets.files import require
from epicene.text import one_line

NAME, FILE = "mittens", "mittens_dataset_v5.csv"
_COLUMNS = ("example", "targets", "lang", "encoded_gender", "eval_set_key", "format")


class Passage(NamedTuple):
    """A passage, a translation of it, and the gender that it tells."""

    row: str
    text: str
    reference: str
    gender: str
    family: str  # as late_binding, coref:synthetic


def passages(source: str, target: str) -> list[Passage]:
    """The passages of a pair of languages, one of which is English, in published order."""
    way, language = ("2en", source) if target == "en" else ("2xx", target)
    path = require(NAME, FILE)
    found = [passage for kind, lang, passage in _all(path) if (kind, lang) == (way, language)]
    if not found or "en" not in (source, target):
        known = ", ".join(sorted({lang for kind, lang, _ in _all(path) if kind == way}))
        raise InputError(f"set mittens has no passages {source}-{target}; it has en-XX and XX-en, here {known}")
    return found


@lru_cache(maxsize=1)
def _all(path: Path) -> tuple[tuple[str, str, Passage], ...]:
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
        raise InputError(f"{path}:1: no column {missing[0]}; expected {', '.join(_COLUMNS)}")
    return tuple(
        (
            row["format"],
            row["lang"],
            Passage(
                row[""],
                one_line(row["example"]).strip(),
                one_line(row["targets"]).strip(),
                row["encoded_gender"],
                row["eval_set_key"],
            ),
        )
        for row in reader
    )
