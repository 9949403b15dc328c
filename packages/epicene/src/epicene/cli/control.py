"""``epicene control``: does a system follow a gender instruction?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

import typer

from epicene.cli.command import Several, Without, command, option
from epicene.cli.options import progress
from epicene.options import Asking
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def control(
    langs: Annotated[list[str], option("-l, --langs PAIR", "Language pair, such as en-de.")],
    systems: Annotated[Several, option("-s, --system SYSTEM", "System to test. Default: bundled.")] = (),
    ways: Annotated[
        Several, option("-w, --way WAY", "How to state the gender, such as context or glossary. Default: all ways.")
    ] = (),
    asking: Annotated[Asking, Without("budget", "sample", "seed", "since", "engine")] = Asking(),  # noqa: B008 - frozen
) -> Iterator[Answer]:
    """Test whether a system follows a gender instruction for one of two people, and whether it leaks to the other.

    The gender is stated by a tag, a sentence of context, the prompt of a chat model, or a glossary, as far as the
    system supports it. Every two ways are compared on the same sentences.

    Example: epicene control -l en-de -s bundled -w context -w glossary
    """
    from epicene.act import control as feature

    with progress("translating") as bar:
        yield feature.control(langs, systems or ("bundled",), ways, replace(asking, progress=bar))
