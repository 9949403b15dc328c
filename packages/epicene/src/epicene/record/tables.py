"""What is shown of the record: who stands where, and published figures beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from epicene.check.language import called
from epicene.compare.headline import headline, name_test
from epicene.compare.table import Cell as Rate
from epicene.compare.tables import matrix_tables
from epicene.output.table import Cell, Column, Row, Table, format_number, make_columns
from epicene.record import sources

TITLE = "The record: how often published systems misgender women and men"

if TYPE_CHECKING:
    from epicene.record.build import Beside, Part


_MOST = 35  # systems that the short form lists
_HIDDEN = "*"  # in place of a rate that alone misleads


class Shared(NamedTuple):
    """What a system does with the test and the language that most systems share."""

    part: Part
    system: str
    women: Rate | None
    men: Rate | None


def find_shared(parts: Sequence[Part]) -> tuple[str, str, list[Shared]] | None:
    """The test and language that most systems share, however these were given the sentences; fewest women first."""
    sizes = Counter[tuple[str, str]]()
    for part in parts:
        if matrix := part.matrices.get("women"):
            for column in matrix.columns:
                sizes[column.set, column.langs] += len(column.cells)
    if not sizes:
        return None
    (name, langs), _ = sizes.most_common(1)[0]
    rates = [
        Shared(part, system, *(_find_rate(part, measure, name, langs, system) for measure in ("women", "men")))
        for part in parts
        for system in dict.fromkeys(entry.system for entry in part.entries if entry.langs == langs)
    ]
    rates = [shared for shared in rates if shared.women or shared.men]
    return name, langs, sorted(rates, key=lambda shared: shared.women.value or 0.0 if shared.women else 101.0)


def _find_rate(part: Part, measure: str, name: str, langs: str, system: str) -> Rate | None:
    columns = part.matrices[measure].columns if measure in part.matrices else ()
    cell = next((column.cells.get(system) for column in columns if (column.set, column.langs) == (name, langs)), None)
    return cell if cell and cell.value is not None and not cell.doubtful else None


def short_tables(parts: Sequence[Part]) -> Iterator[Table]:
    """One sentence on each source, and one table of the test and language that most systems share."""
    yield Table(TITLE)
    for part in parts:
        matrix = part.matrices.get("women") or part.matrices.get("feminine")
        answer = headline(matrix).partition(". ")[0].rstrip(".") if matrix and is_contested(part) else part.source.title
        yield Table(f"- {part.source.name}: {answer}.")
    compared = find_shared(parts)
    if compared is None:
        for part in parts:
            yield from part_tables(part)
    else:
        name, langs, rates = compared
        columns = make_columns(system="system", year="year", women="women", women_interval="95 %", men="men")
        rows = tuple(
            (shared.system, shared.part.source.year or "", *_print_rate(shared.women), *_print_rate(shared.men)[:1])
            for shared in rates[:_MOST]
        )
        notes: list[str] = []
        if any(None in (shared.women, shared.men) for shared in rates[:_MOST]):
            notes.append(f"{_HIDDEN} left out: gender not detected for more than 5 % of them")
        if len(rates) > _MOST:
            notes.append(f"{len(rates) - _MOST} more systems: --all")
        into = called(langs.partition("-")[2])
        yield Table(f"\nWomen and men misgendered in {name_test(name)}, into {into}, %", columns, rows, tuple(notes))
    yield Table("all tables, and published figures beside ours: --all")


def _print_rate(rate: Rate | None) -> tuple[str, str]:
    return (format_number(rate.value), _ends(rate.low, rate.high)) if rate else (_HIDDEN, "")


def record_tables(parts: Sequence[Part]) -> Iterator[Table]:
    """For each source who stands first, then the published figures beside ours."""
    for part in parts:
        source = part.source
        yield Table(f"{source.name}: {source.title}")
        yield Table(" · ".join(filter(None, (source.paper, source.licence, source.address))))
        yield from part_tables(part)


def part_tables(part: Part) -> Iterator[Table]:
    """What a source comes to: sentences and tables of its systems, then the published figures."""
    if is_contested(part):
        for matrix in part.matrices.values():
            yield from matrix_tables(matrix)
    else:
        yield _measure_table(part)
    if any(entry.published for entry in part.entries):
        yield _beside_table(part)


def is_contested(part: Part) -> bool:
    """Whether two systems stand beside each other anywhere."""
    return any(len(column.cells) > 1 for matrix in part.matrices.values() for column in matrix.columns)


def _measure_table(part: Part) -> Table:
    names = list(dict.fromkeys((m.name, m.group) for entry in part.entries for m in entry.measures))
    rows: list[tuple[Cell, ...]] = []
    for entry in part.entries:
        known = {(measure.name, measure.group): measure for measure in entry.measures}
        cells = (format_number(known[name].value) if name in known else "" for name in names)
        rows.append((f"{entry.system} {entry.langs}", *cells))
    columns = (Column("system", "%"), *(Column(f"{name} {group}", f"{name}\n{group}") for name, group in names))
    return Table("", columns, tuple(rows))


def _beside_table(part: Part) -> Table:
    """Every published figure, and ours."""
    columns = (
        *make_columns(system="system", langs="langs"),
        Column("measure", "measure", wraps=True),
        *make_columns(published="published", ours="ours", interval="95 %"),
        Column("why", "why", wraps=True),
    )
    rows: list[tuple[Cell, ...]] = []
    words: dict[tuple[str, str], dict[str, None]] = {}  # of each group of reasons: the pairs of languages
    for entry in part.entries:
        for beside in entry.published:
            numbers = (format_number(beside.published), format_number(beside.ours), _ends(beside.low, beside.high))
            inside = "" if beside.near or not beside.within else "in our interval"
            why = "; ".join(filter(None, (inside, beside.why)))
            rows.append((entry.system, entry.langs, f"{beside.measure} {beside.group}", *numbers, why))
            if beside.reason and beside.why:
                higher = (beside.ours or 0.0) > beside.published
                reason = sources.reason(part.source.name, entry.system, entry.langs, beside.measure, higher)
                words.setdefault(reason, {})[entry.langs] = None
    note = summary([beside for entry in part.entries for beside in entry.published])
    reasons = [f"{reason} ({', '.join(pairs)}): {text}" for (reason, text), pairs in words.items()]
    return Table("Published figures beside ours", columns, tuple(rows), (note, *reasons))


def _ends(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"[{format_number(low)}, {format_number(high)}]"


def summary(published: Sequence[Beside]) -> str:
    """How many published figures are ours too, and why the others are not."""
    near = sum(beside.near for beside in published)
    within = sum(beside.within and not beside.near for beside in published)
    why = Counter(beside.why for beside in published if beside.why)
    reasons = "; ".join(f"{count}: {reason}" for reason, count in why.most_common())
    text = f"{len(published)} published figures: {near} within 2 points of ours, {within} more in our interval"
    return f"{text}; why they differ by more than 2 points: {reasons}" if reasons else text


def record_rows(parts: Sequence[Part]) -> Iterator[Row]:
    """One row a system, pair and measure, the published figure beside it."""
    for source, entry in [(part.source, entry) for part in parts for entry in part.entries]:
        published = {(beside.measure, beside.group): beside for beside in entry.published}
        for measure in entry.measures:
            beside = published.get((measure.name, measure.group))
            numbers = {"value": measure.value, "low": measure.low, "high": measure.high}
            yield {
                "source": source.name,
                "year": source.year or None,
                "kind": entry.kind,
                "set": entry.set,
                "langs": entry.langs,
                "system": entry.system,
                "measure": measure.name,
                "group": measure.group,
                **{name: None if value is None else round(value, 2) for name, value in numbers.items()},
                "n": measure.n,
                "undetected": entry.undetected,
                "unread": entry.undetected,  # for one version
                "published": beside.published if beside else None,
                "difference": round(beside.ours - beside.published, 2) if beside and beside.ours is not None else None,
                "reason": beside.reason if beside else None,
                "licence": source.licence,
                "address": source.address,
                "signature": entry.signature,
            }
