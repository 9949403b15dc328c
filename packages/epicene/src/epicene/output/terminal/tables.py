"""Results as text, JSON and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from epicene.gate.rules import FLOORS, NAMES, PERCENT
from epicene.output.table import format_number as number
from epicene.output.table import format_p as p_value

if TYPE_CHECKING:
    from rich.table import Table

    from epicene.compare.pairs import Comparison
    from epicene.gate.rules import Judgement


def as_json(records: Sequence[dict[str, Any]]) -> str:
    """A list of objects, however many there are."""
    return json.dumps(list(records), ensure_ascii=False, indent=1)


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


def grid(*columns: str) -> Table:
    """An empty table as all of ours look: the first column to the left, the others to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for position, column in enumerate(columns):
        table.add_column(column, justify="right" if position else "left", overflow="fold")
    return table


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
