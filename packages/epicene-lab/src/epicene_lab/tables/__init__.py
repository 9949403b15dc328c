"""The lab's own tables: corpora of sentences, recipes, results; ``PROVENANCE.toml`` names the source of each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from epicene.tables import find_folder, rows


def resource(*parts: str) -> Path:
    """A file of the lab, by its path in this folder."""
    return find_folder(__name__).joinpath(*parts)


@cache
def table(*parts: str) -> tuple[dict[str, str], ...]:
    """The rows of a table of the lab."""
    return tuple(rows(resource(*parts).read_text(encoding="utf-8"), "/".join(parts)))
