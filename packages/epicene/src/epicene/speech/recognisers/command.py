"""``command:CMD``: any program that reads the path of a WAV file a line and writes what is said there, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from epicene.files import with_fingerprint
from epicene.program import find_named_files, format_paths, read_patience, run_program, split_command
from epicene.speech.recognisers import RecogniserFactory


class Command:
    """Runs a program once for all recordings that are missing."""

    batch_size = None

    def __init__(self, command: str, timeout: float) -> None:
        self._words = split_command(command)
        self._timeout = timeout
        self.identity = with_fingerprint(f"command:{command}", find_named_files(self._words))

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        """The program's lines as they arrive."""
        return run_program(self._words, format_paths(clips), self.identity, self._timeout)


RECOGNISER = RecogniserFactory(
    lambda argument, _: Command(argument, read_patience()),
    __doc__,
    free_text=True,
    needs="a program, as in 'command:my-recogniser --language en'",
)
