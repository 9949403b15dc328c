"""``epicene audit``: translate, score and report in one go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import command
from epicene.cli.options import EstimateOnly, Estimates, warn, warn_of_prices
from epicene.options import Asking, Scoring
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def audit(
    scoring: Scoring,
    asking: Asking,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set", "-t", metavar="SET", help="Test set; all-natural: every set of natural text. Default: simplegen."
        ),
    ] = None,
    langs: Annotated[
        list[str] | None, typer.Option("--langs", "-l", metavar="PAIR", help="Language pair. Default: en-de and en-es.")
    ] = None,
    systems: Annotated[
        list[str] | None, typer.Option("--system", "-s", metavar="SYSTEM", help="System to test. Default: bundled.")
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="Name of the system in the results; once for each -s."),
    ] = None,
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the run.")] = Path(
        "epicene-run"
    ),
    estimate: EstimateOnly = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a run of another task in -o DIR.")] = False,
) -> Iterator[Answer]:
    """Translate test sets with one or more systems, score the translations and write a report.

    Example: epicene audit -t simplegen -l en-de -s ctranslate2:my-model -o runs/my-model

    Files of many systems: epicene audit -t winomt -l en-de -s 'file:out/{system}/{pair}.txt'

    Services cost money; start with: epicene audit -s deepl --estimate, then use --budget 20 or --sample 500.
    """
    from epicene.cli.options import progress
    from epicene.errors import InputError
    from epicene.flow import audit as flow
    from epicene.flow import plan
    from epicene.flow.translate import estimate as price

    called = names or [""] * len(systems or [])
    if len(called) != len(systems or []):
        raise InputError(f"{len(called)} names for {len(systems or [])} systems; give --name once for each -s")
    named = [pair for own in zip(systems or [], called, strict=True) for pair in _expand(*own, sets, langs)]
    by_name = {label or spec: spec for spec, label in named or ((spec, "") for spec in flow.DEFAULT_SYSTEMS)}
    if named and len(by_name) < len(set(named)):
        raise InputError("two systems have the same name; give each its own --name")
    chosen = sets or flow.DEFAULT_SETS, langs or flow.DEFAULT_LANGS, by_name
    if estimate or asking.budget is not None:
        tasks = product(plan.expand_tasks(*chosen[:2], scoring.contexts), by_name.values())
        estimates = [price(name, pair, system, asking) for (name, pair), system in tasks]
        warn_of_prices(estimates)
        if estimate:
            yield Estimates(tuple(estimates), tuple(_describe_samples(*chosen[:2], asking)))
            return
    with progress("translating") as bar:
        run = flow.audit(*chosen, folder, scoring, replace(asking, progress=bar), force)
    yield run
    if any(result.by_bundled for result in run.results):
        warn("warning: bundled is a small model for demonstration; these results say nothing about other translators")
    warn(f"report: {folder / flow.REPORT}")
    for failure in run.failures:
        warn(f"failed: {failure}")
    if run.failures:
        raise typer.Exit(run.failures[0].exit_code)


def _expand(
    spec: str, label: str, sets: Sequence[str] | None, langs: Sequence[str] | None
) -> Iterator[tuple[str, str]]:
    """A system and what it is called; of ``file:out/{system}/{pair}.txt`` every system for which there are files."""
    if "{system}" not in spec:
        yield spec, label
        return
    from epicene.compare.sources import find_files
    from epicene.flow import audit as flow

    there = find_files(spec, sets or flow.DEFAULT_SETS, langs or flow.DEFAULT_LANGS)
    for system in dict.fromkeys(place.system for place in there.places):
        yield spec.replace("{system}", system), system


def _describe_samples(sets: Sequence[str], langs: Sequence[str], asking: Asking) -> list[str]:
    """What intervals a sample of each set can give; nothing where the whole set is taken."""
    from epicene.flow import plan
    from epicene.flow.sample import open_sample

    sample, notes = open_sample(asking), dict[str, None]()
    for name, pair in plan.expand_tasks(sets, langs) if sample else ():
        challenge = plan.open_set(name)
        items = list(challenge.items(plan.open_pair(pair, challenge)))
        if sample and len(items) > sample.size:
            notes[f"{challenge.name}: {sample.note(items, challenge.measures)}"] = None
    return list(notes)
