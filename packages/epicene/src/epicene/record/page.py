"""The record as one self-contained page: who stands first, sortable tables, and published figures beside ours."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from epicene.compare.headline import headline
from epicene.compare.table import Cell, Column, Matrix
from epicene.files import written
from epicene.output.table import format_number as number
from epicene.record.build import Part
from epicene.record.tables import contested, explained, kind_rows, told
from epicene.text import visible
from epicene.version import __version__

TITLE = "The record: who misgenders whom, system by system"


class _Field(NamedTuple):
    """A cell of a table: what is read, what it is sorted by, what stands below it, and whether it stands first."""

    text: str
    value: object = ""
    small: str = ""
    first: bool = False


class _Table(NamedTuple):
    caption: str
    sentence: str
    heads: list[str]
    rows: list[list[_Field]]


def write(path: Path, parts: Sequence[Part]) -> Path:
    """Write the page."""
    from jinja2 import Environment

    folder = files("epicene.output.page")
    style, script = (folder.joinpath(f"record.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    from markupsafe import Markup

    page = environment.from_string(folder.joinpath("record.html").read_text(encoding="utf-8")).render(
        title=TITLE,
        version=__version__,
        parts=[_part(number, part) for number, part in enumerate(parts)],
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        style_hash=_hash(style),
        script_hash=_hash(script),
    )
    with written(path) as stream:
        stream.write(page)
    return path


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _part(place: int, part: Part) -> dict[str, Any]:
    source = part.source
    about = (
        source.paper,
        str(source.year or ""),
        f"licence: {source.licence}" if source.licence else "",
        source.address,
    )
    return {
        "id": f"part{place}",
        "title": visible(source.title),
        "about": visible(" · ".join(filter(None, about))),
        "tables": list(_tables(part)),
        "reasons": [f"{reason} ({', '.join(pairs)}): {words}" for reason, words, pairs in explained(part)],
        "signatures": list(dict.fromkeys(entry.signature for entry in part.entries)),
    }


def _tables(part: Part) -> Iterator[_Table]:
    if contested(part):
        for matrix in part.matrices.values():
            yield _matrix(matrix)
        if part.kinds:
            heads = ["kind", *(column.langs for column in part.kinds.columns)]
            rows = [[_Field(row[0]), *(_Field(cell, cell) for cell in row[1:])] for row in kind_rows(part)]
            yield _Table(f"Kinds of systems: {part.kinds.kind.title}, the mean of each kind", "", heads, rows)
    else:
        yield _measures(part)
    beside = [(entry, each) for entry in part.entries for each in entry.beside]
    if beside:
        rows = [
            [
                _Field(f"{visible(entry.system)} {entry.langs}"),
                _Field(f"{each.measure} {each.group}", f"{each.measure} {each.group}"),
                _Field(number(each.published), each.published),
                _Field(number(each.ours), each.ours or "", _interval(each.low, each.high)),
                _Field(told(each), told(each)),
            ]
            for entry, each in beside
        ]
        heads = ["system", "measure", "published", "ours", "where they differ by more than 2 points, why"]
        yield _Table("Published figures beside ours", "", heads, rows)


def _matrix(matrix: Matrix) -> _Table:
    columns = [*matrix.columns, *matrix.means]
    several = len({column.set for column in columns}) > 1
    heads = ["system", *(f"{column.set} {column.langs}" if several else column.langs for column in columns)]
    first = [_first(column) for column in columns]
    rows = []
    for system in matrix.systems:
        cells = (_field(column.cells.get(system), names) for column, names in zip(columns, first, strict=True))
        rows.append([_Field(visible(system)), *cells])
    return _Table(matrix.kind.title, headline(matrix), heads, rows)


def _first(column: Column) -> set[str]:
    """Who stands first, and who cannot be told apart from it; nobody where nobody is compared."""
    cell = column.first() if len(column.cells) > 1 else None
    return {cell.system, *(name for name in cell.tied if not column.cells[name].doubtful)} if cell else set()


def _field(cell: Cell | None, first: set[str]) -> _Field:
    if cell is None or cell.value is None:
        return _Field("")
    ranks = "" if cell.ranks is None else f" · {'–'.join(map(str, dict.fromkeys(cell.ranks)))}"
    text = f"{number(cell.value)}{'*' if cell.doubtful else ''}{ranks}"
    return _Field(text, round(cell.value, 2), _interval(cell.low, cell.high), cell.system in first)


def _measures(part: Part) -> _Table:
    names = list(dict.fromkeys((each.name, each.group) for entry in part.entries for each in entry.measures))
    rows = []
    for entry in part.entries:
        own = {(each.name, each.group): each for each in entry.measures}
        row = [_Field(f"{visible(entry.system)} {entry.langs}")]
        for name in names:
            each = own.get(name)
            ends = _interval(each.low, each.high) if each else ""
            row.append(_Field(number(each.value), each.value or 0.0, ends) if each else _Field(""))
        rows.append(row)
    return _Table("Measures, in per cent and points", "", ["system", *(" ".join(name) for name in names)], rows)


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"[{number(low)}, {number(high)}]"
