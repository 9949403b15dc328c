"""``epicene genderscore``: how feminine or masculine embeddings make words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import command
from epicene.embeddings.vectors import Case
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def genderscore(
    embeddings: Annotated[
        list[str],
        typer.Option("--embedding", "-e", metavar="VECTORS", help="File of word vectors; may be repeated."),
    ],
    words: Annotated[
        str | None, typer.Argument(metavar="WORDS", help="File with one word per line; - is stdin.")
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="TSV", help="Write all words and scores to this file.")
    ] = None,
    seeds: Annotated[
        Path | None,
        typer.Option(
            "--seeds", metavar="TSV", help="Your own gendered words: list, side (feminine, masculine), words."
        ),
    ] = None,
    case: Annotated[
        Case,
        typer.Option(
            "--case", help="exact: as listed; lower: all in lower case; any: as listed, or else in lower case."
        ),
    ] = Case.ANY,
    resamples: Annotated[int, typer.Option("--resamples", help="Number of bootstrap samples of the seeds.")] = 1000,
    candidates: Annotated[
        str | None,
        typer.Option(
            "--candidates",
            metavar="WHICH",
            help="Instead of WORDS: WiBeMT's adjectives or verbs, or vocabulary[:N], the first N words of the vectors.",
        ),
    ] = None,
    own: Annotated[
        Path | None,
        typer.Option("--set", metavar="TSV", help="Write the words at both ends as a custom test set."),
    ] = None,
    per_side: Annotated[int, typer.Option("--per-side", min=1, help="Number of words from each end for --set.")] = 10,
    threshold: Annotated[
        float,
        typer.Option("--threshold", min=0, max=1, help="Lowest absolute score of a word for --set."),
    ] = 0.0,
    sentence: Annotated[
        str, typer.Option("--sentence", metavar="TEXT", help="Sentence for verbs, with {occupation} and {word}.")
    ] = "",
) -> Iterator[Answer]:
    """Rank words by gender score, from -1 (the most feminine in the list) to 1 (the most masculine).

    Example: epicene genderscore -e glove.6B.300d.txt -e crawl-300d-2M.vec adjectives.txt -o scores.tsv
    """
    from epicene.embeddings import genderscore as ranking
    from epicene.embeddings import wordlists
    from epicene.errors import InputError
    from epicene.files import refuse_overwrite, write_atomically
    from epicene.output.table import Listing, Table

    if (words is None) == (candidates is None):
        raise InputError("expected either a file of WORDS or --candidates adjectives, verbs or vocabulary")
    if sentence:
        ranking.check_sentence(sentence)
    refuse_overwrite([table, own], [words, seeds, *embeddings])
    found = ranking.genderscore(
        embeddings, words or wordlists.candidates(candidates or "", embeddings[0]), seeds, case, resamples
    )
    chosen = ranking.choose(found, per_side, threshold) if own else None
    if own is not None and chosen is not None:
        with write_atomically(own) as stream:
            stream.writelines("\t".join(row) + "\n" for row in chosen.rows(sentence))
    if table is not None:
        with write_atomically(table) as stream:
            stream.writelines("\t".join(row) + "\n" for row in found.list_lines())
    if table is None or str(table) != "-":
        yield found
    if chosen is not None and own is not None:
        yield Listing((Table(ranking.describe_chosen(chosen, own, bool(sentence))),))
