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
    from epicene.sets import files as published

    entries = published.entries()
    width = max(len(entry.name) for entry in entries)
    for entry in entries:
        missing = published.list_missing(entry)
        state = "here" if not missing else "not here" if len(missing) == len(entry.files) else "in part"
        typer.echo(f"{entry.name:<{width}}  {state:<9} {entry.title}")
        if state == "in part":
            named = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
            typer.echo(f"{'':<{width}}            without {named}")


@app.command()
def get(name: Annotated[str, typer.Argument(metavar="SET")]) -> None:
    """Download a published set: address and checksum are known, the file appears whole or not at all.

    Example: epicene data get winomt
    """
    from epicene.sets import files as published

    typer.echo(f"{name}: {published.get(name)}")


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="SET")],
    path: Annotated[Path, typer.Argument(metavar="PATH")],
    copy: Annotated[bool, typer.Option("--copy", help="winost: copy the recordings, else they stay in PATH.")] = False,
) -> None:
    """Add a published set from files that are here already.

    Example: epicene data add winomt mt_gender/data/aggregates
    """
    from epicene.sets import files as published
    from epicene.speech import recordings

    published.entry(name)
    if name in recordings.SPOKEN:
        typer.echo(f"{name}: {_add_recordings(name, path, copy)}")
        return
    typer.echo(f"{name}: {published.add(name, path)}")


def _add_recordings(name: str, path: Path, copy: bool) -> Path:
    from epicene.cli.progress import progress
    from epicene.flow import plan
    from epicene.speech import recordings

    spoken, *_ = recordings.SPOKEN[name]
    challenge = plan.open_set(spoken)
    items = challenge.items(plan.open_pair("en-de", challenge))
    with progress("checking") as bar:
        return recordings.add(name, path, [(item.id, item.source) for item in items], copy, bar)
