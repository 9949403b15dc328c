"""``custom:FILE.tsv``: a user's own sentences, with the person marked.

Tab-separated with a header: ``id``, ``source``, ``focus`` (the words that name the person, as they stand in the
source), ``expected`` (feminine, masculine, neutral or empty); ``group`` and ``occupation`` if wanted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.languages.concepts import concept
from epicene.sets import SetBuilder
from epicene.types import ChallengeSet, Gender, Item, Pair, Person

_FAMILY = "gender"
_NEEDED = ("id", "source", "focus", "expected")


def _items(path: Path) -> Iterator[Item]:
    lines = read_lines(path)
    header = next(lines, "").split("\t")
    if missing := [name for name in _NEEDED if name not in header]:
        raise InputError(f"{path}:1: no column {', '.join(missing)}; expected a header with {', '.join(_NEEDED)}")
    if twice := [name for name in header if header.count(name) > 1]:
        raise InputError(f"{path}:1: column {twice[0]} stands there twice")
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise InputError(f"{path}:{number}: {len(cells)} columns, expected {len(header)}")
        item = _item(dict(zip(header, cells, strict=True)), f"{path}:{number}")
        if item.id in seen:
            raise InputError(f"{path}:{number}: the id {item.id!r} stands in line {seen[item.id]} already")
        seen[item.id] = number
        yield item


def _item(row: dict[str, str], where: str) -> Item:
    found = re.search(rf"(?<!\w){re.escape(row['focus'])}(?!\w)", row["source"]) if row["focus"] else None
    if found is None:
        raise InputError(f"{where}: the focus {row['focus']!r} does not stand in the source {row['source']!r}")
    if row["expected"] not in ("", *Gender):
        raise InputError(f"{where}: expected {row['expected']!r}; known: {', '.join(Gender)} or nothing")
    name, plural = concept(row["focus"])
    labels = {key: value for key, value in row.items() if key not in _NEEDED}
    labels.setdefault("group", "")
    labels.setdefault("occupation", name)
    expected = Gender(row["expected"]) if row["expected"] else None
    return Item(row["id"], row["source"], Person(row["focus"], found.start(), name, plural), expected, labels)


class _Rows:
    """Items that are read anew each time they are asked for, never held together."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[Item]:
        return _items(self._path)


def build(argument: str) -> ChallengeSet:
    """The set that lies in a file."""
    path = Path(argument)
    if not argument or not path.is_file():
        raise InputError(f"custom:{argument}: no such file; expected a table with the columns {', '.join(_NEEDED)}")

    def version() -> str:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()[:8]

    def items(pair: Pair) -> _Rows:  # noqa: ARG001
        return _Rows(path)

    return ChallengeSet(
        name="custom",
        title=f"Sentences of {path.name}",
        sources=("en",),
        family=_FAMILY,
        paper_detector="",
        items=items,
        version=version,
        licence="the user's",
        citation="",
        card=__doc__ or "",
    )


SET = SetBuilder("``custom:FILE.tsv``: a user's own sentences, with the person marked.", build, lambda _: _FAMILY)
