"""``epicene review``: a local page where people settle what the detector read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import argument, command, option
from epicene.cli.options import note, warn
from epicene.output.table import Answer, Listing

app = typer.Typer()


@command(app)
def review(
    folder: Annotated[Path, argument("RUN", "Run folder, as written by audit.")],
    sample: Annotated[int, option("--sample N", "Sentences per set and language pair.", min=1)] = 200,
    name: Annotated[str, option("--as NAME", "Name of the reviewer. Default: your login name.")] = "",
    port: Annotated[int, option("--port", "Port of the server; 0: any free port.", min=0, max=65535)] = 0,
    export: Annotated[Path | None, option("--export FILE.tsv", "Write all decisions to this file and exit.")] = None,
    add: Annotated[
        Path | None, option("--import FILE.tsv", "Add decisions from this file and update the results.")
    ] = None,
    history: Annotated[
        Path | None, option("--history FILE.tsv", "Write all decisions, including replaced and undone ones, and exit.")
    ] = None,
    apply: Annotated[bool, option("--apply", "Update the results with the decisions and exit.")] = False,
) -> Iterator[Answer]:
    """Judge a sample of verdicts in the browser, and correct the rates for the detector's errors.

    Doubtful verdicts come first, then a random sample. Ctrl-C ends the review and updates results.json and report.html.

    Example: epicene review runs/my-model --as anna
    """
    import getpass

    from epicene.flow.audit import REPORT
    from epicene.output.results import review_tables
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
