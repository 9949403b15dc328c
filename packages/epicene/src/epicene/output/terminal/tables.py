"""Results as text, JSON and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from epicene.gate.rules import FLOORS, NAMES, PERCENT
from epicene.output.terminal.views import VIEWS, View
from epicene.result import Result, Review
from epicene.types import Measure

if TYPE_CHECKING:
    from rich.table import Table

    from epicene.compare.pairs import Comparison
    from epicene.gate.rules import Judgement

COUNTED = "sentences"  # the unit of counts
_WIDTH = 80  # of a table, in columns of a terminal
_BESIDE = 6  # measures that a table has beside each other where no group has many of them
REFUSED = {"sentences": "refused by the service", "recordings": "not fit to be heard"}


def as_json(records: Sequence[dict[str, Any]]) -> str:
    """A list of objects, however many there are."""
    return json.dumps(list(records), ensure_ascii=False, indent=1)


def number(value: float | None, digits: int = 1) -> str:
    """A number as tables print it, nought without a sign; a dash where it is not defined."""
    return "–" if value is None else f"{value:z.{digits}f}"


def with_interval(measure: Measure, digits: int = 1) -> str:
    """A value and its interval."""
    value = number(measure.value, digits)
    if measure.low is None or measure.high is None:
        return value
    return f"{value} [{number(measure.low, digits)}, {number(measure.high, digits)}]"


def heading(result: Result) -> str:
    """What the table is of, and what could not be read."""
    read = ", ".join(f"{count} {gender}" for gender, count in result.genders.items())
    refused = f", {result.refused} of them {REFUSED[result.counted]}" if result.refused else ""
    empty = f" ({result.empty} empty{refused})" if result.empty else ""
    what = f"{result.set} {result.langs} · {result.system} · protocol {result.protocol}"
    translated = f"translated {result.translated}" if result.translated else ""
    counted = f"{result.n} {result.counted}{': ' if read else ''}{read}{empty}"
    return "\n".join(filter(None, (what, translated, result.sample, counted)))


def own_view(result: Result) -> View | None:
    """The view that is called like a set, if its results read better in tables of their own."""
    name = result.set.partition(":")[0]
    return VIEWS.find(name) if name in VIEWS.names() else None


def parts(result: Result) -> Iterator[Table | str]:
    """What is printed of a result."""
    yield heading(result)
    yield from (note for note in result.notes if note.startswith(("check: ", "quality: ")))
    if own := own_view(result):
        yield from own.parts(result)
        return
    yield from rate_tables(result)
    if counts := count_table(result):
        yield counts
    signed = signature_lines(result)
    yield from filter(None, [*other_lines(result), *without_interval(result), bounds_line(result), *signed])


def rate_tables(result: Result) -> Iterator[Table]:
    """Percentages: one row a group, one column a measure, each with its interval; what is too wide goes on below.

    Where groups have measures of their own (GEST's p_1 … p_16), it is one row a measure.
    """
    rates = [measure for measure in result.measures if measure.unit == "%" and not measure.detail]
    names = list(dict.fromkeys(measure.name for measure in rates))
    if len(names) > _BESIDE and len(rates) < 2 * len({measure.group for measure in rates}):
        yield _one_below_the_other(rates)
        return
    groups = {name: [each for each in rates if each.group == name] for name in dict.fromkeys(m.group for m in rates)}
    start = [("%", list(groups)), ("n", [str(own[0].n) for own in groups.values()])]
    unread = [next((found for each in own if (found := _unread(each)) is not None), "") for own in groups.values()]
    first = [*start, ("unread", list(map(str, unread)))]
    rest = []
    for name in names:
        cells = [next((with_interval(each) for each in own if each.name == name), "") for own in groups.values()]
        rest.append((name, cells))
    while rest:
        fits = 1
        while fits < len(rest) and sum(map(_wide, [*first, *rest[: fits + 1]])) <= _WIDTH:
            fits += 1
        yield _of_columns([*first, *rest[:fits]])
        first, rest = start, rest[fits:]


def _of_columns(columns: Sequence[tuple[str, list[str]]]) -> Table:
    table = grid(*(head for head, _ in columns))
    for row in zip(*(cells for _, cells in columns), strict=True):
        table.add_row(*row)
    return table


def _wide(column: tuple[str, list[str]]) -> int:
    """How wide a column of a grid is, with what parts it from the next."""
    head, cells = column
    return max(map(len, [head, *cells])) + 2


def _one_below_the_other(rates: Sequence[Measure]) -> Table:
    table = grid("%", "", "n", "unread", "")
    table.columns[1].justify = "left"
    for each in rates:
        unread = _unread(each)
        table.add_row(each.group, each.name, str(each.n), "" if unread is None else str(unread), with_interval(each))
    return table


def _unread(measure: Measure) -> int | None:
    return measure.unread if measure.apart is None else measure.apart


def count_table(result: Result) -> Table | None:
    """Counted sentences: one row a group, one column a category; None where there are no such measures."""
    counts = [measure for measure in result.measures if measure.unit == COUNTED]
    if not counts:
        return None
    names = list(dict.fromkeys(measure.name for measure in counts))
    table = grid(COUNTED, "n", *names)
    for group in dict.fromkeys(measure.group for measure in counts):
        row = {measure.name: measure for measure in counts if measure.group == group}
        table.add_row(group, str(next(iter(row.values())).n), *(str(row[name].count) for name in names))
    return table


def other_lines(result: Result) -> list[str]:
    """The measures that are neither percentages nor counts, one a line."""
    rest = [each for each in result.measures if each.unit not in ("%", COUNTED) and not each.detail]
    name, group = (max((len(getattr(each, field)) for each in rest), default=0) for field in ("name", "group"))
    return [
        f"{each.name:<{name}}  {each.group:<{group}}  {' '.join(filter(None, (with_interval(each), each.unit)))} "
        f"(n = {each.n}{'' if each.p is None else f', p = {p_value(each.p)}'.replace('= <', '< ')})"
        for each in rest
    ]


def signature_lines(result: Result) -> list[str]:
    """The signatures of tools that have one of their own, each once."""
    found = dict.fromkeys((each.name, each.signature) for each in result.measures if each.signature)
    return [f"{name}: {signature}" for name, signature in found]


def without_interval(result: Result) -> list[str]:
    """Why numbers stand there without an interval."""
    found: dict[str, list[str]] = {}
    for each in result.measures:
        if each.why and not each.detail:
            found.setdefault(each.why, []).append(f"{each.name} {each.group}")
    return [f"no interval: {why} ({', '.join(names)})" for why, names in found.items()]


def bounds_line(result: Result) -> str:
    """What the first rate could be, had everything been read."""
    first = next((measure for measure in result.measures if measure.group == "all" and _unread(measure)), None)
    if first is None or first.bounds is None:
        return ""
    low, high = first.bounds
    return f"{_unread(first)} unread: had all been read, {first.name} would lie between {low:.1f} and {high:.1f} %"


def change_table(comparison: Comparison, measure: str = "right") -> Table:
    """A comparison in one measure: one row a group."""
    table = grid("points", "n", "unread", "before", "after", "difference", "+/−", "p (Holm)", "")
    for change in (each for each in comparison.changes if each.measure == measure):
        table.add_row(
            change.group,
            str(change.n),
            "→".join(map(str, change.unread)),
            number(change.before),
            number(change.after),
            f"{change.difference:+z.1f}{_signed_interval(change.low, change.high)}",
            f"{change.gained}/{change.lost}",
            "–" if change.p_holm is None else p_value(change.p_holm),
            change.said if change.low is not None else "too few to tell",
        )
    return table


def quality_table(comparison: Comparison) -> Table:
    """Quality before and after: one row a metric."""
    table = grid("quality", "n", "before", "after", "difference", "p")
    for each in comparison.quality:
        p = "–" if each.p is None else p_value(each.p)
        between = _signed_interval(each.low, each.high)
        scores = (number(each.before), number(each.after), f"{each.difference:+z.1f}{between}")
        table.add_row(each.unit, str(each.n), *scores, p)
    return table


def quality_signatures(comparison: Comparison) -> list[str]:
    """The signatures of the metrics, with how p was found."""
    return [f"{each.metric}: {each.signature}" for each in comparison.quality]


def _signed_interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{low:+z.1f}, {high:+z.1f}]"


def judgement_line(judgement: Judgement, width: int = 8) -> str:
    """What a gate says of one group or gap, whose name takes so many characters."""
    allowed = "at least" if judgement.what in FLOORS else "allowed"
    unit = " %" if judgement.what in PERCENT else ""
    interval = "" if judgement.low is None else f" [{number(judgement.low)}, {number(judgement.high)}]"
    p = "" if judgement.p is None else f", p = {p_value(judgement.p)}".replace("= <", "< ")
    why = f"; {judgement.why}" if judgement.why else ""
    return (
        f"{judgement.group:<{width}} {judgement.answer:<10} {NAMES[judgement.what]} {number(judgement.value)}{unit}"
        f"{interval}, "
        f"{allowed} {judgement.allowed:g} (n = {judgement.n}{p}){why}"
    )


def review_heading(review: Review) -> str:
    """How many sentences were settled, and by whom."""
    divided = f", divided on {review.unsettled} more" if review.unsettled else ""
    settled = f"{review.n} sentence{'s' if review.n != 1 else ''} settled"
    return f"{settled} by {', '.join(review.reviewers)}{divided}"


def review_table(review: Review) -> Table:
    """How far people agree, and how well the detector reads."""
    table = grid("review", "of", "n", "value")
    for measure in review.measures:
        digits = 2 if measure.name == "kappa" else 1
        table.add_row(measure.name, measure.group, str(measure.n), with_interval(measure, digits))
    return table


def corrected_table(result: Result) -> Table:
    """Measures as they were read, and corrected for the detector's errors."""
    table = grid("measure", "group", "n", "read", "corrected", "")
    for measure in result.measures:
        if measure.corrected:
            value, low, high = (number(each) for each in measure.corrected)
            table.add_row(
                measure.name,
                measure.group,
                str(measure.n),
                with_interval(measure),
                f"{value} [{low}, {high}]",
                measure.unit,
            )
    return table


def p_value(p: float) -> str:
    """A p-value as tables print it."""
    return "<.0001" if p < 0.0001 else f"{p:.4f}".lstrip("0")


def grid(*columns: str) -> Table:
    """An empty table as all of ours look: the first column to the left, the others to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for position, column in enumerate(columns):
        table.add_column(column, justify="right" if position else "left", overflow="fold")
    return table


def results_latex(results: Sequence[Result]) -> str:
    """One row a system, one column a measure and group."""
    if (own := own_view(results[0])) and own.as_latex:
        return own.as_latex(results)
    columns = [(measure.name, measure.group) for measure in results[0].measures if not measure.detail]
    rows = [[result.system, *(number(result[column].value) for column in columns)] for result in results]
    said = [f"warning: {result.system}: {warning}" for result in results for warning in result.warnings]
    return latex([*said, *(result.signature for result in results)], ["system", *map(" ".join, columns)], rows)


def changes_latex(comparison: Comparison) -> str:
    """One row a group."""
    columns = ("n", "before", "after", "difference", "low", "high", "p_holm")
    rows = []
    for change in comparison.changes:
        cells = [number(getattr(change, column), 4 if column == "p_holm" else 1) for column in columns[1:]]
        rows.append([change.group, str(change.n), *cells])
    said = [f"warning: {warning}" for warning in comparison.warnings]
    return latex([*said, comparison.signature], ["group", *columns], rows)


def latex(signatures: Sequence[str], header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A booktabs tabular, with what the numbers are as comments above."""
    lines = [f"% {signature}" for signature in dict.fromkeys(signatures)]
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}", r"\toprule", _row(header), r"\midrule"]
    return "\n".join([*lines, *map(_row, rows), r"\bottomrule", r"\end{tabular}"])


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(_escape, cells)) + r" \\"


def _escape(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(letter, f"\\{letter}" if letter in "&%$#_{}" else letter) for letter in text)
