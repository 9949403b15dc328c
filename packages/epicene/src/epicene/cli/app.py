"""The commands as one program: each is imported when it is called, and all have ``-q``, ``-v`` and completion."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
import typer.core
from typer.core import TyperGroup

from epicene import registry
from epicene.cli.completion import complete
from epicene.cli.main import COMMANDS, describe_all
from epicene.cli.options import Quiet, Verbose
from epicene.errors import InputError
from epicene.version import __version__

OTHERS = registry.Registry("command", "epicene.commands", (typer.Typer,), dict)


class Lazy(TyperGroup):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """All commands, in reading order; those of other packages last."""
        return [*COMMANDS, *OTHERS.names()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """The command of a name."""
        if cmd_name in COMMANDS:
            group: typer.Typer = importlib.import_module(f"epicene.cli.{cmd_name}").app
        elif cmd_name in OTHERS.names():
            group = OTHERS.find(cmd_name)
        elif cmd_name == "lab":
            raise InputError("epicene lab is a separate package; run: pip install 'epicene-lab[train]'")
        else:
            return None
        group.rich_markup_mode = None
        group._add_completion = False  # the whole program completes itself
        command = typer.main.get_command(group)
        command.name = cmd_name
        return _complete_command(
            command, cmd_name, [parameter for parameter in self.params if parameter.name in ("quiet", "verbose")]
        )

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """The commands by task, from a table: none of them is imported for it."""
        formatter.write(describe_all())


def _complete_command(command: Any, name: str, common: Sequence[Any]) -> Any:
    """A command, and those under it, with what all of them have: -q and -v, completion, and strict options."""
    parts = getattr(command, "commands", None)
    if parts is None:
        complete(command, name)
        command.params += common
        _make_strict(command)
        return command
    for part in parts.values():
        _complete_command(part, name, common)

    def format_commands(ctx: Any, formatter: Any) -> None:  # noqa: ARG001
        """What each does, wrapped where the line ends and never cut."""
        with formatter.section("Commands"):
            formatter.write_dl([(part, made.get_short_help_str(limit=10_000)) for part, made in parts.items()])

    command.format_commands = format_commands
    return command


class _Plain:
    """Converts what needs no more than a look, and leaves the rest to typer, which loads pydantic for it."""

    def __init__(self, convert: Callable[[], Any]) -> None:
        self._convert = convert

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of a parameter in its type."""
        kind = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if type(value) is kind or isinstance(value, StrEnum):
            return value
        if kind is Path:
            return Path(value)
        if kind in (list[str], list[Path]):
            return list(map(get_args(kind)[0], value))
        return self._convert().coerce(value, param=param, ctx=ctx)


def _spare_pydantic(parameter: Any) -> None:
    """Put ``_Plain`` before typer's own conversion: loading pydantic is a tenth of a score."""
    convert = parameter.get_runtime_param
    parameter.get_runtime_param = lambda self: _Plain(lambda: convert(self))


if hasattr(typer.core, "_TyperParameter"):
    _spare_pydantic(typer.core._TyperParameter)


def _make_strict(command: Any) -> None:
    """Refuse an option of one value that is given twice, where the last would win without a word.

    An option that may be repeated takes several values as well, ``-i a b``, where no argument could be meant.
    """
    parse = command.parse_args
    arguments = any(parameter.param_type_name == "argument" for parameter in command.params)
    repeated = {name for parameter in command.params if parameter.multiple and not arguments for name in parameter.opts}

    def parse_args(ctx: Any, args: list[str]) -> Any:
        args = _repeat(args, repeated)
        _, _, order = command.make_parser(ctx).parse_args(args=list(args))
        for option in dict.fromkeys(order):
            single = not (getattr(option, "multiple", True) or getattr(option, "is_flag", True))
            if single and order.count(option) > 1 and not ctx.resilient_parsing:
                raise InputError(f"{' / '.join(option.opts)} is given {order.count(option)} times; expected once")
        return parse(ctx, args)

    command.parse_args = parse_args


def _repeat(args: list[str], repeated: Collection[str]) -> list[str]:
    """Arguments with ``-i a b`` written as ``-i a -i b``."""
    spelt: list[str] = []
    option, awaited = "", False  # the last one that may be repeated, and whether its first value is to come
    for word in args:
        if word.startswith("-") and word != "-" and not awaited:
            name, equals, _ = word.partition("=")
            option = name if name in repeated else ""
            awaited = bool(option) and not equals
            spelt.append(word)
            continue
        spelt += [word] if awaited or not option else [option, word]
        awaited = False
    return spelt


app = typer.Typer(
    cls=Lazy,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"epicene {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Measure gender bias in machine translation, speech translation and word embeddings."""
