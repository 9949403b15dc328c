"""Many systems beside each other as text, CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from epicene.compare.headline import headline
from epicene.compare.table import Cell, Column, Matrix
from epicene.output.table import format_number as number
from epicene.output.terminal.tables import grid, latex
from epicene.text import visible

if TYPE_CHECKING:
    from rich.table import Table

_MARK = "*"
_LEAST = 80  # characters that a terminal is taken to have
_GAP = 2  # blanks between columns
_CSV = (
    *("set", "langs", "measure", "system", "value", "low", "high", "n", "count", "unread", "doubtful", "rank"),
    *("rank_first", "rank_last", "tied", "translated", "warnings", "signature"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARKDOWN = str.maketrans({letter: f"\\{letter}" for letter in "\\`*_[]|#"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"})


def text_parts(matrix: Matrix) -> Iterator[Table | str]:
    """What is printed: the sentence, the table, and what the marks mean."""
    yield wrapped(headline(matrix)) + "\n"
    yield wrapped(f"{matrix.kind.title}; ranks that the tests leave open (all pairs, Holm); 95 % interval")
    for name in dict.fromkeys(column.set for column in matrix.columns):
        own = _columns(matrix, name)
        systems = _present(matrix, own)
        cells = [(_head(column), [_text(column.cells.get(system)) for system in systems]) for column in own]
        yield from fitted(visible(name), [visible(system) for system in systems], cells)
    if any(cell.doubtful for column in matrix.columns for cell in column.cells.values()):
        yield wrapped(
            f"{_MARK} more than 5 % could not be read, or the outputs are doubtful: ranked, but never named first"
        )
    for column in matrix.means:
        if column.lacking:
            yield wrapped(f"no mean, since a language is lacking: {', '.join(map(visible, column.lacking))}")


def room() -> int:
    """How many characters a line may have."""
    return max(_LEAST, shutil.get_terminal_size((_LEAST, 0)).columns)


def wrapped(text: str) -> str:
    """A sentence in lines that fit the terminal."""
    return textwrap.fill(text, room(), break_on_hyphens=False, break_long_words=False)


def fitted(corner: str, names: Sequence[str], columns: Sequence[tuple[str, Sequence[str]]]) -> Iterator[Table]:
    """A table of named rows, its columns in as many tables as the terminal has room for."""
    first = _GAP + max(map(len, (corner, *names)))
    part: list[tuple[str, Sequence[str]]] = []
    taken = first
    for head, cells in columns:
        own = _GAP + max(len(line) for text in (head, *cells) for line in text.split("\n"))
        if part and taken + own > room():
            yield _table(corner, names, part)
            part, taken = [], first
        part.append((head, cells))
        taken += own
    yield _table(corner, names, part)


def _table(corner: str, names: Sequence[str], columns: Sequence[tuple[str, Sequence[str]]]) -> Table:
    table = grid(corner, *(head for head, _ in columns))
    for place, name in enumerate(names):
        table.add_row(name, *(cells[place] for _, cells in columns))
    return table


def _columns(matrix: Matrix, set_name: str) -> list[Column]:
    return [column for column in (*matrix.columns, *matrix.means) if column.set == set_name]


def _present(matrix: Matrix, columns: Sequence[Column]) -> list[str]:
    return [system for system in matrix.systems if any(system in column.cells for column in columns)]


def _head(column: Column) -> str:
    sizes = sorted({cell.n for cell in column.cells.values()})
    return f"{column.langs}\nn {sizes[0]:,}" if len(sizes) == 1 else f"{column.langs}\nn ≤ {sizes[-1]:,}"


def _text(cell: Cell | None) -> str:
    if cell is None:
        return ""
    ends = "" if cell.low is None or cell.high is None else f"[{cell.low:.0f}, {cell.high:.0f}]"
    return f"{number(cell.value)}{_MARK if cell.doubtful else ''} {_ranks(cell)}\n{ends}"


def _ranks(cell: Cell) -> str:
    if cell.ranks is None:
        return "–"
    first, last = cell.ranks
    return str(first) if first == last else f"{first}–{last}"


def as_csv(matrices: Mapping[str, Matrix]) -> str:
    """One row a system, set, language pair and measure."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_CSV)
    for measure, matrix in matrices.items():
        for column in (*matrix.columns, *matrix.means):
            for system in matrix.systems:
                if cell := column.cells.get(system):
                    writer.writerow(map(csv_cell, _row(column, measure, cell)))
    return stream.getvalue().rstrip("\n")


