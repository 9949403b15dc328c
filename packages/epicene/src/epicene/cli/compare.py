"""``epicene compare``: paired tests between systems, two or many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from epicene.cli.command import OutputFormat, Without, command
from epicene.options import Scoring
from epicene.output.render import Format
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def compare(
    scoring: Annotated[Scoring, Without("contexts", "min_confidence")],
    entries: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN_OR_HYP...",
            help="Run folders, files of translations, folders of such files, or out/{system}/{pair}.txt.",
        ),
    ] = None,
    systems: Annotated[
        list[str] | None,
        typer.Option("--system", "-s", metavar="SYSTEM", help="The same, as file:HYP or file:out/{system}/{pair}.txt."),
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", "-t", metavar="SET", help="Test set that the files translate.")
    ] = None,
    langs: Annotated[
        list[str] | None,
        typer.Option("--langs", "-l", metavar="PAIR", help="Language pair. Default: taken from the file names."),
    ] = None,
    measures: Annotated[
        list[str] | None,
        typer.Option("--measure", metavar="MEASURE", help="For many systems: women, men, right or feminine."),
    ] = None,
    pairs: Annotated[
        bool | None,
        typer.Option("--pairs/--matrix", help="Compare each system with the first, or show all systems in one table."),
    ] = None,
    output_format: OutputFormat = Format.TEXT,
) -> Iterator[Answer]:
    """Compare systems on the same sentences, with CIs clustered by occupation and p adjusted with Holm's method.

    Two systems are compared group by group, several in one table of systems and languages. If a set leaves the gender
    open, the share of feminine translations is compared.

    Example: epicene compare -t simplegen -l en-de float.de int8.de

    Example: epicene compare -t winomt -s 'file:out/{system}/{pair}.txt' -f markdown
    """
    from epicene.cli.options import progress, warn
    from epicene.compare.entrants import Scorer
    from epicene.compare.pairs import compare as compare_entries
    from epicene.compare.pairs import name_with_references
    from epicene.compare.sources import collect_entrants, name_many
    from epicene.compare.table import matrices
    from epicene.errors import InputError
    from epicene.output.table import Listing, Table

    sources = [*(entries or ()), *(name.removeprefix("file:") for name in systems or ())]
    if not sources:
        raise InputError("nothing to compare; give run folders, files of translations, or folders of such files")
    if pairs is None:
        pairs = not (name_many(sources) or measures) and len(sets or ()) < 2 and len(langs or ()) < 2
    if pairs:
        name, pair = (names[0] if names else None for names in (sets, langs))
        yield from compare_entries(sources, name, pair, scoring)
        return
    if scoring.references:
        sets = [name_with_references(name, scoring.references) for name in sets or [""]]
    with progress("scoring") as bar:
        collected = collect_entrants(sources, sets or (), langs or (), Scorer(scoring.protocol, scoring.anyway), bar)
    made = matrices(collected.entrants, measures)
    if not made:
        known = ", ".join(matrices(collected.entrants))
        raise InputError(f"no {', '.join(measures or ())} in these sets; known: {known}")
    more = list(made)[1:] if output_format is Format.TEXT and not measures else []
    yield from (matrix for name, matrix in made.items() if name not in more)
    if more:
        yield Listing((Table(f"more: {' '.join(f'--measure {name}' for name in more)}"),))
    for problem in collected.problems:
        warn(f"epicene: {problem}")
    if collected.exit_code:
        raise typer.Exit(collected.exit_code)
