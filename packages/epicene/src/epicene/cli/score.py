"""``epicene score``: measure translations that lie in files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.options import (
    Anyway,
    Contexts,
    Langs,
    Metrics,
    MinConfidence,
    OutputFormat,
    Protocol,
    ProtocolName,
    References,
    ReferenceText,
    SetName,
)
from epicene.output.render import Format

if TYPE_CHECKING:
    from epicene.types import Verdict

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
    contexts: Contexts = None,
    metrics: Metrics = None,
    reference_text: ReferenceText = None,
    min_confidence: MinConfidence = 0.0,
    anyway: Anyway = False,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Score files of translations on a challenge set.

    Example: epicene score -t simplegen -l en-de -i hyp.de --protocol paper

    Example: epicene score -t occupations -l hu-en -i hyp.en --reference us-acs-2018 --reference census.csv

    Example: epicene score -t mt-geneval-context -l en-de -i both.de --context joined -i alone.de --context none
    """
    from epicene.api import score_file
    from epicene.cli.show import show
    from epicene.errors import InputError
    from epicene.files import apart
    from epicene.flow.context import in_context, with_worth
    from epicene.store.jsonl import verdict_file

    apart([verdicts], [*inputs, *(reference_text or ()), set_name.partition(":")[2]])
    if contexts and len(contexts) not in (1, len(inputs)):
        raise InputError(f"{len(contexts)} contexts for {len(inputs)} files; give --context once, or once for each -i")
    names = [in_context(set_name, each) for each in contexts or [""]]
    names *= 1 if len(names) == len(inputs) else len(inputs)
    results = []
    with verdict_file(verdicts) as write_verdict:
        for name, path in zip(names, inputs, strict=True):
            kept: list[Verdict] = []

            def sink(verdict: Verdict, kept: list[Verdict] = kept) -> None:
                if write_verdict:
                    write_verdict(verdict)
                if contexts:
                    kept.append(verdict)

            result = score_file(
                name,
                langs,
                path,
                protocol.value,
                sink,
                references or (),
                anyway,
                min_confidence,
                metrics or (),
                reference_text or (),
            )
            results.append(replace(result, verdicts=tuple(kept)))
    show(with_worth(results, by_system=False) if contexts else results, output)
