"""``epicene explain``: why one sentence is read as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from epicene.cli.command import command
from epicene.cli.options import Langs
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def explain(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="An English sentence.")],
    translation: Annotated[str, typer.Argument(metavar="TRANSLATION", help="What a translator made of it.")],
    langs: Langs,
    person: Annotated[
        str, typer.Option("--person", metavar="WORD", help="Whom to read. Default: everybody who is found.")
    ] = "",
) -> Iterator[Answer]:
    """Say who was found in a translation, which step decided on which words, and what spoke against it.

    Example: epicene explain -l en-de "The astronaut slept." "Die Astronautin schlief."
    """
    from epicene.flow.explain import explain as read

    yield read(source, langs, translation, person)
