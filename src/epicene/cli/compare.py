"""``epicene compare``: paired tests between systems."""

from __future__ import annotations

from typing import Annotated

import typer

from epicene.cli.options import Anyway, Format, OutputFormat, Protocol, ProtocolName

app = typer.Typer()


@app.command()
def compare(
    entries: Annotated[
        list[str], typer.Argument(metavar="RUN_OR_HYP...", help="Run folders or files of translations.")
    ],
    set_name: Annotated[
        str | None, typer.Option("--set", "-t", metavar="SET", help="What the files translate.")
    ] = None,
    langs: Annotated[str | None, typer.Option("--langs", "-l", metavar="PAIR")] = None,
    protocol: ProtocolName = Protocol.EPICENE,
    anyway: Anyway = False,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Compare systems on the same sentences, each with the first: intervals and tests over occupations.

    Example: epicene compare -t simplegen -l en-de float.de int8.de
    """
    from epicene.cli.show import show_changes
    from epicene.output.terminal import tables
    from epicene.pipeline.compare import compare as compare_entries

    comparisons = compare_entries(entries, set_name, langs, protocol.value, anyway)
    if output is Format.JSON:
        typer.echo(tables.as_json([comparison.as_dict() for comparison in comparisons]))
    elif output is Format.LATEX:
        typer.echo("\n\n".join(map(tables.changes_latex, comparisons)))
    else:
        for comparison in comparisons:
            show_changes(comparison)
