"""``epicene genderscore``: how feminine or masculine embeddings make words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.options import Format, OutputFormat
from epicene.embeddings.vectors import Case

app = typer.Typer()


@app.command()
def genderscore(
    words: Annotated[str, typer.Argument(metavar="WORDS", help="A file with one word a line; - is stdin.")],
    embeddings: Annotated[
        list[str],
        typer.Option("--embedding", "-e", metavar="VECTORS", help="A file of word vectors; may be given many times."),
    ],
    table: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="TSV", help="Write all words with all their scores.")
    ] = None,
    seeds: Annotated[
        Path | None,
        typer.Option("--seeds", metavar="TSV", help="Own gendered words: list, side (feminine, masculine), words."),
    ] = None,
    case: Annotated[
        Case,
        typer.Option("--case", help="exact: as listed; lower: all in lower case; any: as listed, else lower case."),
    ] = Case.ANY,
    resamples: Annotated[int, typer.Option("--resamples", "-n", help="How often the seeds are drawn anew.")] = 1000,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Rank words by their gender score: -1 is the most feminine of the list, 1 the most masculine.

    Example: epicene genderscore -e glove.6B.300d.txt -e crawl-300d-2M.vec adjectives.txt -o scores.tsv
    """
    from epicene.cli.show import show_csv, show_markdown
    from epicene.embeddings.genderscore import genderscore as score
    from epicene.files import apart, written
    from epicene.output.terminal import genderscore as report
    from epicene.output.terminal import tables

    apart([table], [words, seeds, *embeddings])
    found = score(embeddings, words, seeds, case, resamples)
    if table is not None:
        with written(table) as stream:
            stream.writelines("\t".join(row) + "\n" for row in found.rows())
    if output is Format.JSON:
        typer.echo(tables.as_json([found.as_dict()]))
    elif output is Format.LATEX:
        typer.echo(report.as_latex(found))
    elif output is Format.CSV:
        header, *rows = found.rows()
        show_csv([dict(zip(header, row, strict=True)) for row in rows])
    elif output is Format.MARKDOWN:
        show_markdown([*report.heading(found), report.ranking(found), *report.notes(found)], found.signature)
    elif table is None or str(table) != "-":
        from rich.console import Console

        console = Console(highlight=False, markup=False)
        for line in report.heading(found):
            console.print(line)
        console.print(report.ranking(found))
        for line in report.notes(found):
            # A path is never broken, so that it can be copied.
            console.print(line, soft_wrap=True)
        console.print(found.signature, style="dim", soft_wrap=True)
