"""Prints results in the format that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from epicene.run import Result


def show(results: Sequence[Result], output: str) -> None:
    """Print results to standard output."""
    from epicene.report import tables

    if output == "json":
        typer.echo(tables.as_json(results))
        return
    if output == "latex":
        typer.echo(tables.as_latex(results))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for result in results:
        console.print(tables.heading(result), markup=False, soft_wrap=True)
        console.print(tables.measure_table(result))
        console.print(result.signature, markup=False, soft_wrap=True, style="dim")
