"""``epicene explain``: why one sentence is read as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from epicene.cli.command import argument, command, option
from epicene.cli.options import Langs
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def explain(
    source: Annotated[str, argument("SOURCE", "An English sentence.")],
    translation: Annotated[str, argument("TRANSLATION", "Its translation.")],
    langs: Langs,
    person: Annotated[
        str, option("--person WORD", "Person whose gender is detected. Default: everybody in the sentence.")
    ] = "",
) -> Iterator[Answer]:
    """Show who was found in a translation, which step decided their gender, and on what evidence.

    Example: epicene explain -l en-de "The astronaut slept." "Die Astronautin schlief."
    """
    from epicene.flow.explain import explain as read

    yield read(source, langs, translation, person)
