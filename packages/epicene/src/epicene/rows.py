"""Rows of named cells as CSV, Markdown, HTML and a table of pandas: one way for all that is printed or returned."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from epicene.errors import MissingExtraError

if TYPE_CHECKING:
    from pandas import DataFrame

Row = Mapping[str, Any]
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\|`*<"} | {"\n": " ", "\r": " "})
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of one
_STYLE = "text-align:right;padding:0 .6em"


def columns(rows: Sequence[Row]) -> list[str]:
    """The names of all cells, in the order in which they first appear."""
    return list(dict.fromkeys(name for row in rows for name in row))


def as_csv(rows: Sequence[Row]) -> str:
    """Comma-separated values with a header; a cell that is not there is empty.

    A text that a spreadsheet would compute, such as a translation that begins with "=", gets an apostrophe before it.
    """
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns(rows), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _plain(value) for name, value in row.items()} for row in rows)
    return stream.getvalue()


def _plain(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value


def as_markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column stands to the left and the others to the right."""
    lines = [_line(header), "|---" + "|---:" * (len(header) - 1) + "|", *map(_line, rows)]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(marked(cell) for cell in cells)} |"


def marked(text: str) -> str:
    """A text that is no mark-up, whatever stands in it."""
    return text.strip().translate(_MARKS).replace("](", "]\\(")


def frame(rows: Sequence[Row]) -> DataFrame:
    """A table of pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError("to_frame", "frame") from None
    return pd.DataFrame(list(rows), columns=columns(rows))


def as_html(title: str, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """A table as notebooks show it, with a title above and notes below; all of it is text, none mark-up."""
    names = columns(rows)
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(_cell(row.get(name)) for name in names) + "</tr>" for row in rows)
    below = "".join(f"<div><small>{html.escape(note)}</small></div>" for note in notes if note)
    caption = f"<caption>{html.escape(title)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _cell(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"<td>{html.escape('' if value is None else str(value))}</td>"
    text = f"{value:,}" if isinstance(value, int) else f"{value:z.2f}"
    return f'<td style="{_STYLE}">{text}</td>'
