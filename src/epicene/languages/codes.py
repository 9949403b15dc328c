"""Language pairs in all the spellings of the field."""

from __future__ import annotations

import re
from functools import cache

from epicene.errors import InputError, UnknownNameError
from epicene.tables import table
from epicene.types import Pair

# en-de, en_de, eng-deu, eng_Latn-deu_Latn
_PAIR = re.compile(r"([A-Za-z]{2,3})(?:_[A-Za-z]{4})?[-_]([A-Za-z]{2,3})(?:_[A-Za-z]{4})?")


@cache
def _known() -> dict[str, dict[str, str]]:
    found = {row["code"]: row for row in table("languages.tsv")}
    return found | {row["iso3"]: row for row in table("languages.tsv")}


def language(code: str) -> str:
    """The two-letter code of a language given by its two- or three-letter code."""
    row = _known().get(code.lower())
    if row is None:
        raise UnknownNameError("language", code, [row["code"] for row in table("languages.tsv")])
    return row["code"]


def pair(text: str) -> Pair:
    """The pair that ``en-de``, ``en_de``, ``eng-deu`` or ``eng_Latn-deu_Latn`` names."""
    match = _PAIR.fullmatch(text.strip())
    if match is None:
        raise InputError(f"language pair {text!r} is not of the form en-de, en_de, eng-deu or eng_Latn-deu_Latn")
    return Pair(language(match[1]), language(match[2]))


def iso3(code: str) -> str:
    """The three-letter code of a language."""
    return _known()[language(code)]["iso3"]


def name(code: str) -> str:
    """The English name of a language."""
    return _known()[language(code)]["name"]


def right_to_left(code: str) -> bool:
    """Whether the language is written from right to left."""
    return _known()[language(code)]["direction"] == "rtl"
