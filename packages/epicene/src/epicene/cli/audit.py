"""``epicene audit``: translate, score and report in one go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import Several, command, option
from epicene.cli.options import EstimateOnly, Estimates, progress, warn, warn_of_prices
from epicene.errors import InputError
from epicene.options import Asking, Scoring
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def audit(
    scoring: Scoring,
    asking: Asking,
    sets: Annotated[
        Several, option("-t, --set SET", "Test set; all-natural: every set of natural text. Default: simplegen.")
    ] = (),
    langs: Annotated[Several, option("-l, --langs PAIR", "Language pair. Default: en-de and en-es.")] = (),
    systems: Annotated[Several, option("-s, --system SYSTEM", "System to test. Default: bundled.")] = (),
    names: Annotated[Several, option("--name NAME", "Name of the system in the results; once for each -s.")] = (),
    folder: Annotated[Path, option("-o, --output DIR", "Folder for the run.")] = Path("epicene-run"),
    estimate: EstimateOnly = False,
    force: Annotated[bool, option("--force", "Overwrite a run of another task in -o DIR.")] = False,
) -> Iterator[Answer]:
    """Translate test sets with one or more systems, score the translations and write a report.

    Example: epicene audit -t simplegen -l en-de -s ctranslate2:my-model -o runs/my-model

    Files of many systems: epicene audit -t winomt -l en-de -s 'file:out/{system}/{pair}.txt'

    Services cost money; start with: epicene audit -s deepl --estimate, then use --budget 20 or --sample 500.
    """
    from epicene.flow import audit as flow
    from epicene.flow import plan
    from epicene.flow.translate import estimate as price

    if names and len(names) != len(systems):
        raise InputError(f"{len(names)} names for {len(systems)} systems; give --name once for each -s")
    sets, langs = sets or flow.DEFAULT_SETS, langs or flow.DEFAULT_LANGS
    systems = systems or flow.DEFAULT_SYSTEMS
    labels = names or ("",) * len(systems)
    named = [
        pair for spec_and_label in zip(systems, labels, strict=True) for pair in _expand(*spec_and_label, sets, langs)
    ]
    by_name = {label or spec: spec for spec, label in named}
    if len(by_name) < len(set(named)):
        raise InputError("two systems have the same name; give each its own --name")
    if estimate or asking.budget is not None:
        tasks = product(plan.expand_tasks(sets, langs, scoring.contexts), by_name.values())
        estimates = [price(name, pair, system, asking) for (name, pair), system in tasks]
        warn_of_prices(estimates)
        if estimate:
            yield Estimates(tuple(estimates), tuple(_describe_samples(sets, langs, asking)))
            return
    with progress("translating") as bar:
        run = flow.audit(sets, langs, by_name, folder, scoring, replace(asking, progress=bar), force)
    yield run
    if any(result.by_bundled for result in run.results):
        warn("warning: bundled is a small model for demonstration; these results say nothing about other translators")
    warn(f"report: {folder / flow.REPORT}")
    for failure in run.failures:
        warn(f"failed: {failure}")
    if run.failures:
        raise typer.Exit(run.failures[0].exit_code)


def _expand(spec: str, label: str, sets: Sequence[str], langs: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A system and what it is called; of ``file:out/{system}/{pair}.txt`` every system for which there are files."""
    if "{system}" not in spec:
        yield spec, label
        return
    from epicene.compare.sources import find_files

    for system in dict.fromkeys(place.system for place in find_files(spec, sets, langs).places):
        yield spec.replace("{system}", system), system


def _describe_samples(sets: Sequence[str], langs: Sequence[str], asking: Asking) -> list[str]:
    """What intervals a sample of each set can give; nothing where the whole set is taken."""
    from epicene.flow import plan
    from epicene.flow.sample import open_sample

    sample, notes = open_sample(asking), dict[str, None]()
    for name, pair in plan.expand_tasks(sets, langs) if sample else ():
        test_set = plan.open_set(name)
        items = list(test_set.items(plan.open_pair(pair, test_set)))
        if sample and len(items) > sample.size:
            notes[f"{test_set.name}: {sample.note(items, test_set.measures)}"] = None
    return list(notes)
