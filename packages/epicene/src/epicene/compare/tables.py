"""What is shown of comparisons: two systems group by group, or many in one table of systems and languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from epicene.compare.headline import headline
from epicene.measures.rates import FEMININE
from epicene.output.table import Column, Row, Table, format_number, format_p, make_columns

if TYPE_CHECKING:
    from epicene.compare.pairs import Comparison
    from epicene.compare.table import Cell, Matrix
    from epicene.compare.table import Column as MatrixColumn

_MARK = "*"
_DOUBT = f"{_MARK} gender not detected for more than 5 % of the people, or doubtful outputs: not ranked"
_OPEN = "women among women and men written, where the sentence leaves it open, %"


def comparison_tables(answer: Comparison) -> Iterator[Table]:
    """One row a group for each measure, then quality; of a system without a baseline, what was not detected."""
    before, after = answer.undetected
    warnings = [f"warning: not to be believed: {warning}" for warning in answer.warnings]
    if not answer.baseline:
        yield Table(
            "\n".join([answer.system, *warnings, f"gender not detected: {after:.1f} %"]), signatures=(answer.signature,)
        )
        return
    yield Table("\n".join([f"{answer.system}\nagainst {answer.baseline}", *warnings]))
    for measure in dict.fromkeys(change.measure for change in answer.changes):
        yield _change_table(answer, measure)
    yield Table(f"gender not detected: {before:.1f} % before, {after:.1f} % after")
    if answer.quality:
        yield _quality_table(answer)
    yield Table(signatures=(answer.signature,))


def _change_table(answer: Comparison, measure: str) -> Table:
    columns = (
        Column("group", "points"),
        Column("n", "n", key=True),
        *(Column(name, name) for name in ("undetected", "before", "after", "difference")),
        *make_columns(gained_lost="+/−", p_holm="p (Holm)", verdict=" "),
    )
    rows = tuple(
        (
            change.group,
            change.n,
            "→".join(map(str, change.undetected)),
            format_number(change.before),
            format_number(change.after),
            f"{change.difference:+z.1f}{_signed_interval(change.low, change.high)}",
            f"{change.gained}/{change.lost}",
            format_p(change.p_holm),
            change.verdict if change.low is not None else "too few to tell",
        )
        for change in answer.changes
        if change.measure == measure
    )
    return Table(_OPEN if measure == FEMININE.name else "", columns, rows)


def _quality_table(answer: Comparison) -> Table:
    columns = tuple(Column(name, name) for name in ("quality", "n", "before", "after", "difference", "p"))
    rows = tuple(
        (
            change.unit,
            change.n,
            format_number(change.before),
            format_number(change.after),
            f"{change.difference:+z.1f}{_signed_interval(change.low, change.high)}",
            format_p(change.p),
        )
        for change in answer.quality
    )
    return Table("", columns, rows, tuple(f"{change.metric}: {change.signature}" for change in answer.quality))


def _signed_interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{low:+z.1f}, {high:+z.1f}]"


def matrix_tables(matrix: Matrix) -> Iterator[Table]:
    """The sentence that sums it up, a table for each set, and what the marks mean."""
    yield Table(headline(matrix) + "\n")
    yield Table(f"{matrix.kind.title}; ranks that the tests leave open (all pairs, Holm); 95 % interval")
    for name in dict.fromkeys(column.set for column in matrix.columns):
        columns = [column for column in (*matrix.columns, *matrix.means) if column.set == name]
        systems = [system for system in matrix.systems if any(system in column.cells for column in columns)]
        rows = tuple((system, *(_describe(column.cells.get(system)) for column in columns)) for system in systems)
        heads = (Column(column.langs, _head(column)) for column in columns)
        yield Table("", (Column("system", name), *heads), rows)
    doubtful = any(cell.doubtful for column in matrix.columns for cell in column.cells.values())
    lacking = [
        f"no mean, since a language is lacking: {', '.join(column.lacking)}"
        for column in matrix.means
        if column.lacking
    ]
    yield Table(notes=(*([_DOUBT] if doubtful else []), *lacking))


def _head(column: MatrixColumn) -> str:
    sizes = sorted({cell.n for cell in column.cells.values()})
    return f"{column.langs}\nn {sizes[0]:,}" if len(sizes) == 1 else f"{column.langs}\nn ≤ {sizes[-1]:,}"


def _describe(cell: Cell | None) -> str:
    if cell is None:
        return ""
    ends = "" if cell.low is None or cell.high is None else f"[{cell.low:.0f}, {cell.high:.0f}]"
    first, last = cell.ranks or (0, 0)
    ranks = "–" if cell.ranks is None else str(first) if first == last else f"{first}–{last}"
    return f"{format_number(cell.value)}{_MARK if cell.doubtful else ''} {ranks}\n{ends}"


def matrix_rows(matrix: Matrix) -> Iterator[Row]:
    """One row a system, set and language pair."""
    for column in (*matrix.columns, *matrix.means):
        for system in matrix.systems:
            if cell := column.cells.get(system):
                yield _matrix_row(matrix, column, cell)


def _matrix_row(matrix: Matrix, column: MatrixColumn, cell: Cell) -> Row:
    first, last = cell.ranks or (None, None)
    numbers = {"value": cell.value, "low": cell.low, "high": cell.high}
    return {
        "set": column.set,
        "langs": column.langs,
        "measure": matrix.measure,
        "system": cell.system,
        **{name: None if value is None else round(value, 4) for name, value in numbers.items()},
        "n": cell.n,
        "count": cell.count,
        "undetected": cell.undetected,
        "unread": cell.undetected,  # for one version
        "doubtful": "yes" if cell.doubtful else "no",
        "rank": cell.rank,
        "rank_first": first,
        "rank_last": last,
        "tied": "; ".join(cell.tied),
        "translated": cell.translated,
        "warnings": "; ".join(cell.warnings),
        "signature": cell.signature,
    }
