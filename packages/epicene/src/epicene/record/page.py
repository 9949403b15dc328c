"""The record as a page: one chart, then for each source what it comes to, its tables, and how to reproduce them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.check.language import called
from epicene.compare.headline import name_test
from epicene.output.page.figures import DOUBT, Bar, Figure, rate_figure
from epicene.output.page.templating import write_template
from epicene.output.table import Link, Table
from epicene.record.tables import TITLE, find_shared, part_tables

if TYPE_CHECKING:
    from epicene.record.build import Entry, Part


def write_page(path: Path, parts: Sequence[Part]) -> Path:
    """Write one self-contained page in which tables can be sorted and every rate leads to its signature."""
    content = [
        {
            "source": part.source,
            "tables": _link_tables(part),
            "entries": [
                (_anchor(part, entry.system, entry.langs), entry, _file(part, entry)) for entry in part.entries
            ],
        }
        for part in parts
    ]
    return write_template(path, "record.html", {"title": TITLE, "parts": content, "figure": chart(parts)})


def chart(parts: Sequence[Part]) -> Figure | None:
    """Every system of the test and language that most systems share, however it was given the sentences."""
    shared = find_shared(parts)
    if shared is None:
        return None
    name, langs, rates = shared
    bars: list[Bar] = []
    for system in rates:
        link = f"#{_anchor(system.part, system.system, langs)}"
        claims = [cell and cell.claim("", name, langs) for cell in (system.women, system.men)]
        label = f"{system.system} ({system.part.source.year}){'' if all(claims) else f' {DOUBT}'}"
        bars.append((label, tuple((claim, link) if claim else None for claim in claims)))
    title = f"Who is misgendered in {name_test(name)}, into {called(langs.partition('-')[2])}"
    return rate_figure("first", title, bars, is_open=False, most=len(bars))


def _link_tables(part: Part) -> list[Table]:
    """The tables of a source, each called by what is said before it; each rate leads to how it was computed."""
    tables: list[Table] = []
    before = part.source.title
    for table in part_tables(part):
        if table.rows:
            rows = tuple(_link_row(part, table, row) for row in table.rows)
            tables.append(replace(table, title=table.title or before, rows=rows))
        elif table.title:
            before = table.title.partition(";")[0]
            tables.append(table)
        elif tables:  # notes on the table above
            tables[-1] = replace(tables[-1], notes=(*tables[-1].notes, *table.notes))
    return tables


def _link_row(part: Part, table: Table, row: tuple[Any, ...]) -> tuple[Any, ...]:
    known = {entry.langs for entry in part.entries if entry.system == row[0]}
    cells = zip(table.columns, row, strict=True)
    return tuple(
        Link(cell, f"#{_anchor(part, row[0], column.name)}") if column.name in known and cell else cell
        for column, cell in cells
    )


def _anchor(part: Part, system: str, langs: str) -> str:
    return re.sub(r"[^\w.-]", "_", f"{part.source.name}-{system}-{langs}")


def _file(part: Part, entry: Entry) -> str:
    """The file of the source that an entry was read from."""
    fields = {"system": entry.system, "pair": entry.langs, "target": entry.langs.partition("-")[2]}
    return re.sub(r"\{(\w+)\}", lambda field: fields.get(field[1], field[0]), part.source.files)
