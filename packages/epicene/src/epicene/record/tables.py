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
    from epicene.record.build import Beside, Entry, Part


_MOST = 35  # systems that the short form lists


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
    rates = [each for each in rates if each.women or each.men]
    return name, langs, sorted(rates, key=lambda each: each.women.value or 0.0 if each.women else 101.0)


def _find_rate(part: Part, measure: str, name: str, langs: str, system: str) -> Rate | None:
    columns = part.matrices[measure].columns if measure in part.matrices else ()
    cell = next((each.cells.get(system) for each in columns if (each.set, each.langs) == (name, langs)), None)
    return cell if cell and cell.value is not None and not cell.doubtful else None


def short_tables(parts: Sequence[Part]) -> Iterator[Table]:
    """One sentence on each source, and one table of the test and language that most systems share."""
    yield Table(TITLE)
    for part in parts:
        matrix = part.matrices.get("women") or part.matrices.get("feminine")
        answer = headline(matrix).partition(". ")[0].rstrip(".") if matrix and is_contested(part) else part.source.title
        yield Table(f"- {part.source.name}: {answer}.")
    shared = find_shared(parts)
    if shared is None:
        for part in parts:
            yield from part_tables(part)
    else:
        name, langs, rates = shared
        columns = make_columns(system="system", year="year", women="women", women_interval="95 %", men="men")
        rows = tuple(
            (each.system, each.part.source.year or "", *_print_rate(each.women), *_print_rate(each.men)[:1])
            for each in rates[:_MOST]
        )
        more = (f"{len(rates) - _MOST} more systems: --all",) if len(rates) > _MOST else ()
        into = called(langs.partition("-")[2])
        yield Table(f"\nWomen and men misgendered in {name_test(name)}, into {into}, %", columns, rows, more)
    yield Table("all tables, and published figures beside ours: --all")


def _print_rate(rate: Rate | None) -> tuple[str, str]:
    return (format_number(rate.value), _ends(rate.low, rate.high)) if rate else ("", "")


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
    names = list(dict.fromkeys((each.name, each.group) for entry in part.entries for each in entry.measures))
    rows: list[tuple[Cell, ...]] = []
    for entry in part.entries:
        own = {(each.name, each.group): each for each in entry.measures}
        cells = (format_number(own[name].value) if name in own else "" for name in names)
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
    for entry in part.entries:
        for each in entry.published:
            figures = (
                format_number(each.published),
                format_number(each.ours),
                _ends(each.low, each.high),
                _describe_difference(each),
            )
            rows.append((entry.system, entry.langs, f"{each.measure} {each.group}", *figures))
    note = summary([each for entry in part.entries for each in entry.published])
    reasons = [f"{reason} ({', '.join(pairs)}): {words}" for reason, words, pairs in _explain(part)]
    return Table("Published figures beside ours", columns, tuple(rows), (note, *reasons))


def _ends(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"[{format_number(low)}, {format_number(high)}]"


def summary(beside: Sequence[Beside]) -> str:
    """How many published figures are ours too, and why the others are not."""
    near, within = sum(each.near for each in beside), sum(each.within and not each.near for each in beside)
    why = Counter(each.why for each in beside if each.why)
    told = "; ".join(f"{count}: {reason}" for reason, count in why.most_common())
    said = f"{len(beside)} published figures: {near} within 2 points of ours, {within} more in our interval"
    return f"{said}; why they differ by more than 2 points: {told}" if told else said


def _describe_difference(each: Beside) -> str:
    """Whether a figure that is far from ours lies in our interval, and why it is far."""
    inside = "" if each.near or not each.within else "in our interval"
    return "; ".join(filter(None, (inside, each.why)))


def record_rows(parts: Sequence[Part]) -> Iterator[Row]:
    """One row a system, pair and measure, the published figure beside it."""
    for part in parts:
        for entry in part.entries:
            yield from _entry_rows(part, entry)


def _entry_rows(part: Part, entry: Entry) -> Iterator[Row]:
    source, theirs = part.source, {(each.measure, each.group): each for each in entry.published}
    for each in entry.measures:
        figure = theirs.get((each.name, each.group))
        numbers = {"value": each.value, "low": each.low, "high": each.high}
        apart = None if figure is None or figure.ours is None else round(figure.ours - figure.published, 2)
        yield {
            "source": source.name,
            "year": source.year or None,
            "kind": entry.kind,
            "set": entry.set,
            "langs": entry.langs,
            "system": entry.system,
            "measure": each.name,
            "group": each.group,
            **{name: None if value is None else round(value, 2) for name, value in numbers.items()},
            "n": each.n,
            "undetected": entry.undetected,
            "unread": entry.undetected,  # for one version
            "published": figure.published if figure else None,
            "difference": apart,
            "reason": figure.reason if figure else None,
            "licence": source.licence,
            "address": source.address,
            "signature": entry.signature,
        }


def _explain(part: Part) -> Iterator[tuple[str, str, list[str]]]:
    """Every group of reasons, what the sentences that were read say, and the pairs of languages that it is of."""
    words: dict[tuple[str, str], list[str]] = {}
    for entry in part.entries:
        for each in entry.published:
            if each.reason and each.why:
                higher = (each.ours or 0.0) > each.published
                found = sources.reason(part.source.name, entry.system, entry.langs, each.measure, higher)
                pairs = words.setdefault(found, [])
                if entry.langs not in pairs:
                    pairs.append(entry.langs)
    for (reason, text), pairs in words.items():
        yield reason, text, pairs
