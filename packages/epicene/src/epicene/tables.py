"""Shipped tables; ``PROVENANCE.toml`` names the source and licence of each."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from epicene.errors import InputError


def find_folder(package: str) -> Path:
    """The folder of an installed package, which is imported for it."""
    return Path(str(importlib.import_module(package).__file__)).parent


def resource(*parts: str) -> Path:
    """A shipped file, by its path in this package."""
    return find_folder("epicene").joinpath(*parts)


def rows(text: str, where: str) -> Iterator[dict[str, str]]:
    """Rows of a tab-separated table with a header; blank lines and lines that begin with # are passed over."""
    lines = [
        (number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")
    ]
    if not lines:
        raise InputError(f"{where}: an empty table; expected a line that names its columns")
    header = lines[0][1].split("\t")
    for number, line in lines[1:]:
        cells = line.split("\t")
        if len(cells) > len(header):
            raise InputError(f"{where}:{number}: {len(cells)} columns, expected {len(header)} ({', '.join(header)})")
        yield dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=True))


def source_of(path: str) -> str:
    """Where a shipped table is from, as ``PROVENANCE.toml`` says."""
    sources = tomllib.loads(resource("PROVENANCE.toml").read_text(encoding="utf-8"))
    return str(sources[path]["source"])


@cache
def table(*parts: str) -> tuple[dict[str, str], ...]:
    """The rows of a shipped table."""
    return tuple(rows(resource(*parts).read_text(encoding="utf-8"), "/".join(parts)))
