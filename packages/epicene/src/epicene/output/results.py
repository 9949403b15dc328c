"""The tables of a result: rates by group, counts, and the measures that are neither."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from epicene.measures.claims import count_undetected
from epicene.output.table import Cell, Column, Table, format_measure, format_p, make_columns
from epicene.sets import find_tables
from epicene.types import Measure

if TYPE_CHECKING:
    from epicene.result import Result, Review

COUNTED = "sentences"  # the unit of counts
DETECTED = {"unknown": "not detected"}  # what is said of a gender, where its name does not say it
_MISGENDERED = {"female": "women misgendered", "male": "men misgendered"}
_SHARES = ("masculine", "feminine", "neutral")  # where nobody's gender is stated
_BESIDE = 6  # measures that a table has beside each other where no group has many of them
REFUSED = {"sentences": "refused by the service", "recordings": "not fit to be heard"}


def list_tables(result: Result) -> Iterator[Table]:
    """What is shown of a result: its heading, its tables, its signature."""
    warnings = [f"warning: not to be believed: {warning}" for warning in result.warnings]
    notes = [note for note in result.notes if note.startswith(("check: ", "quality: "))]
    yield Table("\n".join([*warnings, describe(result), *notes]))
    yield from answer_table(result)
    yield from (find_tables(result.set) or measure_tables)(result)
    yield Table(signatures=(result.signature,))


def describe(result: Result) -> str:
    """What the tables are of, and which genders were detected."""
    read = ", ".join(f"{count} {DETECTED.get(gender, gender)}" for gender, count in result.genders.items())
    refused = f", {result.refused} of them {REFUSED[result.counted]}" if result.refused else ""
    empty = f" ({result.empty} empty{refused})" if result.empty else ""
    what = f"{result.set} {result.langs} · {result.label} · protocol {result.protocol}"
    translated = f"translated {result.translated}" if result.translated else ""
    counted = f"{result.n} {result.counted}{': ' if read else ''}{read}{empty}"
    return "\n".join(filter(None, (what, translated, result.sample, counted)))


def answer_table(result: Result) -> Iterator[Table]:
    """What most people want to know first: who is misgendered, or which gender is used where none is stated."""
    known = {(measure.name, measure.group): measure for measure in result.measures}
    named = {name: known.get(("misgendered", group)) for group, name in _MISGENDERED.items()}
    if not any(named.values()):
        named = {gender: known.get(("share", gender)) for gender in _SHARES}
    rows = [(name, measure) for name, measure in named.items() if measure]
    if rows:
        columns = make_columns(who=" ", value=("%, 95 % CI", 1), n="n", undetected="gender not detected")
        yield Table("", columns, tuple((name, measure, measure.n, count_undetected(measure)) for name, measure in rows))


def measure_tables(result: Result) -> Iterator[Table]:
    """All measures of a result that has no tables of its own."""
    yield from rate_tables(result)
    yield from _count_tables(result)
    lines = [*other_lines(result), *_explain_missing_intervals(result), bounds_line(result), *_list_signatures(result)]
    yield Table(notes=tuple(filter(None, lines)))


def rate_tables(result: Result) -> Iterator[Table]:
    """Percentages: one row a group, one column a measure, each with its interval.

    Where groups have measures of their own (GEST's p_1 … p_16), it is one row a measure.
    """
    rates = [
        measure
        for measure in result.measures
        if measure.unit == "%" and not measure.detail and measure.name not in ("misgendered", "share")  # said above
    ]
    names = list(dict.fromkeys(measure.name for measure in rates))
    groups: dict[str, list[Measure]] = {}
    for measure in rates:
        groups.setdefault(measure.group, []).append(measure)
    if len(names) > _BESIDE and len(rates) < 2 * len(groups):
        yield _list_measures(rates)
        return
    columns = (Column("group", "%"), Column("n", "n", key=True), Column("undetected", "undetected"))
    rows: list[tuple[Cell, ...]] = []
    for group, measures in groups.items():
        undetected = next((count for measure in measures if (count := _undetected(measure)) is not None), "")
        by_name = {measure.name: measure for measure in reversed(measures)}
        rows.append((group, measures[0].n, undetected, *(by_name.get(name, "") for name in names)))
    if rows:
        yield _leave_out_noughts(Table("", (*columns, *(Column(name, name, 1) for name in names)), tuple(rows)))


def _leave_out_noughts(table: Table) -> Table:
    """A table without the columns that hold nothing but noughts; one that holds nothing else is shown whole."""
    columns = list(zip(*table.rows, strict=True))
    filled = [
        index
        for index, column in enumerate(columns)
        if index < 2 or any(cell.value if isinstance(cell, Measure) else cell for cell in column)
    ]
    if len(filled) < 3:
        return table
    rows = tuple(tuple(row[index] for index in filled) for row in table.rows)
    return replace(table, columns=tuple(table.columns[index] for index in filled), rows=rows)


def _list_measures(rates: Sequence[Measure]) -> Table:
    columns = (
        *(Column("group", "%"), Column("measure", " ", wraps=True), Column("n", "n")),
        *(Column("undetected", "undetected"), Column("value", " ", 1)),
    )
    rows = []
    for measure in rates:
        undetected = _undetected(measure)
        rows.append((measure.group, measure.name, measure.n, "" if undetected is None else undetected, measure))
    return Table("", columns, tuple(rows))


def _undetected(measure: Measure) -> int | None:
    """For how many no gender was detected, whether or not they are among the n."""
    return measure.undetected if measure.excluded is None else measure.excluded


def _count_tables(result: Result) -> Iterator[Table]:
    """Counted sentences: one row a group, one column a category."""
    counts = [measure for measure in result.measures if measure.unit == COUNTED]
    names = list(dict.fromkeys(measure.name for measure in counts))
    rows: list[tuple[Cell, ...]] = []
    for group in dict.fromkeys(measure.group for measure in counts):
        row = {measure.name: measure for measure in counts if measure.group == group}
        rows.append((group, next(iter(row.values())).n, *(row[name].count for name in names)))
    if rows:
        columns = (Column("group", COUNTED), Column("n", "n", key=True), *(Column(name, name) for name in names))
        yield Table("", columns, tuple(rows))


def other_lines(result: Result) -> list[str]:
    """The measures that are neither percentages nor counts, one a line."""
    rest = [m for m in result.measures if m.unit not in ("%", COUNTED) and not m.detail]
    name_width, group_width = (max((len(getattr(m, field)) for m in rest), default=0) for field in ("name", "group"))
    lines = []
    for measure in rest:
        value = " ".join(filter(None, (format_measure(measure), measure.unit)))
        p = "" if measure.p is None else f", p = {format_p(measure.p)}".replace("= <", "< ")
        lines.append(f"{measure.name:<{name_width}}  {measure.group:<{group_width}}  {value} (n = {measure.n}{p})")
    return lines


def _list_signatures(result: Result) -> list[str]:
    """The signatures of tools that have one of their own, each once."""
    signatures = dict.fromkeys((measure.name, measure.signature) for measure in result.measures if measure.signature)
    return [f"{name}: {signature}" for name, signature in signatures]


def _explain_missing_intervals(result: Result) -> list[str]:
    """Why numbers stand there without an interval."""
    reasons: dict[str, list[str]] = {}
    for measure in result.measures:
        if measure.why and not measure.detail:
            reasons.setdefault(measure.why, []).append(f"{measure.name} {measure.group}")
    return [f"no interval: {why} ({', '.join(names)})" for why, names in reasons.items()]


def bounds_line(result: Result) -> str:
    """Between what the first rate would lie if every gender had been detected."""
    first = next((measure for measure in result.measures if measure.group == "all" and _undetected(measure)), None)
    if first is None or first.bounds is None:
        return ""
    low, high = first.bounds
    return f"{_undetected(first)} not detected: with all of them, {first.name} lies between {low:.1f} and {high:.1f} %"


def review_tables(results: Sequence[Result]) -> Iterator[Table]:
    """What people found about each detector, and what the rates come to with its errors taken out."""
    for signature in dict.fromkeys(result.signature for result in results):
        yield Table(signatures=(signature,))
        own = [result for result in results if result.signature == signature]
        review = own[0].review
        if review is None:
            yield Table("no decisions yet\n")
            continue
        yield _reader_table(review)
        if review.refused:
            yield Table(f"{review.refused}\n")
            continue
        for result in own:
            corrected = _corrected_table(result)
            yield (
                corrected
                if corrected.rows
                else Table(
                    f"{result.system}\nthe decisions do not suffice to correct the rates; go on with: epicene review\n"
                )
            )


def _reader_table(review: Review) -> Table:
    """How many sentences were settled and by whom, how far people agree, and how well the detector reads."""
    divided = f", divided on {review.unsettled} more" if review.unsettled else ""
    title = f"{review.n} sentence{'s' if review.n != 1 else ''} settled by {', '.join(review.reviewers)}{divided}"
    columns = (Column("measure", "review"), Column("group", "of"), Column("n", "n"), Column("value", "value", 1))
    rows = tuple(
        (measure.name, measure.group, measure.n, format_measure(measure, 2) if measure.name == "kappa" else measure)
        for measure in review.measures
    )
    return Table(title, columns, rows)


def _corrected_table(result: Result) -> Table:
    """Measures as they were read, and corrected for the detector's errors."""
    columns = (
        *(Column("measure", "measure"), Column("group", "group"), Column("n", "n"), Column("read", "read", 1)),
        *(Column("corrected", "corrected"), Column("unit", " ")),
    )
    rows: list[tuple[Cell, ...]] = []
    for measure in result.measures:
        if measure.corrected:
            value, low, high = (f"{number:z.1f}" for number in measure.corrected)
            rows.append((measure.name, measure.group, measure.n, measure, f"{value} [{low}, {high}]", measure.unit))
    return Table(result.system, columns, tuple(rows))
