"""Programs that speak: those that are started for each sentence, and Piper, which stays and is told the next one.

A text reaches them through standard input, never through a shell.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from epicene.errors import InputError, SystemFailure
from epicene.languages.english import joined
from epicene.program import Staying
from epicene.speech import audio

if TYPE_CHECKING:
    from epicene.speech.audio import Samples

_SECONDS = 120  # for a sentence


class Speaker(Protocol):
    """A program at work; it speaks one text at a time."""

    def speak(self, text: str) -> tuple[Samples, int]:
        """The sound of a text as the program makes it, and its rate."""
        ...

    def close(self) -> None:
        """End the program."""
        ...


class Anew:
    """A program that is started for each sentence."""

    def __init__(self, name: str, command: Callable[[Path], list[str]]) -> None:
        self._name = name
        self._command = command  # the program and its arguments; it speaks into the file

    def speak(self, text: str) -> tuple[Samples, int]:
        """The sound of a text as the program makes it, and its rate."""
        said = _said(self._name, text)
        with tempfile.TemporaryDirectory(prefix="epicene-voice-") as folder:
            path = Path(folder) / "spoken.wav"
            words = self._command(path)
            done = run(words, said + "\n", f"voice {self._name}")
            if done.returncode or not path.is_file():
                last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
                raise _silent(self._name, words[0], said, done.returncode, last)
            return _heard(path, self._name, words[0])

    def close(self) -> None:
        """Nothing is left of it."""


class Piper:
    """Piper, which loads its model once and then makes a file of each line; it ends when its input does.

    Where the file is, it says in a line of its own once the file is whole: its Python package in its log, its older
    program in C++ on standard output.
    """

    def __init__(self, name: str, words: list[str]) -> None:
        self._name, self._words = name, words
        self._folder = tempfile.TemporaryDirectory(prefix="epicene-voice-")
        try:
            self._program = Staying([*words, "--output_dir", self._folder.name], f"voice {name}", _SECONDS, merged=True)
        except SystemFailure:
            self._folder.cleanup()
            raise

    def speak(self, text: str) -> tuple[Samples, int]:
        """The sound of a text as Piper makes it, and its rate."""
        said, last = _said(self._name, text), ""
        for line in self._program.ask(said):
            _, found, name = line.rpartition(self._folder.name)
            path = Path(self._folder.name + name)
            if found and path.suffix == ".wav" and path.is_file():
                sound = _heard(path, self._name, self._words[0])
                path.unlink()
                return sound
            last = line.strip() or last
        raise _silent(self._name, self._words[0], said, self._program.code(), last)

    def close(self) -> None:
        """End it, whatever it does."""
        self._program.close()
        self._folder.cleanup()


def run(words: list[str], text: str, what: str) -> subprocess.CompletedProcess[bytes]:
    """What a program makes of a text."""
    try:
        return subprocess.run(words, input=text.encode(), capture_output=True, timeout=_SECONDS, check=False)
    except OSError as error:
        raise SystemFailure(f"{what}: cannot start {words[0]}: {error.strerror or error}") from None
    except subprocess.TimeoutExpired:
        raise SystemFailure(f"{what}: {words[0]} took longer than {_SECONDS} s for a sentence") from None


def _said(name: str, text: str) -> str:
    """A text as one line; of "the nurse 's" programs would spell the last letter."""
    said = joined(" ".join(text.split()))
    if not said:
        raise InputError(f"voice {name}: a blank text cannot be spoken")
    if "\x00" in said:
        raise InputError(f"voice {name}: a NUL in the text {said!r}; expected words")
    return said


def _heard(path: Path, name: str, program: str) -> tuple[Samples, int]:
    try:
        rate = audio.inspect(path).rate
        return audio.load(path, rate), rate
    except InputError as error:
        room = f"is there room in {path.parent.parent}?"
        raise SystemFailure(f"voice {name}: {program} made no sound that can be read; {room} ({error})") from None


def _silent(name: str, program: str, said: str, code: int, last: str) -> SystemFailure:
    return SystemFailure(
        f"voice {name}: {program} made no sound of {said!r} and ended with code {code}"
        + (f"; it said: {last}" if last else "")
    )
