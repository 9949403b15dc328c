"""Word lists for the gender score: gendered seed words, and the words that are to be scored."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.tables import rows, table

SIDES = ("feminine", "masculine")


class SeedList(NamedTuple):
    """Gendered words that a word is compared with."""

    name: str
    feminine: tuple[str, ...]
    masculine: tuple[str, ...]


class Listed(NamedTuple):
    """A word that is to be scored, and where it stands."""

    word: str
    where: str


def seed_lists(path: str | Path | None = None) -> tuple[SeedList, ...]:
    """The paper's two lists, he and she and 95 + 108 gendered words, or those of a table: list, side, words."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    given = table("embeddings/tables", "gendered_words.tsv") if path is None else _user_rows(path)
    for row in given:
        words = tuple(word.strip() for word in row.get("words", "").split(",") if word.strip())
        if row.get("side") not in SIDES or not words or "list" not in row:
            raise InputError(f"{path}: {row}: expected the columns list, side ({' or '.join(SIDES)}) and words")
        found.setdefault(row["list"], {})[row["side"]] = words
    for name, sides in found.items():
        if missing := [side for side in SIDES if side not in sides]:
            raise InputError(f"{path}: the list {name!r} has no {missing[0]} side; expected both")
        if both := sorted(set(sides["feminine"]) & set(sides["masculine"])):
            raise InputError(f"{path}: {', '.join(both)} on both sides of {name!r}; a word can be on one side only")
    return tuple(SeedList(name, sides["feminine"], sides["masculine"]) for name, sides in found.items())


def _user_rows(path: str | Path) -> list[dict[str, str]]:
    found = list(rows("\n".join(read_lines(path)) or "list", str(path)))
    if not found:
        raise InputError(f"{path}: no seed words; expected a table with the columns list, side and words")
    return found


def version(lists: Iterable[SeedList]) -> str:
    """A checksum of seed words."""
    return hashlib.sha256(repr(list(lists)).encode()).hexdigest()[:8]


def read_words(source: str | Path | Iterable[str]) -> list[Listed]:
    """Words, one a line, what follows a tab aside; blank lines and comments are passed over, doubles refused."""
    named = isinstance(source, str | Path)
    lines = read_lines(source) if isinstance(source, str | Path) else source
    found: dict[str, Listed] = {}
    for number, line in enumerate(lines, 1):
        word = line.partition("\t")[0].strip()
        if not word or word.startswith("#"):
            continue
        where = f"{source}:{number}" if named else f"word {number}"
        if word in found:
            first = found[word].where.rpartition(":")[2]
            raise InputError(f"{where}: {word!r} stands there a second time (first: {first}); remove one")
        found[word] = Listed(word, where)
    if not found:
        raise InputError(f"{source if named else 'the list'}: no words; expected one a line")
    return list(found.values())
