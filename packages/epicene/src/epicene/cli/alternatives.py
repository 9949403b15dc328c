"""``epicene alternatives``: both genders where the source leaves it open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.command import command
from epicene.cli.options import Langs
from epicene.output.table import Answer

app = typer.Typer()


@command(app)
def alternatives(
    langs: Langs,
    set_name: Annotated[str | None, typer.Option("--set", "-t", metavar="SET", help="A challenge set.")] = None,
    text: Annotated[
        str | None, typer.Option("--input", "-i", metavar="TEXT", help="A file, one sentence a line.")
    ] = None,
    system: Annotated[
        str, typer.Option("--system", "-s", metavar="SYSTEM", help="bundled, ctranslate2: or huggingface:")
    ] = "bundled",
    number: Annotated[int, typer.Option("-n", metavar="N", min=2, help="Candidates of each sentence.")] = 12,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help="So many sentences of the set, evenly.")
    ] = None,
    versions: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.jsonl", help="Write the versions of every sentence.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep translations.")] = False,
) -> Iterator[Answer]:
    """Give a feminine and a masculine translation where the source leaves the gender open.

    The two differ in nothing but gender; a sentence for which no such two were found keeps its one translation.

    Example: epicene alternatives -i news.en -l en-es -o versions.jsonl

    Example: epicene alternatives -t gate -l en-es --sample 300
    """
    from epicene.act import alternatives as feature
    from epicene.cli.options import progress
    from epicene.errors import InputError
    from epicene.files import apart, read_lines
    from epicene.store.records import write_jsonl

    if (set_name is None) == (text is None):
        raise InputError("alternatives needs either -t SET or -i TEXT")
    apart([versions], [text, (set_name or "").partition(":")[2]])
    lines = set_name if set_name is not None else list(read_lines(text or ""))
    with progress("translating") as bar:
        answer = feature.alternatives(lines, langs, system, number, sample=sample, cached=not no_cache, progress=bar)
    if versions is not None:
        write_jsonl(versions, (sentence.as_dict() for sentence in answer.sentences))
    yield answer
