"""The record as text, CSV and Markdown: who stands where, and published figures beside ours."""

from __future__ import annotations

import csv
import io
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from epicene.compare.table import Column
from epicene.output.table import format_number as number
from epicene.output.table import format_p as p_value
from epicene.output.terminal import matrix as tables
from epicene.output.terminal.tables import grid
from epicene.record import sources
from epicene.record.build import Beside, Entry, Part
from epicene.text import visible

if TYPE_CHECKING:
    from rich.table import Table

_CSV = (
    *("source", "year", "kind", "set", "langs", "system", "measure", "group", "value", "low", "high", "n", "unread"),
    *("published", "difference", "reason", "licence", "address", "signature"),
)


def text_parts(parts: Sequence[Part]) -> Iterator[Table | str]:
    """What is printed: for each source who stands first, then the published figures beside ours."""
    for part in parts:
        source = part.source
        from_where = " · ".join(filter(None, (source.paper, source.licence, source.address)))
        yield f"{tables.wrapped(f'{source.name}: {source.title}')}\n{tables.wrapped(from_where)}"
        if contested(part):
            yield from tables.text_parts(next(iter(part.matrices.values())))
            yield from _kinds(part)
        else:
            yield from _measured(part)
        if any(entry.beside for entry in part.entries):
            yield tables.wrapped(f"Published figures beside ours: {_first_measures(part)}")
            yield _beside(part)
            yield tables.wrapped(summary([each for entry in part.entries for each in entry.beside])) + "\n"


def _kinds(part: Part) -> Iterator[Table]:
    rows = kind_rows(part)
    if part.kinds is not None and rows:
        heads = [column.langs for column in part.kinds.columns]
        columns = [(head, [row[place] for row in rows]) for place, head in enumerate(heads, 1)]
        yield from tables.fitted("kind", [row[0] for row in rows], columns)


def contested(part: Part) -> bool:
    """Whether two systems stand beside each other anywhere."""
    return any(len(column.cells) > 1 for matrix in part.matrices.values() for column in matrix.columns)


def _measured(part: Part) -> Iterator[Table]:
    names = list(dict.fromkeys((each.name, each.group) for entry in part.entries for each in entry.measures))
    own = [{(each.name, each.group): each for each in entry.measures} for entry in part.entries]
    columns = [
        (f"{name}\n{group}", [number(each[name, group].value) if (name, group) in each else "" for each in own])
        for name, group in names
    ]
    yield from tables.fitted("%", [f"{visible(entry.system)} {entry.langs}" for entry in part.entries], columns)


def _first_measures(part: Part) -> str:
    return ", ".join(
        dict.fromkeys(f"{each.measure} {each.group}" for entry in part.entries for each in entry.beside[:1])
    )


def _beside(part: Part) -> Table:
    """The first published measure of every system and pair."""
    table = grid("system", "langs", "published", "ours", "95 %", "why")
    rows = [
        (visible(entry.system), entry.langs, number(each.published), number(each.ours), _ends(each), told(each))
        for entry in part.entries
        for each in entry.beside[:1]
    ]
    taken = sum(max(map(len, column)) + 2 for column in list(zip(*rows, strict=True))[:-1]) + len("published")
    table.columns[-1].justify = "left"
    for *cells, why in rows:
        table.add_row(*cells, textwrap.fill(why, max(20, tables.room() - taken)))
    return table


def _ends(each: Beside) -> str:
    return "" if each.low is None or each.high is None else f"[{number(each.low)}, {number(each.high)}]"


def summary(beside: Sequence[Beside]) -> str:
    """How many published figures are ours too, and why the others are not."""
    near, within = sum(each.near for each in beside), sum(each.within and not each.near for each in beside)
    why = Counter(each.why for each in beside if each.why)
    told = "; ".join(f"{count}: {reason}" for reason, count in why.most_common())
    said = f"{len(beside)} published figures: {near} within 2 points of ours, {within} more in our interval"
    return f"{said}; why they differ by more than 2 points: {told}" if told else said


def told(each: Beside) -> str:
    """Whether a figure that is far from ours lies in our interval, and why it is far."""
    inside = "" if each.near or not each.within else "in our interval"
    return "; ".join(filter(None, (inside, each.why)))


