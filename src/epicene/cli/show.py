"""Prints results in the format that was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from epicene.cli.options import Format
    from epicene.pipeline.compare import Comparison
    from epicene.pipeline.matrix import Matrix
    from epicene.pipeline.record import Record
    from epicene.result import Result
    from epicene.studies import Study


_ROOM = 160  # letters that a table of comparisons may take, however narrow the terminal: a cut number is none


def show(results: Sequence[Result], output: str) -> None:
    """Print results to standard output."""
    from epicene.output.terminal import tables

    if output == "json":
        typer.echo(tables.as_json([result.as_dict() for result in results]))
    elif output == "latex":
        typer.echo(tables.results_latex(results))
    else:
        console = wide_console()
        for result in results:
            for warning in result.warnings:
                console.print(f"warning: not to be believed: {warning}", style="bold")
            for part in tables.parts(result):
                console.print(part)
            console.print(result.signature + "\n", style="dim")


def show_changes(comparison: Comparison) -> None:
    """Print a comparison as text."""
    from epicene.measures.paired import FEMININE
    from epicene.output.terminal import tables

    console = wide_console(_ROOM)
    console.print(f"{comparison.system}\nagainst {comparison.baseline}")
    for warning in comparison.warnings:
        console.print(f"warning: not to be believed: {warning}", style="bold")
    for measure in dict.fromkeys(change.measure for change in comparison.changes):
        if measure == FEMININE:
            console.print("women among women and men written, where the sentence leaves it open, %")
        console.print(tables.change_table(comparison, measure))
    before, after = comparison.unread
    console.print(f"unread: {before:.1f} % before, {after:.1f} % after")
    console.print(comparison.signature + "\n", style="dim")


def show_matrices(found: Mapping[str, Matrix], output: str) -> None:
    """Print many systems beside each other in the format that was asked for."""
    from epicene.output.terminal import matrix as report
    from epicene.output.terminal import tables

    if output == "text":
        console = wide_console(_ROOM)
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
    from epicene.output.terminal import record as report
    from epicene.output.terminal import tables

    if output == "json":
        typer.echo(tables.as_json([part.as_dict() for part in made.parts]))
    elif output == "text":
        console = wide_console(_ROOM)
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
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    console.print(found.title)
    for table in found.tables:
        console.print(f"\n{table.title}")
        console.print(report.study_table(table))
        for note in table.notes:
            console.print(f"- {note}")
    for name, how in found.missing.items():
        console.print(f"not here: {name}: {how}")
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


def wide_console(least: int = 0) -> Console:
    """A console that never breaks a line, so that long names and signatures can be copied; tables get so much room."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.width = max(console.width, least)
    return console
