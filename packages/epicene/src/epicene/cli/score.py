"""``epicene score``: measure translations that lie in files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.command import Several, command, option
from epicene.cli.options import AnyLangs, AnySet, is_piped, note
from epicene.errors import InputError
from epicene.files import refuse_overwrite
from epicene.options import Scoring
from epicene.output.table import Answer, Listing, Table, flatten_record

if TYPE_CHECKING:
    from epicene.sets import TestSet
    from epicene.types import Verdict

app = typer.Typer()
ScoreOnly = Annotated[
    bool,
    option(
        "-b, --score-only",
        "Print only the first number of the table: the percentage of women misgendered or, if no gender is stated, of "
        "masculine translations.",
    ),
]


@command(app)
def score(
    set_name: AnySet = None,
    langs: AnyLangs = None,
    inputs: Annotated[
        Several, option("-i, --input HYP", "Translations, one per line in source order. Default: stdin.")
    ] = (),
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    system: Annotated[Several, option("--name NAME", "Name of the system in the results; once for each -i.")] = (),
    verdicts: Annotated[
        Path | None, option("--verdicts FILE.jsonl", "Write the verdict for each sentence to this file.")
    ] = None,
    score_only: ScoreOnly = False,
    list_all: Annotated[bool, option("--list", "List the test sets and exit.")] = False,
    cite: Annotated[bool, option("--cite", "Print the BibTeX entry of the test set and exit.")] = False,
) -> Iterator[Answer]:
    """Score files of translations on a test set.

    Example: epicene score -t simplegen -l en-de -i hyp.de --protocol paper

    Example: cat hyp.de | epicene score -t winomt -l en-de -q -b

    Example: epicene score -t occupations -l hu-en -i hyp.en --reference us-acs-2018 --reference census.csv

    Example: epicene score -t mt-geneval-context -l en-de -i both.de --context joined -i alone.de --context none
    """
    from epicene.flow.score import score_file
    from epicene.store.records import verdict_file

    if list_all or cite:
        from epicene.cli import sets

        yield from sets.list_sets() if list_all else sets.cite(_demand(set_name, "-t SET; --list shows them"))
        return
    set_name = _demand(set_name, "-t SET; --list shows them")
    langs = _demand(langs, "-l PAIR, such as -l en-de")
    if not inputs:
        inputs = (_demand("-" if is_piped() else None, "-i HYP, or pipe the translations to it"),)
    contexts = scoring.contexts
    refuse_overwrite([verdicts], [*inputs, *scoring.reference_text, set_name.partition(":")[2]])
    if contexts and len(contexts) not in (1, len(inputs)):
        raise InputError(f"{len(contexts)} contexts for {len(inputs)} files; give --context once, or once for each -i")
    if system and len(system) != len(inputs):
        raise InputError(f"{len(system)} names for {len(inputs)} files; give --name once for each -i")
    names: list[str | TestSet] = [set_name]
    if contexts:
        from epicene.flow.context import add_worth, name_in_context

        names = [name_in_context(set_name, context) for context in contexts]
    names *= 1 if len(names) == len(inputs) else len(inputs)
    results = []
    with verdict_file(verdicts) as write_verdict:
        for name, path, called in zip(names, inputs, system or ("",) * len(inputs), strict=True):
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
    answers = add_worth(results, by_system=False) if contexts else results
    if not score_only:
        yield from answers
        return
    for result in results:
        for warning in result.warnings:
            note(f"Warning: {warning}")
    measures = [result.headline for result in results]
    numbers = Table("\n".join(f"{measure:.1f}" for measure in measures))
    yield Listing((numbers,), tuple(flatten_record(measure.as_dict()) for measure in measures))


def _demand(value: str | None, what: str) -> str:

    if value is None:
        raise InputError(f"score needs {what}")
    return value
