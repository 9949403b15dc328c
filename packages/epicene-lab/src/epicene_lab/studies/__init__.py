"""Studies of papers: each computes the tables of a paper and puts the published figures beside."""

from __future__ import annotations

from epicene.output.table import Cell
from epicene.types import Measure
from epicene_lab.tables import table


def read_published(folder: str, *keys: str, value: str = "value", **only: str) -> dict[tuple[str, ...], str]:
    """What a paper prints: a column of ``published.tsv`` by the cells of others, in the rows that have ``only``."""
    rows = (row for row in table(folder, "published.tsv") if all(row[name] == cell for name, cell in only.items()))
    return {tuple(row[key] for key in keys): row[value] for row in rows if row[value]}


def list_cells(measure: Measure | None, *fields: str) -> tuple[Cell, ...]:
    """What stands beside a published figure: ours, its interval and n, or other fields; empty without a measure."""
    return tuple(None if measure is None else getattr(measure, name) for name in fields or ("value", "interval", "n"))
