"""A study as text and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from epicene.output.terminal.tables import grid, latex

if TYPE_CHECKING:
    from rich.table import Table

    from epicene.studies import Cell, Study, StudyTable


def shown(value: Cell, digits: int) -> str:
    """A cell: a dash where there is nothing, two digits where rounding would leave nothing of a number."""
    if value is None:
        return "–"
    if isinstance(value, tuple):
        return f"[{value[0]:z.{digits}f}, {value[1]:z.{digits}f}]"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.2g}" if 0 < abs(value) < 10**-digits else f"{value:z.{digits}f}"


def study_table(table: StudyTable) -> Table:
    """One table of a study."""
    found = grid(*(column.title for column in table.columns))
    for printed, column in zip(found.columns, table.columns, strict=True):
        if column.wraps:
            printed.no_wrap, printed.justify = False, "left"
    for row in _cells(table):
        found.add_row(*row)
    return found


def rows(study: Study) -> list[dict[str, Any]]:
    """The rows of all tables, each with the title of its own; an interval is two cells."""
    found = []
    for table in study.tables:
        columns = zip(*table.rows, strict=True) if table.rows else ()
        intervals = [any(isinstance(value, tuple) for value in column) for column in columns]
        for row in table.rows:
            cells: dict[str, Any] = {"table": table.title}
            for column, interval, value in zip(table.columns, intervals, row, strict=True):
                if interval:
                    low, high = value if isinstance(value, tuple) else (None, None)
                    cells |= {f"{column.name}_low": low, f"{column.name}_high": high}
                else:
                    cells[column.name] = value
            found.append(cells)
    return found


def as_latex(study: Study) -> str:
    """All tables of a study, one after the other."""
    headers = [[column.title for column in table.columns] for table in study.tables]
    parts = [
        f"% {table.title}\n{latex(study.signatures, header, _cells(table))}"
        for table, header in zip(study.tables, headers, strict=True)
    ]
    return "\n\n".join(parts)


def _cells(table: StudyTable) -> Sequence[Sequence[str]]:
    return [
        [shown(value, column.digits) for value, column in zip(row, table.columns, strict=True)] for row in table.rows
    ]
