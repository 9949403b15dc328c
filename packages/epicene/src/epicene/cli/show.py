"""Prints results in the format that was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from epicene.cli.options import Format
    from epicene.compare.pairs import Comparison
    from epicene.compare.table import Matrix
    from epicene.record.build import Record
    from epicene.result import Result
    from epicene.studies import Study

_WIDTH = 200  # characters that a table may take; it takes no more than it needs


def show(results: Sequence[Result], output: str) -> None:
    """Print results to standard output."""
    from epicene.output.terminal import tables

    if output == "json":
        typer.echo(tables.as_json([result.as_dict() for result in results]))
    elif output == "latex":
        typer.echo(tables.results_latex(results))
    elif output == "csv":
        show_csv([row for result in results for row in result.rows()])
    elif output == "markdown":
        for result in results:
            show_markdown([*_warned(result.warnings), *tables.parts(result)], result.signature)
    else:
        console = wide_console()
        for result in results:
            for warning in _warned(result.warnings):
                console.print(warning, style="bold")
            for part in tables.parts(result):
                console.print(part)
            console.print(result.signature + "\n", style="dim")


def show_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as comma-separated values."""
    from epicene.rows import as_csv

    typer.echo(as_csv(rows), nl=False)


def show_markdown(parts: Iterable[Table | str], signature: str = "") -> None:
    """Print what the terminal shows as Markdown."""
    from epicene.output.terminal.markdown import document

    typer.echo(document(parts, signature))


def show_parts(
    parts: Sequence[Table | str], output: str, records: Sequence[dict[str, Any]], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Print tables and lines in any format: ``records`` are the same for JSON, ``rows`` for CSV."""
    from epicene.output.terminal import tables
    from epicene.output.terminal.markdown import cells

    if output == "json":
        typer.echo(tables.as_json(records))
    elif output == "csv":
        show_csv(rows)
    elif output == "markdown":
        show_markdown(parts)
    elif output == "latex":
        typer.echo("\n\n".join(tables.latex([], *cells(part)) for part in parts if not isinstance(part, str)))
    else:
        console = wide_console()
        for part in parts:
            console.print(part)


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


def show_study(found: Study, output: Format) -> None:
    """Print a study in the format that was asked for."""
    from epicene.output.terminal import study as report
    from epicene.output.terminal import tables

    if output == "json":
        typer.echo(tables.as_json([found.as_dict()]))
        return
    if output == "latex":
        typer.echo(report.as_latex(found))
        return
    if output == "csv":
        show_csv(report.rows(found))
        return
    missing = [f"not here: {name}: {how}" for name, how in found.missing.items()]
    if output == "markdown":
        parts: list[Table | str] = [found.title]
        for table in found.tables:
            parts += [table.title, report.study_table(table), *table.notes]
        show_markdown([*parts, *missing, *found.signatures])
        return
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    console.print(found.title)
    for table in found.tables:
        console.print(f"\n{table.title}")
        # A table whose texts may take several lines fits any terminal; another one is shown whole, however wide.
        wraps = any(column.wraps for column in table.columns)
        (console if wraps else wide_console()).print(report.study_table(table))
        for note in table.notes:
            console.print(f"- {note}")
    for line in missing:
        console.print(line)
    for signature in found.signatures:
        console.print(signature, style="dim", soft_wrap=True)


def show_review(results: Sequence[Result]) -> None:
    """Print what people found about each detector, and what the rates come to with its errors taken out."""
    from epicene.output.terminal import tables

    console = wide_console()
    for signature in dict.fromkeys(result.signature for result in results):
        own = [result for result in results if result.signature == signature]
        console.print(signature, style="dim")
        if own[0].review is None:
            console.print("no decisions yet\n")
            continue
        console.print(tables.review_heading(own[0].review))
        if own[0].review.measures:
            console.print(tables.review_table(own[0].review))
        for result in own:
            console.print(result.system)
            if any(measure.corrected for measure in result.measures):
                console.print(tables.corrected_table(result))
            else:
                console.print("the decisions do not suffice to correct the rates; go on with: epicene review\n")


def wide_console() -> Console:
    """A console that never breaks a line and cuts no cell, so that all that it shows can be read and copied."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.width = max(console.width, _WIDTH)
    return console
