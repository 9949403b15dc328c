"""What every answer is shown as: tables of cells, and rows for those who compute with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from epicene.types import Measure

if TYPE_CHECKING:
    from pandas import DataFrame

Interval = tuple[float, float]


class Link(NamedTuple):
    """A text of a page that leads to the sentences that it counts; nowhere if no filter can say which they are."""

    text: str
    href: str


Cell = str | int | float | Measure | Interval | Link | None
Row = Mapping[str, Any]


class Column(NamedTuple):
    """A column of a table."""

    name: str  # in CSV and JSON
    title: str = ""  # in print
    digits: int = 0  # of numbers that are not whole
    wraps: bool = False  # a text that may take several lines, to the left
    key: bool = False  # with the first, says what a row is of: repeated where a wide table goes on below


def make_columns(**titles: str | tuple[str, int]) -> tuple[Column, ...]:
    """Columns by their names, each with its title in print and, where numbers are not whole, their digits."""
    return tuple(Column(name, *((title,) if isinstance(title, str) else title)) for name, title in titles.items())


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a title, with notes below; without columns it is the text alone."""

    title: str = ""
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()  # of what the numbers were computed with: never wrapped, comments in LaTeX

    def as_dict(self) -> dict[str, Any]:
        """The table as JSON has it."""
        names = [column.name for column in self.columns]
        rows = [dict(zip(names, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}


class Answer:
    """What a command prints and a function returns; an answer brings ``tables`` and, where CSV has more, ``rows``."""

    __slots__ = ()

    def tables(self) -> Iterable[Table]:
        """What is shown as text, Markdown, LaTeX and HTML."""
        raise NotImplementedError

    def rows(self) -> Iterable[Row]:
        """What CSV and pandas take: named cells, flat."""
        return flatten(list(self.tables()))

    def as_dict(self) -> dict[str, Any] | None:
        """The one object that JSON has of it; none where it has as many as there are rows."""
        return None

    def records(self) -> Iterable[dict[str, Any]]:
        """The objects that JSON lists."""
        record = self.as_dict()
        return [dict(row) for row in self.rows()] if record is None else [record]

    def to_frame(self) -> DataFrame:
        """The rows as a table of pandas (extra ``frame``)."""
        from epicene.output.render import make_frame

        return make_frame(list(self.rows()))

    def __str__(self) -> str:
        """As the terminal shows it."""
        from epicene.output.render import Format, render

        return render([self], Format.TEXT)

    def __repr__(self) -> str:
        """What it is, with the first line of what the terminal shows."""
        return f"<{type(self).__name__}: {str(self).partition(chr(10))[0].strip()}>"

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        from epicene.output.render import render_html

        return render_html(self)


@dataclass(frozen=True, slots=True, repr=False)
class Listing(Answer):
    """An answer that is nothing but tables: a list of what there is, or a few lines, which may be other rows."""

    shown: tuple[Table, ...]
    listed: tuple[Row, ...] = ()  # in CSV and JSON, where not those of the tables

    def tables(self) -> Iterable[Table]:
        """The tables themselves."""
        return self.shown

    def rows(self) -> Iterable[Row]:
        """The rows of the tables, or those in their place."""
        return self.listed or flatten(self.shown)


def flatten(tables: Sequence[Table]) -> list[Row]:
    """The rows of tables, each with the title of its own where there are several; an interval is two cells."""
    titled = sum(bool(table.columns) for table in tables) > 1
    rows: list[Row] = []
    for table in tables:
        intervals = [
            any(isinstance(row[index], tuple | Measure) for row in table.rows) for index in range(len(table.columns))
        ]
        for row in table.rows:
            cells: dict[str, Any] = {"table": table.title} if titled else {}
            for column, is_interval, cell in zip(table.columns, intervals, row, strict=True):
                cells |= _spread(column.name, cell) if is_interval else {column.name: cell}
            rows.append(cells)
    return rows


def _spread(name: str, cell: Cell) -> dict[str, Any]:
    if isinstance(cell, Measure):
        return {name: cell.value, f"{name}_low": cell.low, f"{name}_high": cell.high}
    low, high = cell if isinstance(cell, tuple) else (None, None)
    return {f"{name}_low": low, f"{name}_high": high}


def flatten_record(record: Mapping[str, Any]) -> Row:
    """A record as one row: its numbers and texts, without the lists and objects in it."""
    return {name: value for name, value in record.items() if not isinstance(value, list | tuple | dict)}


def format_number(value: float | None, digits: int = 1) -> str:
    """A number as tables print it, nought without a sign; a dash where it is not defined."""
    return "–" if value is None else f"{value:z.{digits}f}"


def count_digits(measure: Measure) -> int:
    """How many decimals a page prints of a measure: one of per cents and points, two of coefficients."""
    return 2 if measure.unit == "" else 1


def format_measure(measure: Measure, digits: int = 1) -> str:
    """A value and its interval."""
    value = format_number(measure.value, digits)
    if measure.low is None or measure.high is None:
        return value
    return f"{value} [{format_number(measure.low, digits)}, {format_number(measure.high, digits)}]"


def format_p(p: float | None) -> str:
    """A p-value as tables print it."""
    if p is None:
        return "–"
    return "<.0001" if p < 0.0001 else f"{p:.4f}".lstrip("0")


def format_cell(cell: Cell, digits: int) -> str:
    """A cell in print: a dash where there is nothing, two digits where rounding would leave nothing of a number."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Link):
        return cell.text
    if cell is None:
        return "–"
    if isinstance(cell, Measure):
        return format_measure(cell, digits)
    if isinstance(cell, tuple):
        return f"[{cell[0]:z.{digits}f}, {cell[1]:z.{digits}f}]"
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:.2g}" if 0 < abs(cell) < 10**-digits else f"{cell:z.{digits}f}"
