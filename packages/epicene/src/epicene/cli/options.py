"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Protocol(StrEnum):
    """Whose rules read the gender."""

    EPICENE = "epicene"
    PAPER = "paper"


SetName = Annotated[str, typer.Option("--set", "-t", metavar="SET", help="Challenge set: a name, or custom:FILE.tsv.")]
Langs = Annotated[str, typer.Option("--langs", "-l", metavar="PAIR", help="Language pair, such as en-de.")]
ProtocolName = Annotated[
    Protocol,
    typer.Option("--protocol", help="paper: what the paper's own scripts compute; epicene: the best reading we have."),
]
Anyway = Annotated[
    bool, typer.Option("--anyway", help="Print numbers that should not be believed, with a warning beside them.")
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="METRIC",
        help="Quality: bleu, chrf, comet or comet:MODEL. Default: bleu and chrf where there are references.",
    ),
]
ReferenceText = Annotated[
    list[str] | None,
    typer.Option(
        "--reference-text",
        metavar="FILE",
        help="References for BLEU, chrF and COMET, one a line; of several tasks: PAIR=FILE or SET@PAIR=FILE.",
    ),
]
