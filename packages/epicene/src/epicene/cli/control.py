"""``epicene control``: does a system do what it is told?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.options import Format, OutputFormat

if TYPE_CHECKING:
    from rich.table import Table

    from epicene.act.verbs import Control

app = typer.Typer()


@app.command()
def control(
    langs: Annotated[list[str], typer.Option("--langs", "-l", metavar="PAIR", help="Language pair, such as en-de.")],
    systems: Annotated[
        list[str] | None, typer.Option("--system", "-s", metavar="SYSTEM", help="Who is told. Default: bundled.")
    ] = None,
    ways: Annotated[
        list[str] | None,
        typer.Option("--way", "-w", metavar="WAY", help="How: a name of the table of ways. Default: all of them."),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep translations.")] = False,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Tell a system the gender of one of two people, and see who takes it on: obeyed, ignored, spilled to the other.

    By a tag, a sentence of context, the prompt of a chat model, or a glossary; what a system has no ear for is left
    out. Each two ways are compared on the same sentences.

    Example: epicene control -l en-de -s bundled -w context -w glossary
    """
    from epicene.act import verbs as acting
    from epicene.cli.progress import progress
    from epicene.cli.show import show_parts

    with progress("translating") as bar:
        found = acting.control(langs, systems or ["bundled"], ways or (), cached=not no_cache, progress=bar)
    rows = [
        {"system": each.system, "langs": each.langs, "way": each.way, **measure.as_dict()}
        for each in found.told
        for measure in each.measures
    ]
    show_parts(_parts(found), output.value, [found.as_dict()], rows)


def _parts(found: Control) -> list[Table | str]:
    from epicene.output.terminal import tables

    parts: list[Table | str] = []
    for system, langs in dict.fromkeys((each.system, each.langs) for each in found.told):
        parts.append(f"{system} {langs}")
        mine = [each for each in found.told if (each.system, each.langs) == (system, langs)]
        grid = tables.grid("%", "obeyed", "ignored", "spilled")
        for each in mine:
            for name, group in {each.way: "all", "  women": "feminine", "  men": "masculine"}.items():
                cells = [tables.with_interval(each[kind, group]) for kind in ("obeyed", "ignored", "spilled")]
                grid.add_row(name, *cells)
        parts.append(grid)
        unread = ", ".join(f"{each.way} {each['obeyed'].unread}" for each in mine if each["obeyed"].unread)
        others = ", ".join(f"{each.way} {each['spilled'].n}" for each in mine)
        parts.append(f"n = {mine[0]['obeyed'].n} told, half women, half men; of them unread: {unread or 'none'}")
        parts.append(f"n of spilled, others who had the other gender: {others}")
        contests = tables.grid("obeyed, points", "n", "first", "second", "difference", "p")
        for owner, pair, contest in found.contests:
            if (owner, pair) == (system, langs):
                change = contest.change
                p = "–" if change.p is None else tables.p_value(change.p)
                rates = (tables.number(change.before), tables.number(change.after), f"{change.difference:+.1f}")
                contests.add_row(f"{contest.first} → {contest.second}", str(change.n), *rates, p)
        parts.append(contests)
    return parts
