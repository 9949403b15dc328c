"""What a small translator of the project's own said of the occupations, where its answers are shipped.

A table a pair under ``tables/occupations/translations``: sentence, tab, translation. ``recipes/bundled`` writes it.
"""

from __future__ import annotations

from pathlib import Path

from epicene.files import read_lines
from epicene.sets import TestSet
from epicene.tables import resource
from epicene.types import Pair

NOTE = (
    "Ours: a small model of the project's own, which has read little text, so that the tables can be had without a "
    "translator. It says nothing about other systems; docs/models.md has what it is worth."
)
FOLDER = Path(str(resource("sets/occupations/tables", "translations")))


def shipped(pair: Pair) -> Path | None:
    """The file of a pair."""
    path = FOLDER / f"{pair}.tsv.gz"
    return path if path.is_file() else None


def lines(path: Path, challenge: TestSet, pair: Pair) -> list[str] | None:
    """The translations of a set in its order, if all of its sentences are there."""
    said = dict(line.split("\t", 1) for line in read_lines(path))
    found = [said.get(item.source) for item in challenge.items(pair)]
    return [text for text in found if text is not None] if None not in found else None
