"""Voices: programs that read a sentence aloud. Texts reach them through standard input, never through a shell.

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
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from epicene.data import table
from epicene.errors import InputError, SystemFailure, UnknownNameError
from epicene.files import fingerprint
from epicene.spec import Options, parse
from epicene.speech import audio
from epicene.speech.manifest import SPEAKERS

if TYPE_CHECKING:
    from epicene.speech.audio import Samples

INSTALL = {
    "flite": "apt-get install flite",
    "espeak-ng": "apt-get install espeak-ng",
    "piper": "pip install piper-tts (GPL; epicene only runs it)",
}
_SECONDS = 120  # for a sentence
_VERSION = re.compile(r"\d+(?:\.\d+)+[\w.-]*")


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice that is installed."""

    name: str
    identity: str  # all that can change its sound
    speaker: str  # "female", "male" or "unknown"
    language: str
    command: Callable[[Path], list[str]]  # the program and its arguments; it speaks into the file

    def speak(self, text: str) -> tuple[Samples, int]:
        """The sound of a text as the program makes it, and its rate."""
        said = " ".join(text.split())
        if not said:
            raise InputError(f"voice {self.name}: a blank text cannot be spoken")
        if "\x00" in said:
            raise InputError(f"voice {self.name}: a NUL in the text {said!r}; expected words")
        with tempfile.TemporaryDirectory(prefix="epicene-voice-") as folder:
            path = Path(folder) / "spoken.wav"
            words = self.command(path)
            done = _run(words, said + "\n", f"voice {self.name}")
            if done.returncode or not path.is_file():
                last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
                raise SystemFailure(
                    f"voice {self.name}: {words[0]} made no sound of {said!r} and ended with code {done.returncode}"
                    + (f"; it said: {last}" if last else "")
                )
            rate = audio.inspect(path).rate
            return audio.load(path, rate), rate


class Offer(NamedTuple):
    """A voice that can be had."""

    name: str
    speaker: str
    language: str
    title: str
    installed: bool
    install: str  # the command that installs it


def available() -> list[Offer]:
    """All voices by name, with whether they are installed and how to install them."""
    found = [
        Offer(
            row["name"],
            row["speaker"],
            row["language"],
            row["title"],
            _installed(row["program"], row["voice"]),
            INSTALL[row["program"]],
        )
        for row in table("voices.tsv")
    ]
    title = "any Piper voice, as piper:MODEL.onnx?speaker=female"
    return [*found, Offer("piper:MODEL", "unknown", "any", title, _program("piper") is not None, INSTALL["piper"])]


def load(name: str) -> Voice:
    """The voice of a name; one that is not installed is refused with the command that installs it."""
    kind, argument, options = parse(name, what="voice")
    if kind == "piper":
        found = _piper(argument, options)
    else:
        row = next((row for row in table("voices.tsv") if row["name"] == kind and not argument), None)
        if row is None:
            raise UnknownNameError("voice", name, [offer.name for offer in available()])
        found = _shipped(row["name"], row["program"], row["voice"], row["speaker"], row["language"])
    options.done()
    return found


def _shipped(name: str, program: str, voice: str, speaker: str, language: str) -> Voice:
    path = _needed(program, name)
    if not _installed(program, voice):
        raise InputError(f"voice {name}: this {program} has no voice {voice}; install the one of: {INSTALL[program]}")

    def command(wav: Path) -> list[str]:
        if program == "flite":
            return [path, "-voice", voice, "-f", "/dev/stdin", "-o", str(wav)]
        return [path, "-v", voice, "-w", str(wav), "--stdin"]

    return Voice(name, f"{program}-{_version(path)}:{voice}", speaker, language, command)


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
        language = str(json.loads(config.read_text(encoding="utf-8")).get("language", {}).get("code", "en"))[:2]
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(f"{config}: {error}; a Piper voice is two files, MODEL.onnx and MODEL.onnx.json") from None
    speaker = options.text("speaker", "unknown")
    if speaker not in SPEAKERS:
        raise InputError(f"voice piper: speaker={speaker!r}; known: {', '.join(SPEAKERS)}")
    which = options.number("id", 0, least=0)
    path = _needed("piper", f"piper:{argument}")
    name = re.sub(r"[^\w-]", "-", model.stem) + (f"-{which}" if which else "")

    def command(wav: Path) -> list[str]:
        quiet = ["--noise-scale", "0", "--noise-w-scale", "0", "--speaker", str(which)]
        return [path, "--model", str(model), "--output-file", str(wav), *quiet]

    return Voice(name, f"piper:{model.name}@{fingerprint([model, config])}?id={which}", speaker, language, command)


def _program(name: str) -> str | None:
    """Where a program is; Piper may have been installed beside this Python."""
    return shutil.which(name) or (
        shutil.which(name, path=str(Path(sys.executable).parent)) if name == "piper" else None
    )


def _needed(program: str, name: str) -> str:
    path = _program(program)
    if path is None:
        raise InputError(f"voice {name} needs the program {program}, which is not installed; run: {INSTALL[program]}")
    return path


def _installed(program: str, voice: str) -> bool:
    path = _program(program)
    if path is None:
        return False
    return program != "flite" or voice in _answer(path, "-lv").split()


def _version(path: str) -> str:
    found = _VERSION.search(_answer(path, "--version"))
    return found.group() if found else "unknown"


def _run(words: list[str], text: str, what: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(words, input=text.encode(), capture_output=True, timeout=_SECONDS, check=False)
    except OSError as error:
        raise SystemFailure(f"{what}: cannot start {words[0]}: {error.strerror or error}") from None
    except subprocess.TimeoutExpired:
        raise SystemFailure(f"{what}: {words[0]} took longer than {_SECONDS} s for a sentence") from None


@cache
def _answer(*words: str) -> str:
    """What a program says of itself; flite ends with code 1 after that."""
    return _run(list(words), "", words[0]).stdout.decode("utf-8", "replace")
