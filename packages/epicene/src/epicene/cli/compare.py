"""``epicene compare``: paired tests between systems, two or many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from epicene.cli.command import OutputFormat, Several, Without, argument, command, option
from epicene.cli.options import progress, warn
from epicene.errors import InputError
from epicene.options import Scoring
from epicene.output.render import Format
from epicene.output.table import Answer, Listing, Table

app = typer.Typer()


@command(app)
def compare(
    scoring: Annotated[Scoring, Without("contexts", "min_confidence")],
    entries: Annotated[
        Several,
        argument(
            "RUN_OR_HYP...", "Run folders, files of translations, folders of such files, or out/{system}/{pair}.txt."
        ),
    ] = (),
    systems: Annotated[
        Several, option("-s, --system SYSTEM", "The same, as file:HYP or file:out/{system}/{pair}.txt.")
    ] = (),
    sets: Annotated[Several, option("-t, --set SET", "Test set that the files translate.")] = (),
    langs: Annotated[Several, option("-l, --langs PAIR", "Language pair. Default: taken from the file names.")] = (),
    measures: Annotated[Several, option("--measure MEASURE", "For many systems: women, men, right or feminine.")] = (),
    pairs: Annotated[
        bool | None, option("--pairs/--matrix", "Compare each system with the first, or show all systems in one table.")
    ] = None,
    output_format: OutputFormat = Format.TEXT,
) -> Iterator[Answer]:
    """Compare systems on the same sentences, with CIs clustered by occupation and p adjusted with Holm's method.

    Two systems are compared group by group, several in one table of systems and languages. If a set leaves the gender
    open, the share of feminine translations is compared.

    Example: epicene compare -t simplegen -l en-de float.de int8.de

    Example: epicene compare -t winomt -s 'file:out/{system}/{pair}.txt' -f markdown
    """
    from epicene.compare.entrants import Scorer
    from epicene.compare.pairs import compare as compare_entries
    from epicene.compare.pairs import name_with_references
    from epicene.compare.sources import collect_entrants, name_many
    from epicene.compare.table import matrices

    sources = [*entries, *(name.removeprefix("file:") for name in systems)]
    if not sources:
        raise InputError("nothing to compare; give run folders, files of translations, or folders of such files")
    if pairs is None:
        pairs = not (name_many(sources) or measures) and len(sets) < 2 and len(langs) < 2
    if pairs:
        name, pair = (names[0] if names else None for names in (sets, langs))
        yield from compare_entries(sources, name, pair, scoring)
        return
    if scoring.references:
        sets = tuple(name_with_references(name, scoring.references) for name in sets or [""])
    with progress("scoring") as bar:
        collected = collect_entrants(sources, sets, langs, Scorer(scoring.protocol, scoring.anyway), bar)
    made = matrices(collected.entrants, measures or None)
    if not made:
        known = ", ".join(matrices(collected.entrants))
        raise InputError(f"no {', '.join(measures)} in these sets; known: {known}")
    more = list(made)[1:] if output_format is Format.TEXT and not measures else []
    yield from (matrix for name, matrix in made.items() if name not in more)
    if more:
        yield Listing((Table(f"more: {' '.join(f'--measure {name}' for name in more)}"),))
    for problem in collected.problems:
        warn(f"epicene: {problem}")
    if collected.exit_code:
        raise typer.Exit(collected.exit_code)
