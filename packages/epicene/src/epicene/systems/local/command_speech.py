"""``command-speech:CMD``: any program that reads the path of a recording a line and writes its translation a line.

The program gets all paths at once on its standard input; ``{source}`` and ``{target}`` in the command stand for the
language codes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from epicene.errors import InputError
from epicene.files import marked
from epicene.program import answers, named_files, path_lines, patience, words_of
from epicene.spec import Options
from epicene.systems import SystemFactory
from epicene.types import Pair


class CommandSpeech:
    """Runs a program once for all recordings that are missing."""

    batch_size = None

    def __init__(self, command: str) -> None:
        if not command.strip():
            raise InputError("command-speech: needs a program, as in 'command-speech:my-translator --to {target}'")
        self._command = command
        self._timeout = patience()
        self.identity = marked(f"command-speech:{command}", named_files(words_of(command, "command-speech")))

    def interpret(self, clips: Sequence[Path], pair: Pair) -> Iterator[str]:
        """The program's lines as they arrive."""
        command = self._command.replace("{source}", pair.source).replace("{target}", pair.target)
        return answers(words_of(command, "command-speech"), path_lines(clips), self.identity, self._timeout)


def build(argument: str, options: Options) -> CommandSpeech:  # noqa: ARG001
    """The system that runs a program."""
    return CommandSpeech(argument)


SYSTEM = SystemFactory(build, __doc__, free_text=True)
