"""``epicene genderscore``: how feminine or masculine embeddings make words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.options import OutputFormat
from epicene.embeddings.vectors import Case
from epicene.output.render import Format

app = typer.Typer()


@app.command()
def genderscore(
    embeddings: Annotated[
        list[str],
        typer.Option("--embedding", "-e", metavar="VECTORS", help="A file of word vectors; may be given many times."),
    ],
    words: Annotated[
        str | None, typer.Argument(metavar="WORDS", help="A file with one word a line; - is stdin.")
    ] = None,
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
    candidates: Annotated[
        str | None,
        typer.Option(
            "--candidates",
            metavar="WHICH",
            help="Instead of WORDS: adjectives or verbs of WiBeMT's lists, or vocabulary[:N], the first N of the file.",
        ),
    ] = None,
    own: Annotated[
        Path | None,
        typer.Option("--set", metavar="TSV", help="Write the words at either end as a set of one's own."),
    ] = None,
    per_side: Annotated[int, typer.Option("--per-side", min=1, help="How many words of either end --set takes.")] = 10,
    threshold: Annotated[
        float,
        typer.Option("--threshold", min=0, max=1, help="The least score, either way, of a word that --set takes."),
    ] = 0.0,
    sentence: Annotated[
        str, typer.Option("--sentence", metavar="TEXT", help="For verbs: a sentence with {occupation} and {word}.")
    ] = "",
    output: OutputFormat = Format.TEXT,
) -> None:
    """Rank words by their gender score: -1 is the most feminine of the list, 1 the most masculine.

    Example: epicene genderscore -e glove.6B.300d.txt -e crawl-300d-2M.vec adjectives.txt -o scores.tsv
    """
    from epicene.cli.show import show_csv, show_markdown
    from epicene.embeddings import genderscore as ranking
    from epicene.embeddings import wordlists
    from epicene.errors import InputError
    from epicene.files import apart, written
    from epicene.output.terminal import genderscore as report
    from epicene.output.terminal import tables

    if (words is None) == (candidates is None):
        raise InputError("expected a file of WORDS, or --candidates adjectives, verbs or vocabulary; give one of them")
    if sentence:
        ranking.check_sentence(sentence)
    apart([table, own], [words, seeds, *embeddings])
    found = ranking.genderscore(
        embeddings, words or wordlists.candidates(candidates or "", embeddings[0]), seeds, case, resamples
    )
    chosen = ranking.choose(found, per_side, threshold) if own else None
    if own is not None and chosen is not None:
        with written(own) as stream:
            stream.writelines("\t".join(row) + "\n" for row in chosen.rows(sentence))
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
        for line in report.chosen(chosen, own, bool(sentence)) if chosen and own else ():
            console.print(line, soft_wrap=True)
        for line in report.notes(found):
            # A path is never broken, so that it can be copied.
            console.print(line, soft_wrap=True)
        console.print(found.signature, style="dim", soft_wrap=True)
