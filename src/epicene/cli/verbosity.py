"""``-q`` and ``-v``, which every command takes: how much is said beside the results."""

from __future__ import annotations

import logging
import sys
from typing import Annotated, Any

import typer

_quiet = False


def quiet() -> bool:
    """Whether nothing but results and errors is wanted."""
    return _quiet


def note(text: str) -> None:
    """Say something on standard error that is neither a result nor an error."""
    if not _quiet:
        typer.echo(text, err=True)


def _be_quiet(asked: bool) -> None:
    global _quiet  # noqa: PLW0603 - as there is one standard error
    if asked:
        _quiet = True
        logging.getLogger("epicene").setLevel(logging.ERROR)


def _be_verbose(asked: bool) -> None:
    if not asked:
        return
    logger = logging.getLogger("epicene")
    logger.setLevel(logging.DEBUG)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(relativeCreated)7.0f ms  %(message)s"))
    logger.addHandler(handler)
    logger.propagate = False


_carrier = typer.Typer()


@_carrier.command()
def _carried(
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", callback=_be_quiet, expose_value=False, help="Results and errors alone."),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", callback=_be_verbose, expose_value=False, help="Say what is being done."),
    ] = False,
) -> None: ...


def options() -> list[Any]:
    """The two options, to be added to a command."""
    return [option for option in typer.main.get_command(_carrier).params if option.opts[0] in ("--quiet", "--verbose")]
