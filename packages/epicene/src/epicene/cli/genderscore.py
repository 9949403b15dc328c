"""``epicene genderscore``: how feminine or masculine embeddings make words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import argument, command, option
from epicene.embeddings.vectors import Case
from epicene.errors import InputError
from epicene.files import refuse_overwrite, write_atomically
from epicene.output.table import Answer, Listing, Table

app = typer.Typer()


@command(app)
def genderscore(
    embeddings: Annotated[list[str], option("-e, --embedding VECTORS", "File of word vectors; may be repeated.")],
    words: Annotated[str | None, argument("WORDS", "File with one word per line; - is stdin.")] = None,
    table: Annotated[Path | None, option("-o, --output TSV", "Write all words and scores to this file.")] = None,
    seeds: Annotated[
        Path | None, option("--seeds TSV", "Your own gendered words: list, side (feminine, masculine), words.")
    ] = None,
    case: Annotated[
        Case, option("--case", "exact: as listed; lower: all in lower case; any: as listed, or else in lower case.")
    ] = Case.ANY,
    resamples: Annotated[int, option("--resamples", "Number of bootstrap samples of the seeds.")] = 1000,
    candidates: Annotated[
        str | None,
        option(
            "--candidates WHICH",
            "Instead of WORDS: WiBeMT's adjectives or verbs, or vocabulary[:N], the first N words of the vectors.",
        ),
    ] = None,
    set_file: Annotated[Path | None, option("--set TSV", "Write the words at both ends as a custom test set.")] = None,
    per_side: Annotated[int, option("--per-side", "Number of words from each end for --set.", min=1)] = 10,
    threshold: Annotated[
        float, option("--threshold", "Lowest absolute score of a word for --set.", min=0, max=1)
    ] = 0.0,
    sentence: Annotated[str, option("--sentence TEXT", "Sentence for verbs, with {occupation} and {word}.")] = "",
) -> Iterator[Answer]:
    """Rank words by gender score, from -1 (the most feminine in the list) to 1 (the most masculine).

    Example: epicene genderscore -e glove.6B.300d.txt -e crawl-300d-2M.vec adjectives.txt -o scores.tsv
    """
    from epicene.embeddings import genderscore as ranking
    from epicene.embeddings import wordlists

    if (words is None) == (candidates is None):
        raise InputError("expected either a file of WORDS or --candidates adjectives, verbs or vocabulary")
    if sentence:
        ranking.check_sentence(sentence)
    refuse_overwrite([table, set_file], [words, seeds, *embeddings])
    scores = ranking.genderscore(
        embeddings, words or wordlists.candidates(candidates or "", embeddings[0]), seeds, case, resamples
    )
    chosen = ranking.choose(scores, per_side, threshold) if set_file else None
    if set_file is not None and chosen is not None:
        with write_atomically(set_file) as stream:
            stream.writelines("\t".join(row) + "\n" for row in chosen.rows(sentence))
    if table is not None:
        with write_atomically(table) as stream:
            stream.writelines("\t".join(row) + "\n" for row in scores.list_lines())
    if table is None or str(table) != "-":
        yield scores
    if chosen is not None and set_file is not None:
        yield Listing((Table(ranking.describe_chosen(chosen, set_file, bool(sentence))),))
