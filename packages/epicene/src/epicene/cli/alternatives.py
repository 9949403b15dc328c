"""``epicene alternatives``: both genders where the source leaves it open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import Without, command, option
from epicene.cli.options import AnySet, Langs, Text, progress, read_request
from epicene.options import Asking
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def alternatives(
    langs: Langs,
    set_name: AnySet = None,
    text: Text = None,
    system: Annotated[str, option("-s, --system SYSTEM", "System: bundled, ctranslate2: or huggingface:.")] = "bundled",
    number: Annotated[int, option("-n N", "Number of candidates per sentence.", min=2)] = 12,
    versions: Annotated[
        Path | None, option("-o, --output FILE.jsonl", "Write the versions of every sentence to this file.")
    ] = None,
    asking: Annotated[Asking, Without("budget", "since", "engine")] = Asking(),  # noqa: B008 - frozen
) -> Iterator[Answer]:
    """Offer a feminine and a masculine translation where the source leaves the gender open.

    The two versions differ only in gender. If there is no such pair, the sentence keeps its single translation.

    Example: epicene alternatives -i news.en -l en-es -o versions.jsonl

    Example: epicene alternatives -t gate -l en-es --sample 300
    """
    from epicene.act import alternatives as feature
    from epicene.store.records import write_jsonl

    asked = read_request("alternatives", set_name, text, [versions])
    with progress("translating") as bar:
        answer = feature.alternatives(asked, langs, system, number, replace(asking, progress=bar))
    if versions is not None:
        write_jsonl(versions, (sentence.as_dict() for sentence in answer.sentences))
    yield answer
