"""``epicene translate``: a set or a text through any system, cached and resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epicene.cli.money import Budget, EstimateOnly, Since
from epicene.cli.options import EngineName, Langs

app = typer.Typer()


@app.command()
def translate(
    langs: Langs,
    system: Annotated[str, typer.Option("--system", "-s", metavar="SYSTEM", help="Who translates.")],
    set_name: Annotated[str | None, typer.Option("--set", "-t", metavar="SET")] = None,
    text: Annotated[
        str | None, typer.Option("--input", "-i", metavar="TEXT", help="A file, one sentence a line.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="HYP")] = Path("-"),
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep translations.")] = False,
    estimate: EstimateOnly = False,
    budget: Budget = None,
    since: Since = "",
    engine: EngineName = "local",
) -> None:
    """Translate a challenge set or a file; a run that was killed goes on where it was.

    Example: epicene translate -i news.en -l en-de -s ctranslate2:my-model -o news.de
    """
    from epicene import api
    from epicene.cli.progress import progress
    from epicene.errors import InputError
    from epicene.files import apart, read_lines, written

    apart([output], [text, (set_name or "").partition(":")[2]])
    if (set_name is None) == (text is None):
        raise InputError("translate needs either -t SET or -i TEXT")
    asked = set_name if set_name is not None else list(read_lines(text or ""))
    if estimate or budget is not None:
        from epicene.cli.money import show_estimates, warn

        found = [api.estimate(asked, langs, system, since=since, cached=not no_cache)]
        warn(found)
    if estimate:
        show_estimates(found)
        return
    with progress("translating") as bar:
        lines = api.translate(
            asked,
            langs,
            system,
            cached=not no_cache,
            progress=bar,
            budget=budget,
            since=since,
            engine=engine,
        )
    with written(output) as stream:
        stream.writelines(line + "\n" for line in lines)
