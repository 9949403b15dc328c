"""Results as text, JSON and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from epicene.types import Measure

if TYPE_CHECKING:
    from rich.table import Table

    from epicene.run import Result

FORMATS = ("text", "json", "latex")


def as_json(results: Sequence[Result]) -> str:
    """One object for one result, a list for several."""
    found = [result.as_dict() for result in results]
    return json.dumps(found[0] if len(found) == 1 else found, ensure_ascii=False, indent=1)


def number(value: float | None, digits: int = 1) -> str:
    """A number as tables print it; a dash where it is not defined."""
    return "–" if value is None else f"{value:.{digits}f}"


def interval(measure: Measure) -> str:
    """The interval, or nothing where there is none."""
    if measure.low is None or measure.high is None:
        return ""
    return f"[{number(measure.low)}, {number(measure.high)}]"


def bounds(measure: Measure) -> str:
    """What the rate could be, had everything been read."""
    if not measure.unread or measure.bounds is None:
        return ""
    low, high = measure.bounds
    return f"{number(low)}–{number(high)}"


def measure_table(result: Result) -> Table:
    """The measures of one result."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("measure")
    table.add_column("group")
    for column in ("value", "95 % interval", "n", "unread", "bounds"):
        table.add_column(column, justify="right")
    previous = ""
    for measure in sorted(result.measures, key=lambda each: _order(result.measures, each)):
        name = measure.name if measure.name != previous else ""
        previous = measure.name
        table.add_row(
            name,
            measure.group,
            f"{number(measure.value)} {measure.unit}".strip(),
            interval(measure),
            str(measure.n),
            "" if measure.unread is None else str(measure.unread),
            bounds(measure),
        )
    return table


def _order(measures: Iterable[Measure], measure: Measure) -> int:
    return list(dict.fromkeys(each.name for each in measures)).index(measure.name)


def heading(result: Result) -> str:
    """What the table is of, and what could not be read."""
    read = ", ".join(f"{count} {gender}" for gender, count in result.genders.items())
    empty = f" ({result.empty} empty)" if result.empty else ""
    return f"{result.set} {result.langs} · {result.system} · protocol {result.protocol}\n{result.n} sentences: {read}{empty}"


def as_latex(results: Sequence[Result]) -> str:
    """One row a system, one column a measure and group: the body and head of a tabular."""
    first = results[0]
    columns = [(measure.name, measure.group) for measure in first.measures]
    lines = [
        f"% {first.signature}",
        rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
        " & ".join(["system", *(_escape(f"{name} {group}") for name, group in columns)]) + r" \\",
        r"\midrule",
    ]
    for result in results:
        cells = [number(result[column].value) for column in columns]
        lines.append(" & ".join([_escape(result.system), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _escape(text: str) -> str:
    for letter in "\\&%$#_{}~^":
        text = text.replace(letter, r"\textbackslash{}" if letter == "\\" else "\\" + letter)
    return text
