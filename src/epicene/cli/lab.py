"""``epicene lab``: train, speed up and measure small translation models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True)


@app.callback()
def lab() -> None:
    """Train, speed up and measure small translation models (extra lab)."""


@app.command()
def prepare(
    recipe: Annotated[str, typer.Option("--recipe", metavar="NAME", help="A recipe: paper, bundled, or a .toml file.")],
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="The folder of the Tatoeba files.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the jobs are written.")],
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="How many seeds.")] = 2,
) -> None:
    """Tokenise a recipe's corpora ahead, for a machine that has a GPU and nothing else.

    Example: epicene lab prepare --recipe paper --data parallel/ -o lab-data/study
    """
    from epicene.lab.recipe import load
    from epicene.workbench import prepare as prepare_jobs

    for line in prepare_jobs(load(recipe), data, output, range(1, seeds + 1)):
        typer.echo(line)
