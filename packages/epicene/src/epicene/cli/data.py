"""``epicene data``: published sets on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import argument, command, option
from epicene.cli.options import progress
from epicene.output.table import Answer, Column, Listing, Table

app = typer.Typer(
    no_args_is_help=True, help="List, download and add published sets.\n\nExample: epicene data get winomt"
)


@command(app, "list")
def list_data() -> Iterator[Answer]:
    """List the published test sets that are not included, and whether they are installed.

    Example: epicene data list
    """
    from epicene.sets import files as published

    entries = published.entries()
    rows = []
    for entry in entries:
        missing = published.list_missing(entry)
        state = "here" if not missing else "not here" if len(missing) == len(entry.files) else "in part"
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        lacking = f"\nwithout {', '.join(missing[:3])}{more}" if state == "in part" else ""
        rows.append((entry.name, state, entry.title + lacking))
    columns = (Column("name"), Column("state", wraps=True), Column("title", wraps=True))
    yield Listing((Table("", columns, tuple(rows)),))


@command(app)
def get(name: Annotated[str, argument("SET")]) -> Iterator[Answer]:
    """Download a published test set and verify its checksum.

    Example: epicene data get winomt
    """
    from epicene.sets import files as published

    yield _list_stored(name, published.get(name))


@command(app)
def add(
    name: Annotated[str, argument("SET")],
    path: Annotated[Path, argument("PATH")],
    copy: Annotated[bool, option("--copy", "For winost: copy the recordings. Default: leave them in PATH.")] = False,
) -> Iterator[Answer]:
    """Add a published test set from files on this machine.

    Example: epicene data add winomt mt_gender/data/aggregates
    """
    from epicene.sets import files as published
    from epicene.speech import recordings

    published.entry(name)
    spoken = name in recordings.SPOKEN
    yield _list_stored(name, _add_recordings(name, path, copy) if spoken else published.add(name, path))


def _add_recordings(name: str, path: Path, copy: bool) -> Path:
    from epicene.flow import plan
    from epicene.speech import recordings

    spoken, *_ = recordings.SPOKEN[name]
    challenge = plan.open_set(spoken)
    items = challenge.items(plan.open_pair("en-de", challenge))
    with progress("checking") as bar:
        return recordings.add(name, path, [(item.id, item.source) for item in items], copy, bar)


def _list_stored(name: str, path: Path) -> Listing:
    """Where a set lies now, in a line that stays whole."""
    return Listing((Table(f"{name}: {path}"),), ({"set": name, "path": str(path)},))
