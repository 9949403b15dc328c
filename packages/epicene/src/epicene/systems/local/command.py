"""``command:CMD``: any program that reads a line and writes a line.

The program gets all sentences at once on its standard input and its answers are taken as they come, so it may buffer
as it likes. ``{source}`` and ``{target}`` in the command stand for the language codes. With ``--context given`` it gets
the sentence before, a tab, and the sentence that it translates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path

from epicene.program import format_paths
from epicene.speech.recognisers.command import Program
from epicene.systems import SystemFactory
from epicene.types import Pair

_SPEECH = """``command-speech:CMD``: any program that reads the path of a recording a line and writes its translation.

The program gets all paths at once on its standard input; ``{source}`` and ``{target}`` in the command stand for the
language codes.
"""


class Command(Program):
    """A program that translates text."""

    def with_context(self) -> Command:
        """The same program for lines with what stands before each sentence."""
        other = copy(self)
        other.identity = f"{self.identity}+context"
        return other

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterator[str]:
        """One translation a sentence."""
        return self.run(sources, pair)


class CommandSpeech(Program):
    """A program that translates speech."""

    def interpret(self, clips: Sequence[Path], pair: Pair) -> Iterator[str]:
        """One translation a recording."""
        return self.run(format_paths(clips), pair)


_NEEDS = "a program, as in '{}:my-translator --to {{target}}'"
SYSTEM = SystemFactory(
    lambda argument, _: Command(argument, "command"), __doc__, free_text=True, needs=_NEEDS.format("command")
)
SPEECH = SystemFactory(
    lambda argument, _: CommandSpeech(argument, "command-speech"),
    _SPEECH,
    free_text=True,
    needs=_NEEDS.format("command-speech"),
)
