"""``epicene score``: measure translations that lie in files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.command import command
from epicene.cli.options import Langs, SetName
from epicene.options import Scoring
from epicene.output.table import Answer

if TYPE_CHECKING:
    from epicene.sets import TestSet
    from epicene.types import Verdict

app = typer.Typer()


@command(app)
def score(
    set_name: SetName,
    langs: Langs,
    inputs: Annotated[
        list[str],
        typer.Option("--input", "-i", metavar="HYP", help="Translations, one per line in source order; - is stdin."),
    ],
    scoring: Scoring,
    system: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="Name of the system in the results; once for each -i."),
    ] = None,
    verdicts: Annotated[
        Path | None,
        typer.Option("--verdicts", metavar="FILE.jsonl", help="Write the verdict for each sentence to this file."),
    ] = None,
) -> Iterator[Answer]:
    """Score files of translations on a test set.

    Example: epicene score -t simplegen -l en-de -i hyp.de --protocol paper

    Example: epicene score -t occupations -l hu-en -i hyp.en --reference us-acs-2018 --reference census.csv

    Example: epicene score -t mt-geneval-context -l en-de -i both.de --context joined -i alone.de --context none
    """
    from epicene.errors import InputError
    from epicene.files import apart
    from epicene.flow.score import score_file
    from epicene.store.records import verdict_file

    contexts = scoring.contexts
    apart([verdicts], [*inputs, *scoring.reference_text, set_name.partition(":")[2]])
    if contexts and len(contexts) not in (1, len(inputs)):
        raise InputError(f"{len(contexts)} contexts for {len(inputs)} files; give --context once, or once for each -i")
    if system and len(system) != len(inputs):
        raise InputError(f"{len(system)} names for {len(inputs)} files; give --name once for each -i")
    names: list[str | TestSet] = [set_name]
    if contexts:
        from epicene.flow.context import in_context, with_worth

        names = [in_context(set_name, context) for context in contexts]
    names *= 1 if len(names) == len(inputs) else len(inputs)
    results = []
    with verdict_file(verdicts) as write_verdict:
        for name, path, called in zip(names, inputs, system or [""] * len(inputs), strict=True):
            stored: list[Verdict] = []

            def sink(verdict: Verdict, stored: list[Verdict] = stored) -> None:
                if write_verdict:
                    write_verdict(verdict)
                if contexts:
                    stored.append(verdict)

            result = score_file(name, langs, path, scoring, sink)
            if called:
                result = replace(result, system=called, identity=result.system)
            results.append(replace(result, verdicts=tuple(stored)))
    yield from with_worth(results, by_system=False) if contexts else results
