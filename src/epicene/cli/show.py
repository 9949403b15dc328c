"""Prints results in the format that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from epicene.cli.options import Format
    from epicene.pipeline.compare import Comparison
    from epicene.result import Result
    from epicene.studies import Study


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
    from epicene.output.terminal import tables

    console = wide_console()
    console.print(f"{comparison.system}\nagainst {comparison.baseline}")
    for warning in comparison.warnings:
        console.print(f"warning: not to be believed: {warning}", style="bold")
    console.print(tables.change_table(comparison))
    before, after = comparison.unread
    console.print(f"unread: {before:.1f} % before, {after:.1f} % after")
    console.print(comparison.signature + "\n", style="dim")


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


def wide_console() -> Console:
    """A console that never breaks a line, so that long names and signatures can be copied."""
    from rich.console import Console

    return Console(highlight=False, markup=False, soft_wrap=True)
