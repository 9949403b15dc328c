"""What several commands share: options, how much is said beside the results, progress, and estimates of costs."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epicene.cli.command import option
from epicene.errors import InputError
from epicene.files import read_lines, refuse_overwrite
from epicene.output.table import Answer, Row, Table
from epicene.text import clean

if TYPE_CHECKING:
    from epicene.systems.network.money import Estimate

_quiet = False


class Protocol(StrEnum):
    """Whose rules read the gender."""

    EPICENE = "epicene"
    PAPER = "paper"


SetName = Annotated[str, option("-t, --set SET", "Test set: a name, or custom:FILE.tsv.")]
AnySet = Annotated[str | None, option("-t, --set SET", "Test set: a name, or custom:FILE.tsv.")]
Langs = Annotated[str, option("-l, --langs PAIR", "Language pair, such as en-de.")]
AnyLangs = Annotated[str | None, option("-l, --langs PAIR", "Language pair, such as en-de.")]
Text = Annotated[str | None, option("-i, --input TEXT", "File with one sentence per line. Default: stdin, without -t.")]
Anyway = Annotated[bool, option("--anyway", "Print unreliable numbers as well, with a warning.")]
EstimateOnly = Annotated[
    bool, option("--estimate", "Print how many sentences are not cached and what they cost; translate nothing.")
]


def read_request(
    command: str, set_name: str | None, text: str | None, outputs: Iterable[Path | None], *inputs: Path | None
) -> str | list[str]:
    """The name of a set or the lines of a file, whichever a command was given; nothing that is read is written to.

    Without either, what is piped to the command.
    """
    if set_name is None and text is None and is_piped() and (lines := list(read_lines("-"))):
        return lines
    if (set_name is None) == (text is None):
        raise InputError(f"{command} needs either -t SET or -i TEXT")
    refuse_overwrite(outputs, [text, *inputs, (set_name or "").partition(":")[2]])
    return set_name if set_name is not None else list(read_lines(text or ""))


def is_piped() -> bool:
    """Whether standard input is a pipe or a file, and nobody would have to type it."""
    return sys.stdin is not None and not sys.stdin.isatty()


def quiet() -> bool:
    """Whether nothing but results and errors is wanted."""
    return _quiet


def note(text: str) -> None:
    """Say something on standard error that is neither a result nor an error."""
    if not _quiet:
        warn(text)


def warn(text: str) -> None:
    """Say something on standard error, also to those who want nothing but results and errors."""
    typer.echo(clean(text), err=True)


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


Quiet = Annotated[bool, option("-q, --quiet", "Print only results and errors.", callback=be_quiet, expose_value=False)]
Verbose = Annotated[
    bool, option("-v, --verbose", "Print detailed progress messages.", callback=be_verbose, expose_value=False)
]


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how many are done of how many."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet() or not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def warn_of_prices(estimates: Sequence[Estimate]) -> None:
    """Say on standard error which prices are old or not known."""
    for warning in dict.fromkeys(estimate.warning for estimate in estimates if estimate.warning):
        note(f"warning: {warning}")


@dataclass(frozen=True, slots=True, repr=False)
class Estimates(Answer):
    """What is missing from the cache, and what it would cost."""

    parts: tuple[Estimate, ...]
    notes: tuple[str, ...] = ()

    def tables(self) -> Iterable[Table]:
        """A line for each system, set and pair, and one for all together."""
        lines = [
            f"{' '.join(filter(None, (part.system, part.set, part.langs)))}: {_describe(part)}" for part in self.parts
        ]
        if len(self.parts) > 1:
            costs: dict[str, float] = {}
            for part in self.parts:
                if part.currency:
                    costs[part.currency] = costs.get(part.currency, 0.0) + (part.cost or 0.0)
            total = ", ".join(f"{cost:,.2f} {currency}" for currency, cost in costs.items()) or "nothing"
            lines.append(f"total: {sum(part.characters for part in self.parts):,} characters, {total}")
        yield Table("\n".join(lines), notes=self.notes)

    def rows(self) -> list[Row]:
        """One row per system, set and pair."""
        return [part.as_dict() for part in self.parts]


def _describe(part: Estimate) -> str:
    missing = f"{part.sentences:,} sentences not cached, {part.characters:,} characters"
    if not part.requests and part.sentences:
        return f"{missing}, no service is used"
    missing += f", {part.requests:,} requests"
    if part.cost is None:
        return f"{missing}, price unknown"
    if not part.currency:
        return f"{missing}, free of charge"
    free = f"; {part.free:,} per month are free, not deducted here" if part.free else ""
    return f"{missing}, {part.cost:,.2f} {part.currency} (price of {part.priced}{free})"
