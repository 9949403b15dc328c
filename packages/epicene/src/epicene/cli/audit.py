"""``epicene audit``: translate, score and report in one go."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.money import Budget, EstimateOnly, SampleSize, Seed, Since
from epicene.cli.options import (
    Anyway,
    Contexts,
    EngineName,
    Metrics,
    MinConfidence,
    OutputFormat,
    Protocol,
    ProtocolName,
    References,
    ReferenceText,
)
from epicene.output.render import Format

app = typer.Typer()


@app.command()
def audit(
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", "-t", metavar="SET", help="Default: simplegen; all-natural: every set of natural text."),
    ] = None,
    langs: Annotated[
        list[str] | None, typer.Option("--langs", "-l", metavar="PAIR", help="Default: en-de en-es.")
    ] = None,
    systems: Annotated[
        list[str] | None, typer.Option("--system", "-s", metavar="SYSTEM", help="Default: bundled.")
    ] = None,
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the run is kept.")] = Path(
        "epicene-run"
    ),
    protocol: ProtocolName = Protocol.EPICENE,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep translations.")] = False,
    references: References = None,
    estimate: EstimateOnly = False,
    budget: Budget = None,
    sample: SampleSize = None,
    seed: Seed = 1,
    since: Since = "",
    engine: EngineName = "local",
    contexts: Contexts = None,
    metrics: Metrics = None,
    reference_text: ReferenceText = None,
    min_confidence: MinConfidence = 0.0,
    anyway: Anyway = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the run of another task in -o DIR.")] = False,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Translate challenge sets with one or more systems, score the translations and write a report.

    Example: epicene audit -t simplegen -l en-de -s ctranslate2:my-model -o runs/my-model

    A service costs money: epicene audit -s deepl --estimate, then --budget 20 or --sample 500.
    """
    from epicene import api
    from epicene.cli.progress import progress
    from epicene.cli.show import show

    chosen = sets or api.DEFAULT_SETS, langs or api.DEFAULT_LANGS, systems or api.DEFAULT_SYSTEMS
    if estimate or budget is not None:
        from epicene.cli.money import show_estimates, warn
        from epicene.flow import plan

        found = [
            api.estimate(name, pair, system, sample, seed, since, not no_cache)
            for (name, pair), system in product(plan.chosen(*chosen[:2], contexts or ()), chosen[2])
        ]
        warn(found)
    if estimate:
        show_estimates(found, output.value, api.sample_notes(*chosen[:2], sample, seed))
        return
    with progress("translating") as bar:
        run = api.audit(
            *chosen,
            protocol.value,
            folder,
            cached=not no_cache,
            progress=bar,
            references=references or (),
            budget=budget,
            sample=sample,
            seed=seed,
            since=since,
            engine=engine,
            anyway=anyway,
            min_confidence=min_confidence,
            metrics=metrics or (),
            reference_text=reference_text or (),
            force=force,
            contexts=contexts or (),
        )
    show(run.results, output.value)
    if output is Format.TEXT and any(result.by_bundled for result in run.results):
        typer.echo("bundled is a small model for first steps: no finding about other translators")
    typer.echo(f"report: {folder / 'report.html'}", err=output is not Format.TEXT)
