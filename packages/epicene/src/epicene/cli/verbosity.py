"""``-q`` and ``-v``, before or behind the command: how much is said beside the results."""

from __future__ import annotations

import logging
import sys
from functools import cache
from typing import Annotated, Any

import typer

from epicene.text import clean

_quiet = False


def quiet() -> bool:
    """Whether nothing but results and errors is wanted."""
    return _quiet


def note(text: str) -> None:
    """Say something on standard error that is neither a result nor an error."""
    if not _quiet:
        typer.echo(text, err=True)


def be_quiet(asked: bool) -> None:
    """Say nothing but results and errors."""
    global _quiet  # noqa: PLW0603 - as there is one standard error
    if asked:
        _quiet = True
        logging.getLogger("epicene").setLevel(logging.ERROR)


def be_verbose(asked: bool) -> None:
    """Say on standard error what is being done."""
    if not asked:
        return
    logger = logging.getLogger("epicene")
    logger.setLevel(logging.DEBUG)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_CleanFormatter("%(relativeCreated)7.0f ms  %(message)s"))
    logger.addHandler(handler)
    logger.propagate = False


class _CleanFormatter(logging.Formatter):
    """Lines of the log as every exit shows text from outside: without keys, all of it visible."""

    def format(self, record: logging.LogRecord) -> str:
        """One line a message."""
        return clean(super().format(record))


_carrier = typer.Typer()


@_carrier.command()
def _carried(
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", callback=be_quiet, expose_value=False, help="Results and errors alone."),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", callback=be_verbose, expose_value=False, help="Say what is being done."),
    ] = False,
) -> None: ...


@cache
def options() -> list[Any]:
    """The two options, to be added to a command."""
    return [option for option in typer.main.get_command(_carrier).params if option.opts[0] in ("--quiet", "--verbose")]
