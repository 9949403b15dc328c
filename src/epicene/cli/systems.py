"""``epicene systems``: what can translate."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="List and check translators.")


@app.command("list")
def list_systems() -> None:
    """List the ways to translate.

    Example: epicene systems list
    """
    from rich.console import Console
    from rich.table import Table

    from epicene.systems import SYSTEMS

    listed = Table.grid(padding=(0, 2, 0, 0))
    listed.add_column(no_wrap=True)
    for factory in map(SYSTEMS.find, SYSTEMS.names()):
        listed.add_row(factory.usage, factory.summary)
    Console(highlight=False, markup=False).print(listed)


@app.command()
def check(
    system: Annotated[str, typer.Argument(metavar="SYSTEM")],
    langs: Annotated[str, typer.Option("--langs", "-l", metavar="PAIR")] = "en-de",
) -> None:
    """See whether a system works: translate one sentence, or ask a service about key, quota and pair for nothing.

    Example: epicene systems check deepl -l en-de
    """
    from epicene import systems
    from epicene.engines import local
    from epicene.errors import InputError
    from epicene.languages.codes import pair
    from epicene.systems.network.service import Service
    from epicene.types import SpeechSystem

    opened = systems.open_system(system)
    if isinstance(opened, SpeechSystem):
        raise InputError(f"{system} translates speech; try it on recordings: epicene audit -t winost:DIR -s {system}")
    found = systems.translator_of(opened) or systems.for_text(system, opened)
    if isinstance(found, Service):
        typer.echo("\n".join([found.identity, *local.check(found, pair(langs))]))
        return
    sentence = "The doctor asked the nurse to help her."
    (answer,) = local.translate(found, [sentence], pair(langs))
    typer.echo(f"{found.identity}\n{sentence}\n{answer}")
