"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from epicene.output.render import Format


class Protocol(StrEnum):
    """Whose rules read the gender."""

    EPICENE = "epicene"
    PAPER = "paper"


SetName = Annotated[str, typer.Option("--set", "-t", metavar="SET", help="Challenge set: a name, or custom:FILE.tsv.")]
Langs = Annotated[str, typer.Option("--langs", "-l", metavar="PAIR", help="Language pair, such as en-de.")]
OutputFormat = Annotated[Format, typer.Option("--format", "-f", help="How to print the results.")]
ProtocolName = Annotated[
    Protocol,
    typer.Option("--protocol", help="paper: what the paper's own scripts compute; epicene: the best reading we have."),
]
Anyway = Annotated[
    bool, typer.Option("--anyway", help="Print numbers that should not be believed, with a warning beside them.")
]
MinConfidence = Annotated[
    float,
    typer.Option("--min-confidence", min=0.0, max=1.0, metavar="SHARE", help="Count less sure verdicts as unread."),
]
EngineName = Annotated[
    str,
    typer.Option("--engine", metavar="ENGINE", help="Where it runs: local, or ray[:ADDRESS] for a Ray cluster."),
]
Contexts = Annotated[
    list[str] | None,
    typer.Option(
        "--context",
        metavar="joined|given|none",
        help="How the sentence before is given, where a set has one; several: what context is worth.",
    ),
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
References = Annotated[
    list[str] | None,
    typer.Option(
        "--reference",
        metavar="NAME|CSV",
        help="What occupations are compared with: us-acs-2018 (default), another shipped table, or a CSV file.",
    ),
]
