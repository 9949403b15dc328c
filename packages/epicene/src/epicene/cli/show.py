"""Prints results in the format that was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from epicene.compare.pairs import Comparison
    from epicene.compare.table import Matrix
    from epicene.record.build import Record

_WIDTH = 200  # characters that a table may take; it takes no more than it needs


def show_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as comma-separated values."""
    from epicene.output.render import render_csv

    typer.echo(render_csv(rows))


def show_markdown(parts: Iterable[Table | str], signature: str = "") -> None:
    """Print what the terminal shows as Markdown."""
    from epicene.output.terminal.markdown import document

    typer.echo(document(parts, signature))


def show_comparisons(comparisons: Sequence[Comparison], output: str) -> None:
    """Print comparisons to standard output."""
    from epicene.output.terminal import tables

    if output == "json":
        typer.echo(tables.as_json([comparison.as_dict() for comparison in comparisons]))
    elif output == "latex":
        typer.echo("\n\n".join(map(tables.changes_latex, comparisons)))
    elif output == "csv":
        show_csv([row for comparison in comparisons for row in comparison.rows()])
    elif output == "markdown":
        for comparison in comparisons:
            show_markdown(change_parts(comparison), comparison.signature)
    else:
        for comparison in comparisons:
            show_changes(comparison)


def show_changes(comparison: Comparison) -> None:
    """Print a comparison as text."""
    console = wide_console()
    for part in change_parts(comparison):
        console.print(part)
    console.print(comparison.signature + "\n", style="dim")


def change_parts(comparison: Comparison) -> list[Table | str]:
    """What is printed of a comparison; of one without a baseline, what could not be read."""
    from epicene.output.terminal import tables

    before, after = comparison.unread
    warnings = _warned(comparison.warnings)
    if not comparison.baseline:
        return [comparison.system, *warnings, f"unread: {after:.1f} %"]
    parts: list[Table | str] = [f"{comparison.system}\nagainst {comparison.baseline}", *warnings]
    for measure in dict.fromkeys(change.measure for change in comparison.changes):
        parts += _measured(comparison, measure)
    parts.append(f"unread: {before:.1f} % before, {after:.1f} % after")
    if comparison.quality:
        parts += [tables.quality_table(comparison), *tables.quality_signatures(comparison)]
    return parts


def _measured(comparison: Comparison, measure: str) -> list[Table | str]:
    from epicene.compare.paired import FEMININE
    from epicene.output.terminal import tables

    said = "women among women and men written, where the sentence leaves it open, %"
    return [*([said] if measure == FEMININE else []), tables.change_table(comparison, measure)]


def _warned(warnings: Iterable[str]) -> list[str]:
    return [f"warning: not to be believed: {warning}" for warning in warnings]


def show_matrices(found: Mapping[str, Matrix], output: str) -> None:
    """Print many systems beside each other in the format that was asked for."""
    from epicene.output.terminal import matrix as report
    from epicene.output.terminal import tables

    if output == "text":
        console = wide_console()
        for each in found.values():
            for part in report.text_parts(each):
                console.print(part)
        return
    written = {"csv": report.as_csv, "markdown": report.as_markdown, "latex": report.as_latex}
    if output == "json":
        typer.echo(tables.as_json([each.as_dict() for each in found.values()]))
    else:
        typer.echo(written[output](found))


def show_record(made: Record, output: str) -> None:
    """Print the record in the format that was asked for."""
    from epicene.output.terminal import tables
    from epicene.record import tables as report

    if output == "json":
        typer.echo(tables.as_json([part.as_dict() for part in made.parts]))
    elif output == "text":
        console = wide_console()
        for part in report.text_parts(made.parts):
            console.print(part)
    else:
        typer.echo({"csv": report.as_csv, "markdown": report.as_markdown}[output](made.parts))


def wide_console() -> Console:
    """A console that never breaks a line and cuts no cell, so that all that it shows can be read and copied."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.width = max(console.width, _WIDTH)
    return console