def _row(column: Column, measure: str, cell: Cell) -> list[object]:
    first, last = cell.ranks or (None, None)
    numbers = [None if each is None else round(each, 4) for each in (cell.value, cell.low, cell.high)]
    return [
        *(column.set, column.langs, measure, cell.system, *numbers, cell.n, cell.count, cell.unread),
        *("yes" if cell.doubtful else "no", cell.rank, first, last, "; ".join(cell.tied), cell.translated),
        *("; ".join(cell.warnings), cell.signature),
    ]


def csv_cell(value: object) -> object:
    """A text that a spreadsheet would take for a formula gets an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def as_markdown(matrices: Mapping[str, Matrix]) -> str:
    """A heading, a sentence and a table for each measure and set."""
    lines: list[str] = []
    for matrix in matrices.values():
        for name in dict.fromkeys(column.set for column in matrix.columns):
            lines += [*markdown_table(matrix, name), ""]
    return "\n".join(lines).rstrip()


def markdown_table(matrix: Matrix, set_name: str) -> Iterator[str]:
    """One set of a matrix."""
    columns = _columns(matrix, set_name)
    part = Matrix(matrix.measure, matrix.systems, tuple(c for c in matrix.columns if c.set == set_name), ())
    yield from (f"**{plain(set_name)}: {matrix.kind.title}.** {plain(headline(part))}", "")
    yield f"| system | {' | '.join(plain(column.langs) for column in columns)} |"
    yield f"|---|{'---:|' * len(columns)}"
    for system in _present(matrix, columns):
        cells = [_markdown(column.cells.get(system)) for column in columns]
        yield f"| {plain(system)} | {' | '.join(cells)} |"
    if any(cell.doubtful for column in columns for cell in column.cells.values()):
        yield from ("", r"\* more than 5 % could not be read, or the outputs are doubtful.")


def plain(text: str) -> str:
    """A text of which Markdown makes nothing but itself."""
    return visible(text).translate(_MARKDOWN)


def _markdown(cell: Cell | None) -> str:
    if cell is None:
        return ""
    ends = "" if cell.low is None or cell.high is None else f" [{number(cell.low)}, {number(cell.high)}]"
    mark = r"\*" if cell.doubtful else ""
    return f"{number(cell.value)}{mark}{ends} · {_ranks(cell)}"


def as_latex(matrices: Mapping[str, Matrix]) -> str:
    """A tabular for each measure and set: value, interval and ranks."""
    return "\n\n".join(
        _latex(matrix, name)
        for matrix in matrices.values()
        for name in dict.fromkeys(column.set for column in matrix.columns)
    )


def _latex(matrix: Matrix, set_name: str) -> str:
    columns = _columns(matrix, set_name)
    signatures = [cell.signature for column in columns for cell in column.cells.values() if cell.signature]
    header = ["system", *(head for column in columns for head in (column.langs, "95 %", "rank"))]
    rows = []
    for system in _present(matrix, columns):
        row = [visible(system)]
        for column in columns:
            cell = column.cells.get(system)
            if cell is None:
                row += ["", "", ""]
                continue
            ends = "" if cell.low is None or cell.high is None else f"[{number(cell.low)}, {number(cell.high)}]"
            row += [f"{number(cell.value)}{_MARK if cell.doubtful else ''}", ends, _ranks(cell)]
        rows.append(row)
    return latex([headline(matrix), matrix.kind.title, *signatures], header, rows)
