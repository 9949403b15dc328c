"""Answers in every format: text, Markdown, LaTeX and HTML show their tables, CSV their rows, JSON their records.

All text from outside passes ``text.clean`` here, cell by cell, and is mark-up in no format.
"""

from __future__ import annotations

import csv
import html
import io
import json
import math
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from epicene.errors import MissingExtraError
from epicene.output.table import Answer, Column, Row, Table, format_cell
from epicene.text import clean, scrub, visible

if TYPE_CHECKING:
    from pandas import DataFrame

WIDTH = 80
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of one
_MARKDOWN = str.maketrans({mark: f"\\{mark}" for mark in "\\|`*_<>[]#"} | {"&": "&amp;"})
_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX |= {mark: f"\\{mark}" for mark in "&%$#_{}"}
_GAP = 2  # blanks between columns
_LEAST = 12  # characters that a column of text keeps
_DIM, _BOLD, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[0m"
_WARNING = "warning: "


class Format(StrEnum):
    """How answers are printed."""

    TEXT = "text"
    JSON = "json"
    LATEX = "latex"
    CSV = "csv"
    MARKDOWN = "markdown"


def render(answers: Sequence[Answer], how: Format, width: int = WIDTH, styled: bool = False) -> str:
    """Answers as one text, without a line break at its end; ``styled``: for a terminal that knows bold and dim."""
    if how is Format.JSON:
        return _render_json([record for answer in answers for record in answer.records()])
    if how is Format.CSV:
        return render_csv([row for answer in answers for row in answer.rows()])
    if how is Format.TEXT:
        return "\n\n".join(_join_text(answer.tables(), width, styled) for answer in answers)
    write = _write_markdown if how is Format.MARKDOWN else _write_latex
    return "\n\n".join(part for answer in answers for table in answer.tables() for part in write(table))


def render_csv(rows: Sequence[Row]) -> str:
    """Comma-separated values with a header; a cell that is not there is empty.

    A text that a spreadsheet would compute, such as a translation that begins with "=", gets an apostrophe before it.
    """
    stream = io.StringIO()
    names = list_names(rows)
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(map(_guard, names))
    writer.writerows([_guard(row.get(name)) for name in names] for row in rows)
    return stream.getvalue().removesuffix("\n")


def _guard(value: object) -> object:
    if not isinstance(value, str):
        return "" if value is None else value
    text = clean(value)
    return f"'{text}" if value.startswith(_FORMULA) else text


def list_names(rows: Iterable[Row]) -> list[str]:
    """The names of all cells, in the order in which they first appear."""
    return list(dict.fromkeys(name for row in rows for name in row))


def make_frame(rows: Sequence[Row]) -> DataFrame:
    """Rows as a table of pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError("to_frame", "frame") from None
    plain = [{_encode(name): _encode(value) for name, value in row.items()} for row in rows]
    return pd.DataFrame(plain, columns=list_names(plain))


def _encode(value: Any) -> Any:
    """A text that can be stored: half a surrogate pair, which no file can hold, becomes a question mark."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _render_json(records: Sequence[dict[str, Any]]) -> str:
    """A list of objects, however many there are; characters that a terminal might obey are escaped."""
    text = json.dumps(_scrub_all(records), ensure_ascii=False, indent=1, allow_nan=False)
    if visible(text.replace("\n", "")) == text.replace("\n", ""):
        return text
    return "".join(c if c == "\n" or visible(c) == c else f"\\u{ord(c):04x}" for c in text)


def _scrub_all(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no infinity
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, dict):
        return {scrub(name): _scrub_all(part) for name, part in value.items()}
    return [_scrub_all(part) for part in value] if isinstance(value, list | tuple) else value


def _lines(text: str) -> list[str]:
    """The lines of a title or a note, each clean."""
    return [clean(line) for line in text.split("\n")] if text else []


def _cells(table: Table, row: Sequence[Any]) -> list[str]:
    return [clean_lines(format_cell(cell, column.digits)) for cell, column in zip(row, table.columns, strict=True)]


def clean_lines(text: str) -> str:
    """A text of a cell or a heading, clean, whose own line breaks stay."""
    return "\n".join(_lines(text))


def _join_text(tables: Iterable[Table], width: int, styled: bool) -> str:
    """Tables one below the other; a heading follows the one before without a gap."""
    lines: list[str] = []
    for table in tables:
        lines += (_style(part, styled) for line in _lines(table.title) for part in wrap(line, width))
        if table.columns and table.rows:
            for part in _split(table, width):
                lines += _draw(part, width)
        lines += (_style(part, styled) for note in table.notes for line in _lines(note) for part in wrap(line, width))
        lines += (f"{_DIM}{line}{_PLAIN}" if styled else line for line in map(clean, table.signatures))
    return "\n".join(lines)


def _style(line: str, styled: bool) -> str:
    return f"{_BOLD}{line}{_PLAIN}" if styled and line.startswith(_WARNING) else line


def wrap(line: str, width: int) -> list[str]:
    """A line in as many as it needs; words, such as paths, stay whole, and so does a command, which is to be copied."""
    if measure_width(line) <= width or line.startswith("epicene "):
        return [line]
    whole = line.replace(" %", "\u00a0%")  # a number and its unit stay together
    lines = textwrap.wrap(whole, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [part.replace("\u00a0%", " %") for part in lines]


def measure_width(text: str) -> int:
    """How many columns of a terminal a line takes."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(c) or unicodedata.category(c) == "Cf"
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def _split(table: Table, width: int) -> Iterator[list[tuple[Column, list[str]]]]:
    """The columns of a table, each with its header and cells as texts, in as many parts as the width asks for."""
    texts = [_cells(table, row) for row in table.rows]
    columns = [
        (column, [clean_lines(column.title), *(row[index] for row in texts)])
        for index, column in enumerate(table.columns)
    ]
    keys = [column for index, column in enumerate(columns) if index == 0 or column[0].key]
    part: list[tuple[Column, list[str]]] = []
    for column in columns:
        added = any(own not in keys for own in part) and column not in keys
        if added and _total([*part, column]) > width:
            yield part
            part = list(keys)
        part.append(column)
    yield part


def _total(columns: Sequence[tuple[Column, list[str]]]) -> int:
    """How wide columns are beside each other; one that wraps takes no more than it must."""
    needed = (min(_wide(texts), _LEAST) if column.wraps else _wide(texts) for column, texts in columns)
    return 1 + sum(needed) + _GAP * (len(columns) - 1)


def _wide(texts: Sequence[str]) -> int:
    return max(measure_width(line) for text in texts for line in text.split("\n"))


def _draw(columns: Sequence[tuple[Column, list[str]]], width: int) -> list[str]:
    """A grid: the first column and those of text to the left, the others to the right, a rule below the header."""
    widths = _fit_widths(columns, width)
    folded = [
        [[part for line in text.split("\n") for part in _fold(line, most)] for text in texts]
        for (_, texts), most in zip(columns, widths, strict=True)
    ]
    left = [index == 0 or column.wraps for index, (column, _) in enumerate(columns)]
    header, *rows = zip(*folded, strict=True)
    lines = [line for row in rows for line in _draw_row(row, widths, left)]
    if not any(any(cell) for cell in header):
        return [line.removeprefix(" ") for line in lines]  # a list
    rule = " " + "─" * (sum(widths) + _GAP * (len(widths) - 1))
    return ["", *_draw_row(header, widths, left), rule, *lines, ""]


def _fit_widths(columns: Sequence[tuple[Column, list[str]]], width: int) -> list[int]:
    """How wide each column is: what it needs, unless the table were too wide; then texts are narrowed first."""
    widths = [_wide(texts) for _, texts in columns]
    while 1 + sum(widths) + _GAP * (len(widths) - 1) > width:
        broad = [index for index, own in enumerate(widths) if own > _LEAST]
        narrowed = [index for index in broad if columns[index][0].wraps] or broad
        if not narrowed:
            break
        widths[max(narrowed, key=lambda index: widths[index])] -= 1
    return widths


def _fold(line: str, most: int) -> list[str]:
    """A line of a cell in as many as its column asks for."""
    if measure_width(line) <= most:
        return [line]
    return textwrap.wrap(line, most, break_on_hyphens=False) or [""]


def _draw_row(row: Sequence[list[str]], widths: Sequence[int], left: Sequence[bool]) -> list[str]:
    lines = []
    for number in range(max(map(len, row))):
        parts = []
        for cell, width, to_left in zip(row, widths, left, strict=True):
            text = cell[number] if number < len(cell) else ""
            blanks = " " * (width - measure_width(text))
            parts.append(text + blanks if to_left else blanks + text)
        lines.append((" " + (" " * _GAP).join(parts)).rstrip())
    return lines


def escape_markdown(text: str) -> str:
    """A text of which Markdown makes nothing but itself."""
    return clean(text).strip().translate(_MARKDOWN)


def _write_markdown(table: Table) -> Iterator[str]:
    if table.title:
        yield "  \n".join(map(escape_markdown, table.title.split("\n")))
    if table.columns and table.rows:
        header = [column.title or column.name for column in table.columns]
        marks = ["---" if index == 0 or column.wraps else "---:" for index, column in enumerate(table.columns)]
        body = [
            [format_cell(cell, column.digits) for cell, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ]
        lines = [_join_markdown(header), f"|{'|'.join(marks)}|", *map(_join_markdown, body)]
        yield "\n".join(lines)
    yield from ("  \n".join(map(escape_markdown, note.split("\n"))) for note in table.notes if note)
    yield from (f"`{clean(signature).replace('`', '')}`" for signature in table.signatures)


def _join_markdown(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape_markdown, cells))} |"


def _write_latex(table: Table) -> Iterator[str]:
    """A booktabs tabular with what the numbers are as comments above."""
    comments = [line for text in (table.title, *table.notes, *table.signatures) for line in _lines(text)]
    lines = [f"% {line}" for line in dict.fromkeys(comments) if line]
    if table.columns and table.rows:
        kinds = "".join("l" if index == 0 or column.wraps else "r" for index, column in enumerate(table.columns))
        header = [column.title or column.name for column in table.columns]
        body = [_cells(table, row) for row in table.rows]
        lines += [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", _join_latex(header), r"\midrule"]
        lines += [*map(_join_latex, body), r"\bottomrule", r"\end{tabular}"]
    if lines:
        yield "\n".join(lines)


def _join_latex(cells: Sequence[str]) -> str:
    return " & ".join("".join(_LATEX.get(letter, letter) for letter in clean(cell)) for cell in cells) + r" \\"


def render_html(answer: Answer) -> str:
    """An answer as notebooks show it; all of it is text, none mark-up."""
    parts = []
    for table in answer.tables():
        below = "".join(f"<div><small>{_escape(note)}</small></div>" for note in (*table.notes, *table.signatures))
        if not (table.columns and table.rows):
            parts.append(f"<div>{_escape(table.title)}</div>{below}" if table.title else below)
            continue
        head = "".join(f"<th>{_escape(column.title or column.name)}</th>" for column in table.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{_escape(cell)}</td>' for cell in _cells(table, row))}</tr>" for row in table.rows
        )
        caption = f"<caption>{_escape(table.title)}</caption>" if table.title else ""
        parts.append(f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}")
    return "".join(parts)


def _escape(text: str) -> str:
    return "<br>".join(html.escape(line) for line in _lines(text))
