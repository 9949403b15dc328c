"""``epicene systems``: what can translate."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.command import argument, command, option
from epicene.errors import InputError
from epicene.output.table import Answer, Column, Listing, Table
from epicene.text import clean

if TYPE_CHECKING:
    from epicene.types import Pair, SpeechSystem

app = typer.Typer(
    no_args_is_help=True, help="List and check translators.\n\nExample: epicene systems check deepl -l en-de"
)


@command(app, "list")
def list_systems() -> Iterator[Answer]:
    """List all kinds of systems.

    Example: epicene systems list
    """
    from epicene.systems import SYSTEMS

    rows = tuple((factory.usage, factory.summary) for factory in map(SYSTEMS.find, SYSTEMS.names()))
    yield Listing((Table("", (Column("system"), Column("about", wraps=True)), rows),))


@command(app)
def check(
    system: Annotated[str, argument("SYSTEM")],
    langs: Annotated[str, option("-l, --langs PAIR", "Language pair.")] = "en-de",
) -> Iterator[Answer]:
    """Check a system: translate one sentence, or check a service's key, quota and language pair free of charge.

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
        yield _lines(opened.identity, sentence, _interpreted(opened, sentence, pair(langs)))
        return
    found = systems.translator_of(opened) or systems.for_text(system, opened)
    if isinstance(found, Service):
        typer.echo("\n".join(map(clean, (found.identity, *ask.check(found, pair(langs))))))
        return
    (answer,) = ask.translate(found, [sentence], pair(langs))
    yield _lines(found.identity, sentence, answer)


def _lines(*lines: str) -> Listing:
    return Listing((Table("", (Column("line", wraps=True),), tuple((line,) for line in lines)),))


def _interpreted(system: SpeechSystem, sentence: str, langs: Pair) -> str:
    """What a system for speech makes of a sentence that the first voice of this machine speaks."""
    from epicene.speech import synthesis, voices

    there = next((voice.usage for voice in voices.available() if ":" not in voice.usage and voice.installed()), None)
    if there is None:
        raise InputError(
            f"{system.identity} translates speech, and no voice is installed to try it with; install flite, or try it "
            "on recordings: epicene audit -t winost:DIR"
        )
    with tempfile.TemporaryDirectory() as folder:
        synthesis.synthesise([("1", sentence)], [voices.load(there)], Path(folder))
        (answer,) = system.interpret([Path(folder) / there / "1.wav"], langs)
    return answer
