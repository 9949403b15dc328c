"""``command:CMD``: any program that reads the path of a WAV file a line and writes what is said there, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from epicene.files import with_fingerprint
from epicene.program import find_named_files, format_paths, read_patience, run_program, split_command
from epicene.speech.recognisers import RecogniserFactory
from epicene.types import Pair


class Program:
    """A program that a user names, which is run once for all lines that are missing."""

    batch_size = None

    def __init__(self, command: str, kind: str) -> None:
        self._command, self._kind, self._timeout = command, kind, read_patience()
        self.identity = with_fingerprint(f"{kind}:{command}", find_named_files(split_command(command, kind)))

    def run(self, lines: Sequence[str], pair: Pair | None = None) -> Iterator[str]:
        """The program's lines as they arrive; places for languages in its command are those of the pair."""
        command = self._command
        if pair:
            command = command.replace("{source}", pair.source).replace("{target}", pair.target)
        return run_program(split_command(command, self._kind), lines, self.identity, self._timeout)


class Command(Program):
    """A program that writes speech down."""

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        """The words of each recording."""
        return self.run(format_paths(clips))


RECOGNISER = RecogniserFactory(
    lambda argument, _: Command(argument, "command"),
    __doc__,
    free_text=True,
    needs="a program, as in 'command:my-recogniser --language en'",
)
