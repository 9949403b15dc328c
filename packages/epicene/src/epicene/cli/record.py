"""``epicene record``: the public record of many systems from published outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.command import Several, argument, command, option
from epicene.cli.options import Anyway, progress, warn
from epicene.files import locate_data, write_atomically
from epicene.output.table import Answer

if TYPE_CHECKING:
    from epicene.record.build import Record

app = typer.Typer()


@command(app)
def record(
    paths: Annotated[
        Several,
        argument(
            "[build SOURCES...]",
            "A folder of published sources by their names, NAME=PATH of one source, or a record.json. "
            "Default: $EPICENE_HOME/record.",
        ),
    ] = (),
    folder: Annotated[Path | None, option("-o, --output DIR", "Folder for record.json, .csv, .md and .html.")] = None,
    everything: Annotated[bool, option("--all", "Print all tables. Default: the answer and the main table.")] = False,
    anyway: Anyway = False,
) -> Iterator[Answer]:
    """Show how often systems misgender women and men, with CIs, signatures and published figures.

    Without arguments, this prints the record that comes with epicene. With "build", it scores published outputs
    again; those that the same reader has read before are not read again.

    Example: epicene record build winomt-2019=mt_gender -o record

    Example: epicene record build sources -o record
    """
    from epicene.record import build as stage

    if paths:
        paths = paths[paths[0] == "build" :] or (str(locate_data("record")),)  # until 0.3, sources were given alone
        with progress("scoring") as bar:
            result = stage.build(paths, anyway, bar)
    else:
        result = stage.Record(stage.shipped(), [])
    if folder:
        _write(folder, result)
    yield replace(result, short=not everything)
    for problem in result.problems:
        warn(f"epicene: {problem}")
    if folder:
        warn(f"record: {folder / 'record.html'}")
    if result.exit_code:
        raise typer.Exit(result.exit_code)


def _write(folder: Path, result: Record) -> None:
    import json

    from epicene.output.render import Format, render
    from epicene.record.page import write_page

    with write_atomically(folder / "record.json") as stream:
        json.dump(result.as_dict(), stream, ensure_ascii=False, separators=(",", ":"))
        stream.write("\n")
    for name, how in (("record.csv", Format.CSV), ("record.md", Format.MARKDOWN)):
        with write_atomically(folder / name) as stream:
            stream.write(render([result], how) + "\n")
    write_page(folder / "record.html", result.parts)
