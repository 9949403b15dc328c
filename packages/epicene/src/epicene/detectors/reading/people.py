"""English words for people: which nouns of a source name a person."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

from epicene.detectors.reading.translations import base


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    data = (files("epicene.detectors.tables") / "people.txt.gz").read_bytes()
    first, _, other = gzip.decompress(data).decode("utf-8").partition("\n\n")
    return frozenset(first.split("\n")), frozenset(other.split("\n"))


def names_person(word: str) -> bool:
    """Whether a noun means a person first of all."""
    return base(word) in _words()[0]


def may_name_person(word: str) -> bool:
    """Whether a noun can mean a person."""
    return any(base(word) in words for words in _words())
