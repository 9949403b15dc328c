"""``epicene report``: runs as a page that people read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import argument, command, option
from epicene.cli.options import Anyway

app = typer.Typer()


@command(app)
def report(
    folders: Annotated[list[Path], argument("RUN...", "Run folders, as written by audit.")],
    output: Annotated[Path, option("-o, --output PAGE.html", "HTML file to write.")],
    brief: Annotated[
        bool, option("--brief", "Write only the first screen: a sentence, examples, a chart, two limits.")
    ] = False,
    anyway: Anyway = False,
) -> None:
    """Write one or more runs as a single HTML page that works offline, in print and on a phone.

    Example: epicene report runs/float runs/int8 -o compared.html

    Example: epicene report runs/first --brief -o brief.html
    """
    from epicene.review.runs import open_run

    typer.echo(f"report: {open_run(*folders, anyway=anyway).report(output, brief)}")
