"""``epicene study``: a paper's tables, ours beside the published figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.options import Format, OutputFormat

if TYPE_CHECKING:
    from epicene.studies._study import Study

app = typer.Typer()


@app.command()
def study(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The study; without one, all are listed.")] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME=PATH", help="What the study is computed from; see its own list."),
    ] = None,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Print the tables of a paper with our figures beside the published ones, for whatever inputs are there.

    Example: epicene study weat -i glove=glove.840B.300d.txt
    """
    from epicene import registry

    if name is None:
        for each in registry.names("studies"):
            typer.echo(f"{each:<12} {registry.find('studies', each).TITLE}")
        return
    module = registry.find("studies", name)
    found: Study = module.run(_named(inputs or [], module.INPUTS))
    _show(found, output)
    if not found.signatures:
        from epicene.errors import EvidenceError

        raise EvidenceError(f"study {name}: no input was found, so only published figures are shown")


def _named(inputs: list[str], known: dict[str, str]) -> dict[str, str]:
    from epicene.errors import InputError, UnknownNameError

    found = {}
    for given in inputs:
        name, equals, path = given.partition("=")
        if not equals or not path:
            raise InputError(f"-i {given}: expected NAME=PATH with a name of {', '.join(known)}")
        if name not in known:
            raise UnknownNameError("input", name, known)
        found[name] = path
    return found


def _show(found: Study, output: Format) -> None:
    from epicene.report import study as report
    from epicene.report import tables

    if output is Format.JSON:
        typer.echo(tables.as_json([found.as_dict()]))
        return
    if output is Format.LATEX:
        typer.echo(report.as_latex(found))
        return
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    console.print(found.title)
    for table in found.tables:
        console.print(f"\n{table.title}")
        console.print(report.study_table(table))
        for note in table.notes:
            console.print(f"- {note}")
    for name, how in found.missing.items():
        console.print(f"not here: {name}: {how}")
    for signature in found.signatures:
        console.print(signature, style="dim", soft_wrap=True)
