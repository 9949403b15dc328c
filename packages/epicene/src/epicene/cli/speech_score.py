"""``epicene speech score``: what recognisers make of people's names and pronouns."""

from __future__ import annotations

from typing import Annotated

import typer

from epicene.cli.options import OutputFormat
from epicene.output.render import Format


def score(
    set_name: Annotated[
        str, typer.Option("--set", "-t", metavar="SET", help="Recordings: winost, winost:DIR or spoken:SET@DIR.")
    ] = "winost",
    recognisers: Annotated[
        list[str] | None, typer.Option("--recogniser", "-r", metavar="RECOGNISER", help="Who listens.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="FILE", help="Transcripts, one a line in the order of the recordings."),
    ] = None,
    langs: Annotated[
        str, typer.Option("--langs", "-l", metavar="PAIR", help="Language pair; its source is spoken.")
    ] = "en-de",
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep transcripts.")] = False,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Score recognition alone: word errors, misspelt occupations, pronouns, by gender and by voice.

    Example: epicene speech score -t winost:spoken -r pocketsphinx

    Example: epicene speech score -t winost -i heard.txt -f json
    """
    from epicene import api
    from epicene.cli.progress import progress
    from epicene.cli.show import show
    from epicene.errors import InputError

    if not recognisers and not inputs:
        raise InputError("nothing to score; name a recogniser with -r, or a file of transcripts with -i")
    with progress("listening") as bar:
        found = [api.score_recognition(set_name, name, langs, not no_cache, bar) for name in recognisers or ()]
    found += [api.score_transcripts(set_name, path, langs) for path in inputs or ()]
    show(found, output.value)
