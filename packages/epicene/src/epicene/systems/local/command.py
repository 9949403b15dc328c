"""``command:CMD``: any program that reads a line and writes a line.

The program gets all sentences at once on its standard input and its answers are taken as they come, so it may buffer
as it likes. ``{source}`` and ``{target}`` in the command stand for the language codes. With ``--context given`` it gets
the sentence before, a tab, and the sentence that it translates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from epicene.errors import InputError
from epicene.files import marked
from epicene.program import answers, named_files, patience, words_of
from epicene.spec import Options
from epicene.systems import SystemFactory
from epicene.types import Pair


class Command:
    """Runs a program once for all sentences that are missing."""

    batch_size = None

    def __init__(self, command: str, timeout: float) -> None:
        if not command.strip():
            raise InputError("command: needs a program, as in 'command:my-translator --to {target}'")
        self._command = command
        self._timeout = timeout
        self.identity = marked(f"command:{command}", named_files(words_of(command)))

    def with_context(self) -> Command:
        """The same program for lines with what stands before each sentence."""
        other = copy(self)
        other.identity = f"{self.identity}+context"
        return other

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterator[str]:
        """The program's lines as they arrive."""
        words = words_of(self._command.replace("{source}", pair.source).replace("{target}", pair.target))
        return answers(words, sources, self.identity, self._timeout)


def build(argument: str, options: Options) -> Command:  # noqa: ARG001
    """The system that runs a program."""
    return Command(argument, patience())


SYSTEM = SystemFactory(build, __doc__, free_text=True)
