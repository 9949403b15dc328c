"""The tables of a result: rates by group, counts, and the measures that are neither."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from epicene.output.table import Cell, Column, Table, format_measure, format_p
from epicene.sets import find_tables

if TYPE_CHECKING:
    from epicene.result import Result, Review
    from epicene.types import Measure

COUNTED = "sentences"  # the unit of counts
_BESIDE = 6  # measures that a table has beside each other where no group has many of them
REFUSED = {"sentences": "refused by the service", "recordings": "not fit to be heard"}


def list_tables(result: Result) -> Iterator[Table]:
    """What is shown of a result: its heading, its tables, its signature."""
    warnings = [f"warning: not to be believed: {warning}" for warning in result.warnings]
    notes = [note for note in result.notes if note.startswith(("check: ", "quality: "))]
    yield Table("\n".join([*warnings, describe(result), *notes]))
    yield from (find_tables(result.set) or measure_tables)(result)
    yield Table(signatures=(result.signature,))


def describe(result: Result) -> str:
    """What the tables are of, and what could not be read."""
    read = ", ".join(f"{count} {gender}" for gender, count in result.genders.items())
    refused = f", {result.refused} of them {REFUSED[result.counted]}" if result.refused else ""
    empty = f" ({result.empty} empty{refused})" if result.empty else ""
    what = f"{result.set} {result.langs} · {result.system} · protocol {result.protocol}"
    translated = f"translated {result.translated}" if result.translated else ""
    counted = f"{result.n} {result.counted}{': ' if read else ''}{read}{empty}"
    return "\n".join(filter(None, (what, translated, result.sample, counted)))


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
    rates = [measure for measure in result.measures if measure.unit == "%" and not measure.detail]
    names = list(dict.fromkeys(measure.name for measure in rates))
    groups = {name: [each for each in rates if each.group == name] for name in dict.fromkeys(m.group for m in rates)}
    if len(names) > _BESIDE and len(rates) < 2 * len(groups):
        yield _list_measures(rates)
        return
    columns = (Column("group", "%"), Column("n", "n", key=True), Column("unread", "unread"))
    rows: list[tuple[Cell, ...]] = []
    for group, measures in groups.items():
        unread = next((count for each in measures if (count := count_unread(each)) is not None), "")
        by_name = {each.name: each for each in reversed(measures)}
        rows.append((group, measures[0].n, unread, *(by_name.get(name, "") for name in names)))
    if rows:
        yield Table("", (*columns, *(Column(name, name, 1) for name in names)), tuple(rows))


def _list_measures(rates: Sequence[Measure]) -> Table:
    columns = (
        *(Column("group", "%"), Column("measure", " ", wraps=True), Column("n", "n"), Column("unread", "unread")),
        Column("value", " ", 1),
    )
    rows = []
    for each in rates:
        unread = count_unread(each)
        rows.append((each.group, each.name, each.n, "" if unread is None else unread, each))
    return Table("", columns, tuple(rows))


def count_unread(measure: Measure) -> int | None:
    """How many could not be read, whether or not they are among the n."""
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
    rest = [each for each in result.measures if each.unit not in ("%", COUNTED) and not each.detail]
    name, group = (max((len(getattr(each, field)) for each in rest), default=0) for field in ("name", "group"))
    return [
        f"{each.name:<{name}}  {each.group:<{group}}  {' '.join(filter(None, (format_measure(each), each.unit)))} "
        f"(n = {each.n}{'' if each.p is None else f', p = {format_p(each.p)}'.replace('= <', '< ')})"
        for each in rest
    ]


def _list_signatures(result: Result) -> list[str]:
    """The signatures of tools that have one of their own, each once."""
    signatures = dict.fromkeys((each.name, each.signature) for each in result.measures if each.signature)
    return [f"{name}: {signature}" for name, signature in signatures]


def _explain_missing_intervals(result: Result) -> list[str]:
    """Why numbers stand there without an interval."""
    reasons: dict[str, list[str]] = {}
    for each in result.measures:
        if each.why and not each.detail:
            reasons.setdefault(each.why, []).append(f"{each.name} {each.group}")
    return [f"no interval: {why} ({', '.join(names)})" for why, names in reasons.items()]


def bounds_line(result: Result) -> str:
    """What the first rate could be, had everything been read."""
    first = next((measure for measure in result.measures if measure.group == "all" and count_unread(measure)), None)
    if first is None or first.bounds is None:
        return ""
    low, high = first.bounds
    return f"{count_unread(first)} unread: had all been read, {first.name} would lie between {low:.1f} and {high:.1f} %"


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
        (each.name, each.group, each.n, format_measure(each, 2) if each.name == "kappa" else each)
        for each in review.measures
    )
    return Table(title, columns, rows)


def _corrected_table(result: Result) -> Table:
    """Measures as they were read, and corrected for the detector's errors."""
    columns = (
        *(Column("measure", "measure"), Column("group", "group"), Column("n", "n"), Column("read", "read", 1)),
        *(Column("corrected", "corrected"), Column("unit", " ")),
    )
    rows: list[tuple[Cell, ...]] = []
    for each in result.measures:
        if each.corrected:
            value, low, high = (f"{number:z.1f}" for number in each.corrected)
            rows.append((each.name, each.group, each.n, each, f"{value} [{low}, {high}]", each.unit))
    return Table(result.system, columns, tuple(rows))
