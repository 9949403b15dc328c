"""``epicene compare``: paired tests between systems, two or many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from epicene.cli.options import Anyway, Metrics, OutputFormat, Protocol, ProtocolName, ReferenceText
from epicene.output.render import Format

app = typer.Typer()
_PAIRS = (Format.TEXT, Format.JSON, Format.LATEX)


@app.command()
def compare(
    entries: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN_OR_HYP...",
            help="Run folders, files of translations, folders of them, or out/{system}/{pair}.txt.",
        ),
    ] = None,
    systems: Annotated[
        list[str] | None,
        typer.Option("--system", "-s", metavar="SYSTEM", help="The same as file:HYP or file:out/{system}/{pair}.txt."),
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", "-t", metavar="SET", help="What the files translate.")
    ] = None,
    langs: Annotated[
        list[str] | None, typer.Option("--langs", "-l", metavar="PAIR", help="Default: as files are named.")
    ] = None,
    measures: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", metavar="MEASURE", help="Of many systems: women, men, right or feminine."),
    ] = None,
    pairs: Annotated[
        bool | None, typer.Option("--pairs/--matrix", help="Each with the first, or all systems in one table.")
    ] = None,
    protocol: ProtocolName = Protocol.EPICENE,
    anyway: Anyway = False,
    metrics: Metrics = None,
    reference_text: ReferenceText = None,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Compare systems on the same sentences: intervals and tests over occupations, all pairs corrected by Holm.

    Two are compared group by group, many in one table of systems and languages. Where a sentence leaves the gender
    open, who is written as a woman is compared.

    Example: epicene compare -t simplegen -l en-de float.de int8.de

    Example: epicene compare -t winomt -s 'file:out/{system}/{pair}.txt' -f markdown
    """
    from epicene.compare.sources import many
    from epicene.errors import InputError

    sources = [*(entries or ()), *(name.removeprefix("file:") for name in systems or ())]
    if not sources:
        raise InputError("nothing to compare; name run folders, files of translations, or folders of them")
    if pairs is None:
        pairs = output in _PAIRS and not (many(sources) or measures) and len(sets or ()) < 2 and len(langs or ()) < 2
    if pairs:
        _with_first(sources, sets, langs, protocol.value, anyway, output, metrics or (), reference_text or ())
        return
    from epicene.cli.progress import progress
    from epicene.cli.show import show_matrices
    from epicene.compare.sources import collect
    from epicene.compare.table import matrices

    with progress("scoring") as bar:
        found = collect(sources, sets or (), langs or (), protocol.value, anyway, bar)
    made = matrices(found.readings, measures)
    if not made:
        raise InputError(f"no {', '.join(measures or ())} in these sets; known: {', '.join(matrices(found.readings))}")
    if output is Format.TEXT and not measures:
        more = list(made)[1:]
        made = {name: made[name] for name in list(made)[:1]}
    else:
        more = []
    show_matrices(made, output.value)
    if more:
        typer.echo(f"more: {' '.join(f'-m {name}' for name in more)}")
    for problem in found.problems:
        typer.echo(f"epicene: {problem}", err=True)
    if found.exit_code:
        raise typer.Exit(found.exit_code)


def _with_first(
    sources: list[str],
    sets: list[str] | None,
    langs: list[str] | None,
    protocol: str,
    anyway: bool,
    output: Format,
    metrics: Sequence[str],
    reference_text: Sequence[str],
) -> None:
    """Each with the first, group by group."""
    from epicene.cli.show import show_comparisons
    from epicene.compare.pairs import compare as compare_entries

    name, pair = (given[0] if given else None for given in (sets, langs))
    found = compare_entries(sources, name, pair, protocol, anyway, metrics, reference_text)
    show_comparisons(found, output.value)
