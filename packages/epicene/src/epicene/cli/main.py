"""``epicene``: its help from a table and without an import, and how every command ends."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

# By task, in the order that --help shows them; each command is a module of this package with ``app``, and the sentence
# is the first of its own help.
TASKS = {
    "Measure": {
        "audit": "Translate test sets with one or more systems, score the translations and write a report.",
        "score": "Score files of translations on a test set.",
        "explain": "Show who was found in a translation, which step decided their gender, and on what evidence.",
    },
    "Compare and decide": {
        "compare": (
            "Compare systems on the same sentences, with CIs clustered by occupation and p adjusted with Holm's method."
        ),
        "gate": "Fail a build if gender bias exceeds your limits (exit code 0: pass, 1: fail, 3: unclear).",
    },
    "Control and repair": {
        "control": (
            "Test whether a system follows a gender instruction for one of two people, and whether it leaks to the "
            "other."
        ),
        "rerank": "Choose from n-best lists the best-scored candidate that has the gender stated in the source.",
        "alternatives": "Offer a feminine and a masculine translation where the source leaves the gender open.",
    },
    "Report and review": {
        "report": "Write one or more runs as a single HTML page that works offline, in print and on a phone.",
        "review": "Judge a sample of verdicts in the browser, and correct the rates for the detector's errors.",
    },
    "Embeddings": {
        "weat": "Test word vectors for bias in English, German and French, with effect sizes and exact p-values.",
        "wefat": "Compare the gender of occupations in word vectors with the share of women in them (WEFAT, SC-WEAT).",
        "genderscore": "Rank words by gender score, from -1 (the most feminine in the list) to 1 (the most masculine).",
    },
    "Papers and published outputs": {
        "study": "Print the tables of a paper with our figures next to the published ones, for the inputs you have.",
        "record": "Show how often systems misgender women and men, with CIs, signatures and published figures.",
    },
    "Test sets and translators": {
        "sets": "List, describe and export test sets.",
        "data": "List, download and add published sets.",
        "systems": "List and check translators.",
        "translate": "Translate a test set or a file; an interrupted run resumes where it stopped.",
        "speech": "List voices; synthesize, add, transcribe and score recordings of test sets.",
    },
}
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
