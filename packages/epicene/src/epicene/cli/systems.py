"""``epicene systems``: what can translate."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from epicene.types import Pair, SpeechSystem

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
    from epicene.flow import ask
    from epicene.languages.codes import pair
    from epicene.systems.network.service import Service
    from epicene.types import SpeechSystem

    opened = systems.open_system(system)
    sentence = "The doctor asked the nurse to help her."
    if isinstance(opened, SpeechSystem):
        typer.echo(f"{opened.identity}\n{sentence}\n{_interpreted(opened, sentence, pair(langs))}")
        return
    found = systems.translator_of(opened) or systems.for_text(system, opened)
    if isinstance(found, Service):
        typer.echo("\n".join([found.identity, *ask.check(found, pair(langs))]))
        return
    (answer,) = ask.translate(found, [sentence], pair(langs))
    typer.echo(f"{found.identity}\n{sentence}\n{answer}")


def _interpreted(system: SpeechSystem, sentence: str, langs: Pair) -> str:
    """What a system for speech makes of a sentence that the first voice of this machine speaks."""
    from epicene.errors import InputError
    from epicene.speech import synthesis, voices

    there = next((offer.name for offer in voices.available() if offer.installed and ":" not in offer.name), None)
    if there is None:
        raise InputError(
            f"{system.identity} translates speech, and no voice is installed to try it with; install flite, or try it "
            "on recordings: epicene audit -t winost:DIR"
        )
    with tempfile.TemporaryDirectory() as folder:
        synthesis.synthesise([("1", sentence)], [voices.load(there)], Path(folder))
        (answer,) = system.interpret([Path(folder) / there / "1.wav"], langs)
    return answer
