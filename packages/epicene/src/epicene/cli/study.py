"""``epicene study``: a paper's tables, ours beside the published figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.command import Several, argument, command, option
from epicene.cli.options import Anyway, progress
from epicene.errors import EvidenceError, InputError, UnknownNameError
from epicene.output.table import Answer, Column, Listing, Table

if TYPE_CHECKING:
    from epicene.studies import StudyPlan

app = typer.Typer()


@command(app)
def study(
    name: Annotated[str | None, argument("NAME", "Name of the study. Default: list all studies.")] = None,
    inputs: Annotated[Several, option("-i, --input NAME=PATH", "Input of the study; the study lists its inputs.")] = (),
    charts: Annotated[
        Path | None, option("--charts FILE", "Plot the study's figures to an .svg or .json file.")
    ] = None,
    everything: Annotated[
        bool, option("--all", "Print all tables and notes. Default: the answer and the paper's main tables.")
    ] = False,
    anyway: Anyway = False,
) -> Iterator[Answer]:
    """Print the tables of a paper with our figures next to the published ones, for the inputs you have.

    The studies come with: pip install epicene-lab

    Example: epicene study weat -i glove=glove.840B.300d.txt

    Example: epicene study occupations -i translations=hyp.en -i census=census.csv --charts figures.svg
    """
    from epicene.studies import STUDIES

    if name is None:
        columns = (Column("name"), Column("title", wraps=True))
        rows = tuple((study_name, STUDIES.find(study_name).title) for study_name in STUDIES.names())
        yield Listing((Table("", columns, rows) if rows else Table(notes=(STUDIES.hint,)),))
        return
    plan = STUDIES.find(name)
    if charts:
        from epicene.output.charts.vega import check_path

        check_path(charts)
    paths = _parse_inputs(inputs, plan)
    if plan.prepare:
        with progress("working") as bar:
            plan.prepare(paths, bar)
    answer = (plan.anyway if anyway and plan.anyway else plan.run)(paths)
    yield answer if everything else answer.shorten()
    if charts:
        from epicene.output.charts.study import write

        write(answer, charts)
    if not answer.signatures:
        raise EvidenceError(f"study {name}: no input was found, so only published figures are shown")


def _parse_inputs(inputs: Sequence[str], plan: StudyPlan) -> dict[str, str]:
    paths: dict[str, str] = {}
    for typed in inputs:
        name, equals, path = typed.partition("=")
        if not equals or not path:
            raise InputError(f"-i {typed}: expected NAME=PATH with a name of {', '.join(plan.inputs)}")
        if name in paths and name in plan.again:
            name = next(numbered for number in count(2) if (numbered := f"{name} {number}") not in paths)
        elif name in paths:
            raise InputError(f"-i {typed}: {name} was given before ({paths[name]}); expected each name once")
        elif name not in plan.inputs and not plan.more:
            raise UnknownNameError("input", name, plan.inputs)
        paths[name] = path
    return paths
