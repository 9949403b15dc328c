"""``epicene score``: measure translations that lie in files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.options import Format, Langs, OutputFormat, Protocol, ProtocolName, References, SetName

app = typer.Typer()


@app.command()
def score(
    set_name: SetName,
    langs: Langs,
    inputs: Annotated[
        list[str],
        typer.Option("--input", "-i", metavar="HYP", help="Translations, one a line in source order; - is stdin."),
    ],
    protocol: ProtocolName = Protocol.EPICENE,
    verdicts: Annotated[
        Path | None,
        typer.Option("--verdicts", metavar="FILE.jsonl", help="Write what was read from each sentence."),
    ] = None,
    references: References = None,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Score files of translations on a challenge set.

    Example: epicene score -t simplegen -l en-de -i hyp.de --protocol paper

    Example: epicene score -t occupations -l hu-en -i hyp.en --reference us-acs-2018 --reference census.csv
    """
    from epicene.api import score_file
    from epicene.cli.show import show
    from epicene.store.jsonl import verdict_file

    with verdict_file(verdicts) as sink:
        results = [score_file(set_name, langs, path, protocol.value, sink, references or ()) for path in inputs]
    show(results, output.value)
