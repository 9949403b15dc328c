"""GATE's files as published: English sentences with every gendered variant of their translation."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import read_text
from epicene.sets.files import entry, require

NAME = "gate"
_SIZES = (2, 4, 8)
_VARIANT = re.compile(r"[fm]+")
_NEEDED = ("labels", "source", "kw_s")


class Row(NamedTuple):
    """A sentence, its people, and its translations by the genders that these have in them."""

    source: str
    people: tuple[tuple[str, ...], ...]  # of each person: the mentions, as the key words give them
    variants: dict[str, str]  # by letters: "fm" has a woman first and then a man
    labels: tuple[str, ...]


def rows(target: str, size: int | None = None) -> list[Row]:
    """The sentences of a language in published order: those with one person, then with two and three."""
    name = target.upper()
    wanted = {f"{name}/{name}_{each}_variants.tsv": each for each in _SIZES if size in (None, each)}
    return [row for file in entry(NAME).files if file.name in wanted for row in _file(file.name)]


def _file(name: str) -> Iterator[Row]:
    path = require(NAME, name)
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""), delimiter="\t")
    if missing := [column for column in _NEEDED if column not in (reader.fieldnames or ())]:
        raise InputError(f"{path}:1: no column {missing[0]}; expected a file of GATE")
    for cells in reader:
        variants = {key: text for key, text in cells.items() if key and _VARIANT.fullmatch(key) and text}
        number = len(next(iter(variants)))
        yield Row(cells["source"], _people(cells["kw_s"], number), variants, tuple(cells["labels"].split(";")))


def _people(words: str, number: int) -> tuple[tuple[str, ...], ...]:
    """The mentions of each person; files differ in what they put between people."""
    found = [words] if number == 1 else re.split(r"[;,]" if ";" not in words else ";", words)
    mentions = [tuple(each.strip() for each in person.split("=")) for person in found[:number]]
    return (*mentions, *[("",)] * (number - len(mentions)))
