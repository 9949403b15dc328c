"""``epicene translate``: a set or a text through any system, cached and resumed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import Without, command, option
from epicene.cli.options import AnySet, EstimateOnly, Estimates, Langs, Text, progress, read_request, warn_of_prices
from epicene.files import write_atomically
from epicene.options import Asking
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def translate(
    langs: Langs,
    system: Annotated[str, option("-s, --system SYSTEM", "System to use.")],
    asking: Annotated[Asking, Without("sample", "seed")],
    set_name: AnySet = None,
    text: Text = None,
    output: Annotated[Path, option("-o, --output HYP", "Translations to write; - is stdout.")] = Path("-"),
    estimate: EstimateOnly = False,
) -> Iterator[Answer]:
    """Translate a test set or a file; an interrupted run resumes where it stopped.

    Example: epicene translate -i news.en -l en-de -s ctranslate2:my-model -o news.de
    """
    from epicene.flow import translate as flow

    asked = read_request("translate", set_name, text, [output])
    if estimate or asking.budget is not None:
        cost = flow.estimate(asked, langs, system, asking)
        warn_of_prices([cost])
        if estimate:
            yield Estimates((cost,))
            return
    with progress("translating") as bar:
        lines = flow.translate(asked, langs, system, replace(asking, progress=bar))
    with write_atomically(output) as stream:
        stream.writelines(line + "\n" for line in lines)