def as_csv(parts: Sequence[Part]) -> str:
    """One row a system, pair and measure, the published figure beside it."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_CSV)
    for part in parts:
        for entry in part.entries:
            for row in _rows(part, entry):
                writer.writerow(map(tables.csv_cell, row))
    return stream.getvalue().rstrip("\n")


def _rows(part: Part, entry: Entry) -> Iterator[list[object]]:
    source, theirs = part.source, {(each.measure, each.group): each for each in entry.beside}
    for each in entry.measures:
        found = theirs.get((each.name, each.group))
        numbers = [None if value is None else round(value, 2) for value in (each.value, each.low, each.high)]
        apart = None if found is None or found.ours is None else round(found.ours - found.published, 2)
        yield [
            *(
                source.name,
                source.year or None,
                entry.kind,
                entry.set,
                entry.langs,
                entry.system,
                each.name,
                each.group,
            ),
            *(*numbers, each.n, entry.unread, found.published if found else None, apart),
            *(found.reason if found else None, source.licence, source.address, entry.signature),
        ]


def as_markdown(parts: Sequence[Part]) -> str:
    """Every source with its tables."""
    lines: list[str] = []
    for part in parts:
        source = part.source
        lines += [f"## {tables.plain(source.title)}", ""]
        where = source.address if source.address.startswith("http") else tables.plain(source.address)
        about = filter(None, (tables.plain(source.paper), f"licence: {tables.plain(source.licence)}", where))
        lines += [f"`{source.name}` · {' · '.join(about)}", ""]
        for matrix in part.matrices.values() if contested(part) else ():
            for name in dict.fromkeys(column.set for column in matrix.columns):
                lines += [*tables.markdown_table(matrix, name), ""]
        if not contested(part):
            lines += [*_markdown_measures(part), ""]
        lines += _groups(part)
        if any(entry.beside for entry in part.entries):
            lines += [*_markdown_beside(part), ""]
        signatures = dict.fromkeys(entry.signature for entry in part.entries)
        lines += ["Signatures:", "", *(f"- `{signature}`" for signature in signatures), ""]
    return "\n".join(lines).rstrip()


def _markdown_measures(part: Part) -> Iterator[str]:
    names = list(dict.fromkeys((each.name, each.group) for entry in part.entries for each in entry.measures))
    yield f"| system | langs | {' | '.join(tables.plain(f'{name}, {group}') for name, group in names)} |"
    yield f"|---|---|{'---:|' * len(names)}"
    for entry in part.entries:
        own = {(each.name, each.group): each for each in entry.measures}
        cells = [_cell(own[name].value, own[name].low, own[name].high) if name in own else "" for name in names]
        yield f"| {tables.plain(entry.system)} | {entry.langs} | {' | '.join(cells)} |"


def _cell(value: float | None, low: float | None, high: float | None) -> str:
    return number(value) if low is None or high is None else f"{number(value)} [{number(low)}, {number(high)}]"


def kind_rows(part: Part) -> list[tuple[str, ...]]:
    """Kinds of systems, the first first: how many there are, and the mean of each in every language."""
    matrix = part.kinds
    if matrix is None:
        return []
    systems = dict.fromkeys((entry.system, entry.kind) for entry in part.entries)
    rows = []
    for kind in matrix.systems:
        cells = (column.cells.get(kind) for column in matrix.columns)
        told = (_cell(cell.value, cell.low, cell.high) if cell else "" for cell in cells)
        rows.append((f"{kind} ({sum(each == kind for _, each in systems)})", *told))
    for test in dict.fromkeys((test.first, test.second) for column in matrix.columns for test in column.tests):
        found = [_test(column, *test) for column in matrix.columns]
        rows.append((f"{test[1]} less {test[0]}, points", *found))
    return rows


def _test(column: Column, first: str, second: str) -> str:
    each = next((test for test in column.tests if (test.first, test.second) == (first, second)), None)
    if each is None:
        return ""
    p = "" if each.p_holm is None else f", p {p_value(each.p_holm)}"
    return f"{_cell(each.difference, each.low, each.high)}{p}"


def _groups(part: Part) -> list[str]:
    rows = kind_rows(part)
    if not rows or part.kinds is None:
        return []
    columns = part.kinds.columns
    lines = [f"Kinds of systems: {part.kinds.kind.title}, the mean over the systems of a kind.", ""]
    lines += [f"| kind | {' | '.join(column.langs for column in columns)} |", f"|---|{'---:|' * len(columns)}"]
    return [*lines, *(f"| {' | '.join(map(tables.plain, row))} |" for row in rows), ""]


def _markdown_beside(part: Part) -> Iterator[str]:
    found = [(entry, each) for entry in part.entries for each in entry.beside]
    yield f"Published figures beside ours. {summary([each for _, each in found])}."
    yield ""
    yield "| system | langs | measure | published | ours | why |"
    yield "|---|---|---|---:|---:|---|"
    for entry, each in found:
        name = tables.plain(f"{each.measure}, {each.group}")
        ours = _cell(each.ours, each.low, each.high)
        cells = (tables.plain(entry.system), entry.langs, name, number(each.published), ours, tables.plain(told(each)))
        yield f"| {' | '.join(cells)} |"
    reasons = list(explained(part))
    if reasons:
        yield ""
    for reason, words, pairs in reasons:
        yield f"- **{tables.plain(reason)}** ({', '.join(pairs)}): {tables.plain(words)}"


def explained(part: Part) -> Iterator[tuple[str, str, list[str]]]:
    """Every group of reasons, what the sentences that were read say, and the pairs of languages that it is of."""
    words: dict[tuple[str, str], list[str]] = {}
    for entry in part.entries:
        for each in entry.beside:
            if each.reason and each.why:
                higher = (each.ours or 0.0) > each.published
                found = sources.reason(part.source.name, entry.system, entry.langs, each.measure, higher)
                pairs = words.setdefault(found, [])
                if entry.langs not in pairs:
                    pairs.append(entry.langs)
    for (reason, text), pairs in words.items():
        yield reason, text, pairs
