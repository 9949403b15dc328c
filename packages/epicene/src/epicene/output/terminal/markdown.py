"""What the terminal shows, as Markdown: the same tables and lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from epicene.rows import as_markdown, marked

if TYPE_CHECKING:
    from rich.table import Table


def document(parts: Iterable[Table | str], signature: str = "") -> str:
    """Parts one below the other, with the signature last."""
    lines = [text for part in parts if (text := _text(part))]
    return "\n\n".join([*lines, *([f"`{signature}`"] if signature else [])]) + "\n"


def _text(part: Table | str) -> str:
    if isinstance(part, str):
        return "  \n".join(marked(line) for line in part.splitlines())
    return as_markdown(*cells(part))


def cells(table: Table) -> tuple[list[str], list[tuple[str, ...]]]:
    """The header of a table and its rows, as texts."""
    header = [str(column.header) for column in table.columns]
    return header, list(zip(*([str(cell) for cell in column.cells] for column in table.columns), strict=True))
