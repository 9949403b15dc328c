"""``command:CMD``: any program that reads the path of a WAV file a line and writes what is said there, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from epicene.files import marked
from epicene.program import answers, named_files, path_lines, patience, words_of
from epicene.speech.recognisers import RecogniserFactory


class Command:
    """Runs a program once for all recordings that are missing."""

    batch_size = None

    def __init__(self, command: str, timeout: float) -> None:
        self._words = words_of(command)
        self._timeout = timeout
        self.identity = marked(f"command:{command}", named_files(self._words))

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        """The program's lines as they arrive."""
        return answers(self._words, path_lines(clips), self.identity, self._timeout)


RECOGNISER = RecogniserFactory(
    lambda argument, _: Command(argument, patience()),
    __doc__,
    free_text=True,
    needs="a program, as in 'command:my-recogniser --language en'",
)
