"""``epicene systems``: what can translate."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="List and check translators.")


@app.command("list")
def list_systems() -> None:
    """List the ways to translate, one a line.

    Example: epicene systems list
    """
    from epicene import registry

    for name in registry.names("systems"):
        summary = (registry.find("systems", name).__doc__ or "").splitlines()[0]
        typer.echo(f"{name:<14} {summary}")


@app.command()
def check(
    system: Annotated[str, typer.Argument(metavar="SYSTEM")],
    langs: Annotated[str, typer.Option("--langs", "-l", metavar="PAIR")] = "en-de",
) -> None:
    """See whether a system works: translate one sentence, or ask a service about key, quota and pair for nothing.

    Example: epicene systems check deepl -l en-de
    """
    from epicene import systems
    from epicene.engines import local
    from epicene.languages.codes import pair

    found = systems.load(system)
    if local.is_service(found):
        typer.echo("\n".join([found.identity, *local.check(found, pair(langs))]))
        return
    sentence = "The doctor asked the nurse to help her."
    (answer,) = local.translate(found, [sentence], pair(langs))
    typer.echo(f"{found.identity}\n{sentence}\n{answer}")
