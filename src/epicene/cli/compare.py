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
    from epicene.cli.show import show_comparisons
    from epicene.pipeline.compare import compare as compare_entries

    show_comparisons(compare_entries(entries, set_name, langs, protocol.value, anyway), output.value)
