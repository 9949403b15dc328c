"""``epicene``: loads only the command that is asked for, so that starting is instant."""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from epicene import registry
from epicene.cli.outlet import Outlet, opened
from epicene.cli.verbosity import be_quiet, be_verbose
from epicene.errors import EpiceneError, InputError, StoreError
from epicene.version import __version__

# By task, in the order that --help shows them; each command is a module of this package with ``app``.
TASKS = {
    "Measure": ("audit", "score", "explain"),
    "Compare and decide": ("compare", "gate"),
    "Control and repair": ("control", "rerank", "alternatives"),
    "Read and correct": ("report", "review"),
    "Embeddings": ("weat", "wefat", "genderscore"),
    "Papers and published outputs": ("study", "record"),
    "Sets and translators": ("sets", "data", "systems", "translate", "speech"),
}
COMMANDS = tuple(name for names in TASKS.values() for name in names)
OTHERS = registry.Kind("command", "epicene.commands", (typer.Typer,), dict)
# Commands that write as they go, which a reader who leaves shall stop.
_STREAMS = ("translate", "sets")

TERMINATED = 128 + signal.SIGTERM


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
            raise InputError("epicene lab is a package of its own; run: pip install 'epicene-lab[train]'")
        else:
            return None
        group.rich_markup_mode = None
        group._add_completion = False  # the whole program completes itself
        command = typer.main.get_command(group)
        command.name = cmd_name
        return _grown(command, cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands by task, each with the whole of its first sentence."""
        width = max(map(len, COMMANDS))
        others = {"Other packages": tuple(OTHERS.names())} if OTHERS.names() else {}
        for task, names in {**TASKS, **others}.items():
            with formatter.section(task):
                _listed([(name, self.get_command(ctx, name)) for name in names], formatter, width)


def _listed(commands: list[tuple[str, Any]], formatter: Any, width: int) -> None:
    """Commands with what they do, wrapped where the line ends and never cut."""
    rows = [(f"{name:<{width}}", command.get_short_help_str(limit=10_000)) for name, command in commands]
    if rows:
        formatter.write_dl(rows)


def _grown(command: Any, name: str) -> Any:
    """A command, and those under it, with what all of them have: -q and -v, completion, and strict options."""
    from epicene.cli.completion import complete
    from epicene.cli.verbosity import options

    under = getattr(command, "commands", None)
    if under is None:
        complete(command, name)
        command.params += options()
        return _strict(command)
    for each in under.values():
        _grown(each, name)

    def format_commands(ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            listed = [(each, command.get_command(ctx, each)) for each in command.list_commands(ctx)]
            _listed(listed, formatter, max(map(len, under)))

    command.format_commands = format_commands
    return command


def _strict(command: Any) -> Any:
    """The command with options of one value taken once: the last would win without a word."""
    make_parser = command.make_parser

    def strict_parser(ctx: Any) -> Any:
        parser = make_parser(ctx)
        parse = parser.parse_args

        def once(args: list[str]) -> Any:
            values, rest, order = parse(args=args)
            for option in dict.fromkeys(order):
                single = not (getattr(option, "multiple", True) or getattr(option, "is_flag", True))
                if single and order.count(option) > 1 and not ctx.resilient_parsing:
                    raise InputError(f"{' / '.join(option.opts)} is given {order.count(option)} times; expected once")
            return values, rest, order

        parser.parse_args = once
        return parser

    command.make_parser = strict_parser
    return command


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
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", callback=be_quiet, expose_value=False, help="Results and errors alone.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", callback=be_verbose, expose_value=False, help="Say what is being done.")
    ] = False,
) -> None:
    """Measure gender bias in machine translation, speech translation and word embeddings."""


def _terminated(number: int, _: object) -> None:
    """End as orderly as by Ctrl-C: answers on their way are kept, programs that were started are ended."""
    sys.exit(128 + number)


def main() -> None:
    """Run the command line; every error that epicene raises on purpose is one line and an exit code."""
    command = next((each for each in sys.argv[1:] if not each.startswith("-")), "")
    Outlet.lasting = command not in _STREAMS
    sys.stdout = opened(sys.stdout)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    signal.signal(signal.SIGTERM, _terminated)
    # Records are many and none is part of a cycle: looking for cycles among them took a tenth of the time.
    gc.set_threshold(50_000, 20, 20)
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except EpiceneError as error:
        from epicene.text import scrub

        print(f"epicene: {scrub(str(error))}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except OSError as error:
        # Files say themselves why they cannot be written; what is left is standard output, on a full disk for one.
        print(f"epicene: {error.filename or 'standard output'}: {error.strerror or error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
        sys.exit(StoreError.exit_code)
    except (KeyboardInterrupt, SystemExit) as end:
        # Typer turns an interrupt into this exit code, without a word.
        code = 130 if isinstance(end, KeyboardInterrupt) else end.code
        if code in (130, TERMINATED):
            print("epicene: stopped; what was finished is kept", file=sys.stderr)
        sys.exit(code)
