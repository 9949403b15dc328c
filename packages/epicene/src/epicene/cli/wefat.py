"""``epicene wefat``: do vectors know who does the job?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import command, option
from epicene.embeddings.vectors import Case
from epicene.errors import EvidenceError
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def wefat(
    embeddings: Annotated[list[str], option("-e, --embedding VECTORS", "File of word vectors; may be repeated.")],
    language: Annotated[str, option("-l, --language", "Language of the words: en, de, fr, es or it.")] = "en",
    reference: Annotated[
        Path | None, option("--reference TSV", "Your own words with the share of women: word, women_pct.")
    ] = None,
    case: Annotated[
        Case, option("--case", "exact: as listed; lower: all in lower case; any: as listed, or else in lower case.")
    ] = Case.ANY,
) -> Iterator[Answer]:
    """Compare the gender of occupations in word vectors with the share of women in them (WEFAT, SC-WEAT).

    Example: epicene wefat -e glove.840B.300d.txt
    """
    from epicene.embeddings.wefat import wefat as compare

    answers = compare(embeddings, language, reference, case)
    yield from answers
    if short := next((each for each in answers if each.r is None), None):
        raise EvidenceError(
            f"{short.embedding}: {len(short.jobs)} occupations have a vector; too few for a correlation"
        )
