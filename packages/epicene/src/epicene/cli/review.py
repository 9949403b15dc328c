"""``epicene review``: a local page where people settle what the detector read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import command
from epicene.cli.options import note, warn
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def review(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="Run folder, as written by audit.")],
    sample: Annotated[
        int, typer.Option("--sample", min=1, metavar="N", help="Sentences per set and language pair.")
    ] = 200,
    name: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Name of the reviewer. Default: your login name.")
    ] = "",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the server; 0: any free port.")] = 0,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE.tsv", help="Write all decisions to this file and exit.")
    ] = None,
    add: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE.tsv", help="Add decisions from this file and update the results."),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option(
            "--history", metavar="FILE.tsv", help="Write all decisions, including replaced and undone ones, and exit."
        ),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Update the results with the decisions and exit.")] = False,
) -> Iterator[Answer]:
    """Judge a sample of verdicts in the browser, and correct the rates for the detector's errors.

    Doubtful verdicts come first, then a random sample. Ctrl-C ends the review and updates results.json and report.html.

    Example: epicene review runs/my-model --as anna
    """
    import getpass

    from epicene.flow.audit import REPORT
    from epicene.output.results import review_tables
    from epicene.output.table import Listing
    from epicene.review import runs
    from epicene.review.server import serve

    if export:
        note(f"{runs.export_review(folder, export)} decisions: {export}")
        return
    if history:
        warn(f"{runs.export_review(folder, history, history=True)} decisions: {history}")
        return
    if add:
        note(f"{runs.import_review(folder, add)} decisions added")
    elif not apply:
        typer.echo("Decisions are saved at once; Ctrl-C ends the review. Open in a browser:", err=True)
        serve(folder, sample, name or getpass.getuser(), port, typer.echo, lambda: runs.apply_review(folder))
    yield Listing(tuple(review_tables(runs.apply_review(folder).results)))
    warn(f"report: {folder / REPORT}")
