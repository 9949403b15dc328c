"""Voices, by name: which programs speak with them, and what installs those that are missing.

``slt``, ``rms``, ``awb`` and ``kal16`` are flite's, ``espeak-f`` and ``espeak-m`` espeak-ng's; ``piper:MODEL.onnx`` is
any voice of Piper, with ``?speaker=female`` or ``male`` to say whose voice it is.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from epicene.errors import InputError, SystemFailure
from epicene.files import fingerprint
from epicene.languages.english import joined
from epicene.program import ResidentProgram
from epicene.registry import Factory, Loaders, Options, Registry, build
from epicene.speech import audio
from epicene.speech.manifest import SPEAKERS
from epicene.tables import table

if TYPE_CHECKING:
    from epicene.speech.audio import Samples

INSTALL = {
    "flite": "apt-get install flite",
    "espeak-ng": "apt-get install espeak-ng",
    "piper": "pip install piper-tts",
}
_VERSION = re.compile(r"\d+(?:\.\d+)+[\w.-]*")
_TEXT = "text.txt"  # what is to be spoken, for programs that read a file
_SECONDS = 120  # for a sentence


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice that is installed."""

    name: str
    identity: str  # all that can change its sound
    speaker: str  # "female", "male" or "unknown"
    language: str
    start: Callable[[], Speaker]  # a program that speaks with it

    def speak(self, text: str) -> tuple[Samples, int]:
        """The sound of one text, and its rate; for many, start a program and let it speak them all."""
        with closing(self.start()) as speaker:
            return speaker.speak(text)


@dataclass(frozen=True, slots=True)
class VoiceFactory(Factory[Voice]):
    """Builds a voice from the argument and the options of its name, and says whose voice it is."""

    speaker: str = "unknown"  # "female", "male" or "unknown"
    language: str = "any"
    installed: Callable[[], bool] = lambda: True
    install: str = ""  # the command that installs what it needs


def _own() -> Loaders:
    rows = {row["name"]: partial(_make_factory, row) for row in table("speech/tables/voices.tsv")}
    return {**rows, "piper": lambda: PIPER}


VOICES = Registry("voice", "epicene.voices", (VoiceFactory,), _own)


def available() -> list[VoiceFactory]:
    """All voices that can be had, as the table has them, then those of other packages."""
    order = list(_own())
    return [VOICES.find(name) for name in (*order, *(name for name in VOICES.names() if name not in order))]


def load(name: str) -> Voice:
    """The voice of a name; one that is not installed is refused with the command that installs it."""
    return build(VOICES, name)


def _make_factory(row: Mapping[str, str]) -> VoiceFactory:
    """A voice of the shipped table."""
    program, voice = row["program"], row["voice"]
    return VoiceFactory(
        partial(_open_shipped, row),
        f"``{row['name']}``: {row['title']}",
        speaker=row["speaker"],
        language=row["language"],
        installed=partial(_is_installed, program, voice),
        install=INSTALL[program],
    )


def _open_shipped(row: Mapping[str, str], argument: str, options: Options) -> Voice:  # noqa: ARG001 - none is known
    name, program, voice = row["name"], row["program"], row["voice"]
    if argument:
        raise InputError(f"voice {name}:{argument}: {name} takes no argument")
    path = _find_program(program, name)
    if not _is_installed(program, voice):
        raise InputError(f"voice {name}: this {program} has no voice {voice}; install the one of: {INSTALL[program]}")

    def command(wav: Path) -> list[str]:
        if program == "flite":
            return [path, "-voice", voice, "-f", str(wav.with_name(_TEXT)), "-o", str(wav)]
        return [path, "-v", voice, "-w", str(wav), "--stdin"]

    identity = f"{program}-{_version(path)}:{voice}"
    return Voice(name, identity, row["speaker"], row["language"], partial(FreshProgram, name, command))


def _piper(argument: str, options: Options) -> Voice:
    """A Piper voice without its noise, so that a sentence always sounds the same."""
    model = Path(argument)
    if not argument or not model.is_file():
        raise InputError(
            f"piper:{argument}: no such file; expected the .onnx file of a voice, fetched for example with: "
            "python -m piper.download_voices en_US-amy-medium"
        )
    config = Path(f"{model}.json")
    try:
        content = json.loads(config.read_text(encoding="utf-8"))
        language = str(content.get("language", {}).get("code", "en"))[:2]
        speakers = max(1, int(content.get("num_speakers", 1)))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{config}: {error}; a Piper voice is two files, MODEL.onnx and MODEL.onnx.json") from None
    speaker = options.text("speaker", "unknown")
    if speaker not in SPEAKERS:
        raise InputError(f"voice piper: speaker={speaker!r}; known: {', '.join(SPEAKERS)}")
    which = options.number("id", 0, least=0)
    if which >= speakers:
        raise InputError(f"voice piper: id={which}; the speakers of {model.name} are 0 to {speakers - 1}")
    path = _find_program("piper", f"piper:{argument}")
    name = re.sub(r"[^\w-]", "-", model.stem) + (f"-{which}" if which else "")
    # Spelt so, all of Piper's programs know them: the Python package and the older one in C++.
    quiet = ["--noise_scale", "0", "--noise_w", "0", "--speaker", str(which)]
    words = [path, "--model", str(model.absolute()), *quiet]
    identity = f"piper:{model.name}@{fingerprint([model, config])}?id={which}"
    return Voice(name, identity, speaker, language, partial(Piper, name, words))


