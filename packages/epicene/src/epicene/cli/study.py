"""``epicene study``: a paper's tables, ours beside the published figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import command
from epicene.cli.options import Anyway
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def study(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Name of the study. Default: list all studies.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME=PATH", help="Input of the study; the study lists its inputs."),
    ] = None,
    charts: Annotated[
        Path | None, typer.Option("--charts", metavar="FILE", help="Plot the study's figures to an .svg or .json file.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Print all tables and notes. Default: the answer and the paper's main tables.")
    ] = False,
    anyway: Anyway = False,
) -> Iterator[Answer]:
    """Print the tables of a paper with our figures next to the published ones, for the inputs you have.

    Example: epicene study weat -i glove=glove.840B.300d.txt

    Example: epicene study occupations -i translations=hyp.en -i census=census.csv --charts figures.svg
    """
    from epicene.output.table import Column, Listing, Table
    from epicene.studies import STUDIES

    if name is None:
        columns = (Column("name"), Column("title", wraps=True))
        yield Listing((Table("", columns, tuple((name, STUDIES.find(name).title) for name in STUDIES.names())),))
        return
    plan = STUDIES.find(name)
    if charts:
        from epicene.output.charts.vega import check_path

        check_path(charts)
    given = _named(inputs or [], plan.inputs, bool(plan.more), plan.again)
    if plan.prepare:
        from epicene.cli.options import progress

        with progress("working") as bar:
            plan.prepare(given, bar)
    found = (plan.anyway if anyway and plan.anyway else plan.run)(given)
    yield found if everything else found.shorten()
    if charts:
        from epicene.output.charts.study import write

        write(found, charts)
    if not found.signatures:
        from epicene.errors import EvidenceError

        raise EvidenceError(f"study {name}: no input was found, so only published figures are shown")


def _named(inputs: list[str], known: Mapping[str, str], more: bool, again: Sequence[str]) -> dict[str, str]:
    from epicene.errors import InputError, UnknownNameError

    found: dict[str, str] = {}
    for given in inputs:
        name, equals, path = given.partition("=")
        if not equals or not path:
            raise InputError(f"-i {given}: expected NAME=PATH with a name of {', '.join(known)}")
        if name in found and name in again:
            name = next(new for number in count(2) if (new := f"{name} {number}") not in found)
        elif name in found:
            raise InputError(f"-i {given}: {name} was given before ({found[name]}); expected each name once")
        elif name not in known and not more:
            raise UnknownNameError("input", name, known)
        found[name] = path
    return found
