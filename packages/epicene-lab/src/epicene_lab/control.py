"""A control: words of SimpleGEN's frames that name nobody's gender. What a fast model loses there is no bias."""

from __future__ import annotations

import re
from functools import cache

from epicene_lab.tables import table

_WORD = re.compile(r"[^\W\d_]+")
Stems = tuple[tuple[str, ...], ...]


@cache
def _stems(target: str) -> dict[str, tuple[str, ...]]:
    return {row["english"]: tuple(row[target].split("|")) for row in table("lab", "control.tsv")}


@cache
def wanted(source: str, target: str) -> Stems:
    """The stems that a translation of each control word of a sentence may begin with."""
    known = _stems(target)
    return tuple(known[word] for word in _WORD.findall(source.casefold()) if word in known)


def found(text: str, stems: Stems) -> int:
    """How many of the control words are there."""
    words = _WORD.findall(text.casefold())
    return sum(any(word.startswith(each) for word in words) for each in stems)