PIPER = VoiceFactory(
    _piper,
    "``piper:MODEL``: any of Piper: piper:MODEL.onnx?speaker=female",
    installed=lambda: _locate_program("piper") is not None,
    install=INSTALL["piper"],
)


def _locate_program(name: str) -> str | None:
    """Where a program is; Piper may have been installed beside this Python."""
    return shutil.which(name) or (
        shutil.which(name, path=str(Path(sys.executable).parent)) if name == "piper" else None
    )


def _find_program(program: str, name: str) -> str:
    path = _locate_program(program)
    if path is None:
        raise InputError(f"voice {name} needs the program {program}, which is not installed; run: {INSTALL[program]}")
    return path


def _is_installed(program: str, voice: str) -> bool:
    path = _locate_program(program)
    if path is None:
        return False
    return program != "flite" or voice in _ask_program(path, "-lv").split()


def _version(path: str) -> str:
    number = _VERSION.search(_ask_program(path, "--version"))
    return number.group() if number else "unknown"


@cache
def _ask_program(*words: str) -> str:
    """What a program says of itself; flite ends with code 1 after that."""
    return run(list(words), "", words[0]).stdout.decode("utf-8", "replace")


class Speaker(Protocol):
    """A program at work; it speaks one text at a time."""

    def speak(self, text: str) -> tuple[Samples, int]:
        """The sound of a text as the program makes it, and its rate."""
        ...

    def close(self) -> None:
        """End the program."""
        ...


class FreshProgram:
    """A program that is started for each sentence."""

    def __init__(self, name: str, command: Callable[[Path], list[str]]) -> None:
        self._name = name
        self._command = command  # the program and its arguments; it speaks stdin, or the text beside it, into the file

    def speak(self, text: str) -> tuple[Samples, int]:
        """The sound of a text as the program makes it, and its rate."""
        line = _clean_text(self._name, text)
        with tempfile.TemporaryDirectory(prefix="epicene-voice-") as folder:
            path = Path(folder) / "spoken.wav"
            path.with_name(_TEXT).write_text(line + "\n", encoding="utf-8")
            words = self._command(path)
            done = run(words, line + "\n", f"voice {self._name}")
            if done.returncode or not path.is_file():
                last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
                raise _describe_silence(self._name, words[0], line, done.returncode, last)
            return _load_sound(path, self._name, words[0])

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
            self._program = ResidentProgram(
                [*words, "--output_dir", self._folder.name], f"voice {name}", _SECONDS, merged=True
            )
        except SystemFailure:
            self._folder.cleanup()
            raise

    def speak(self, text: str) -> tuple[Samples, int]:
        """The sound of a text as Piper makes it, and its rate."""
        line, last = _clean_text(self._name, text), ""
        for answer in self._program.ask(line):
            _, prefix, name = answer.rpartition(self._folder.name)
            path = Path(self._folder.name + name)
            if prefix and path.suffix == ".wav" and path.is_file():
                sound = _load_sound(path, self._name, self._words[0])
                path.unlink()
                return sound
            last = answer.strip() or last
        raise _describe_silence(self._name, self._words[0], line, self._program.code(), last)

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


def _clean_text(name: str, text: str) -> str:
    """A text as one line; of "the nurse 's" programs would spell the last letter."""
    line = joined(" ".join(text.split()))
    if not line:
        raise InputError(f"voice {name}: a blank text cannot be spoken")
    if "\x00" in line:
        raise InputError(f"voice {name}: a NUL in the text {line!r}; expected words")
    return line


def _load_sound(path: Path, name: str, program: str) -> tuple[Samples, int]:
    try:
        rate = audio.inspect(path).rate
        return audio.load(path, rate), rate
    except InputError as error:
        room = f"is there room in {path.parent.parent}?"
        raise SystemFailure(f"voice {name}: {program} made no sound that can be read; {room} ({error})") from None


def _describe_silence(name: str, program: str, text: str, code: int, last: str) -> SystemFailure:
    more = f"; it said: {last}" if last else ""
    return SystemFailure(f"voice {name}: {program} made no sound of {text!r} and ended with code {code}{more}")
