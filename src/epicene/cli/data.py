"""``epicene data``: published sets on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="List, download and add published sets.")


@app.command("list")
def list_data() -> None:
    """List the published sets that are not shipped, and whether they are on this machine.

    Example: epicene data list
    """
    from epicene.data import published

    for entry in published.entries():
        state = "here" if published.is_here(entry) else "not here"
        typer.echo(f"{entry.name:<12} {state:<9} {entry.title}")


@app.command()
def get(name: Annotated[str, typer.Argument(metavar="SET")]) -> None:
    """Download a published set: address and checksum are known, the file appears whole or not at all.

    Example: epicene data get winomt
    """
    from epicene.data import published

    typer.echo(f"{name}: {published.get(name)}")


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="SET")], path: Annotated[Path, typer.Argument(metavar="PATH")]
) -> None:
    """Add a published set from files that are here already.

    Example: epicene data add winomt mt_gender/data/aggregates
    """
    from epicene.data import published

    typer.echo(f"{name}: {published.add(name, path)}")
