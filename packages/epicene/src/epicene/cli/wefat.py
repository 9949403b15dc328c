"""``epicene wefat``: do vectors know who does the job?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.options import OutputFormat
from epicene.embeddings.vectors import Case
from epicene.output.render import Format

app = typer.Typer()


@app.command()
def wefat(
    embeddings: Annotated[
        list[str],
        typer.Option("--embedding", "-e", metavar="VECTORS", help="A file of word vectors; may be given many times."),
    ],
    language: Annotated[
        str, typer.Option("--language", "-l", help="Language of the words: en, de, fr, es, it.")
    ] = "en",
    reference: Annotated[
        Path | None,
        typer.Option("--reference", "-r", metavar="TSV", help="Own words with the share of women: word, women_pct."),
    ] = None,
    case: Annotated[
        Case,
        typer.Option("--case", help="exact: as listed; lower: all in lower case; any: as listed, else lower case."),
    ] = Case.ANY,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Compare how female vectors make occupations with the share of women in them (WEFAT, also called SC-WEAT).

    Example: epicene wefat -e glove.840B.300d.txt
    """
    from epicene.embeddings.wefat import wefat as compare
    from epicene.errors import EvidenceError
    from epicene.output.terminal import embeddings as report
    from epicene.output.terminal import tables

    found = compare(embeddings, language, reference, case)
    if output is Format.JSON:
        typer.echo(tables.as_json([each.as_dict() for each in found]))
    elif output is Format.LATEX:
        typer.echo(report.wefat_latex(found))
    else:
        from rich.console import Console

        console = Console(highlight=False, markup=False)
        for each in found:
            for line in report.wefat_lines(each):
                console.print(line)
            console.print(report.wefat_table(each))
            console.print(each.signature, style="dim", soft_wrap=True)
    if short := next((each for each in found if each.r is None), None):
        raise EvidenceError(
            f"{short.embedding}: {len(short.jobs)} occupations have a vector; too few for a correlation"
        )
