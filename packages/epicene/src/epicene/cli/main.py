"""``epicene``: its help from a table and without an import, and how every command ends."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

from epicene.tables import table

TASKS: dict[str, dict[str, str]] = {}  # by task: the commands, and the first sentence of the help of each
for _row in table("cli", "commands.tsv"):
    TASKS.setdefault(_row["task"], {})[_row["command"]] = _row["sentence"]
COMMANDS = tuple(name for names in TASKS.values() for name in names)
_ABOUT = "Measure gender bias in machine translation, speech translation and word embeddings."
_OPTIONS = {
    "--version": "Show the version.",
    "-q, --quiet": "Print only results and errors.",
    "-v, --verbose": "Print detailed progress messages.",
    "--install-completion": "Install completion for the current shell.",
    "--show-completion": "Show completion for the current shell, to copy it or customize the installation.",
    "-h, --help": "Show this message and exit.",
}
TERMINATED = 128 + signal.SIGTERM
_READER_LEFT = 141  # as a shell calls a program that a closed pipe has ended


def describe_all() -> str:
    """The help of the whole program: all commands by task, those of other packages last."""
    from importlib.metadata import entry_points

    others = {point.name: f"from {point.value.partition('.')[0]}" for point in entry_points(group="epicene.commands")}
    parts = {"Options": _OPTIONS, **TASKS, **({"Other packages": others} if others else {})}
    lines = ["Usage: epicene [OPTIONS] COMMAND [ARGS]...", "", *_wrap("  ", _ABOUT)]
    for title, entries in parts.items():
        width = max(map(len, _OPTIONS if title == "Options" else COMMANDS))
        lines += ["", f"{title}:"]
        for name, text in entries.items():
            lines += _wrap(f"  {name:<{width}}  ", text)
    return "\n".join(lines) + "\n"


def _wrap(start: str, text: str) -> Iterator[str]:
    """A text behind its name, wrapped where the line ends and never cut."""
    import shutil
    import textwrap

    width = max(40, min(80, shutil.get_terminal_size((80, 0)).columns) - 2)
    yield from textwrap.wrap(text, width, initial_indent=start, subsequent_indent=" " * len(start))


def _terminated(number: int, _: object) -> None:
    """End as orderly as by Ctrl-C: answers on their way are kept, programs that were started are ended."""
    sys.exit(128 + number)


def main() -> None:
    """Run the command line; every error that epicene raises on purpose is one line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    if sys.argv[1:] in (["-h"], ["--help"]):
        sys.stdout.write(describe_all())  # as the group itself would, without the library that it is made of
        return
    import gc

    from epicene.errors import EpiceneError, StoreError

    signal.signal(signal.SIGTERM, _terminated)
    # NumPy's threads would wait for work by spinning, a fifth of the processor time of a score; now they sleep.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    # Records are many and none is part of a cycle: looking for cycles among them took a tenth of the time.
    gc.set_threshold(50_000, 20, 20)
    try:
        try:
            from epicene.cli.app import app

            app()
        finally:
            sys.stdout.flush()
    except EpiceneError as error:
        from epicene.text import clean

        print(f"epicene: {clean(str(error.args[0]))}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        _drop_output()
        sys.exit(_READER_LEFT)
    except OSError as error:
        # Files say themselves why they cannot be written; what is left is standard output, on a full disk for one.
        remedy = "; --show-completion prints what to copy" if "--install-completion" in sys.argv else ""
        print(f"epicene: {error.filename or 'standard output'}: {error.strerror or error}{remedy}", file=sys.stderr)
        _drop_output()
        sys.exit(StoreError.exit_code)
    except (KeyboardInterrupt, SystemExit) as end:
        # Typer turns an interrupt into this exit code, without a word.
        code = 130 if isinstance(end, KeyboardInterrupt) else end.code
        if type(sys.stdout).__name__ == "PacifyFlushWrapper":
            code = _READER_LEFT  # Typer has met a closed pipe and would end with 1, which is a gate's answer
        if code in (130, TERMINATED):
            print("epicene: stopped; finished work is kept", file=sys.stderr)
        sys.exit(code)


def _drop_output() -> None:
    """Let what is still to be written go nowhere: Python flushes once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
