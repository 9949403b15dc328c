"""``command:CMD``: any program that reads the path of a WAV file a line and writes what is said there, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from epicene.errors import InputError
from epicene.program import answers, patience, words_of
from epicene.spec import Options


class Command:
    """Runs a program once for all recordings that are missing."""

    batch_size = None

    def __init__(self, command: str, timeout: float) -> None:
        if not command.strip():
            raise InputError("command: needs a program, as in 'command:my-recogniser --language en'")
        self._words = words_of(command)
        self._timeout = timeout
        self.identity = f"command:{command}"

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        """The program's lines as they arrive."""
        paths = [str(clip.absolute()) for clip in clips]
        if broken := next((path for path in paths if "\n" in path or "\r" in path), None):
            raise InputError(
                f"{broken!r}: a line break in a path; a command reads one path a line, so rename the folder"
            )
        return answers(self._words, paths, self.identity, self._timeout)


def build(argument: str, options: Options) -> Command:  # noqa: ARG001
    """The recogniser that runs a program."""
    return Command(argument, patience())
