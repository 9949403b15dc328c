"""Voices, by name: which programs speak with them, and what installs those that are missing.

``slt``, ``rms``, ``awb`` and ``kal16`` are flite's, ``espeak-f`` and ``espeak-m`` espeak-ng's; ``piper:MODEL.onnx`` is
any voice of Piper, with ``?speaker=female`` or ``male`` to say whose voice it is.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from epicene.errors import InputError
from epicene.files import fingerprint
from epicene.registry import Factory, Found, Kind, build
from epicene.spec import Options
from epicene.speech.manifest import SPEAKERS
from epicene.speech.speaking import Anew, Piper, Speaker, run
from epicene.tables import table

if TYPE_CHECKING:
    from epicene.speech.audio import Samples

INSTALL = {
    "flite": "apt-get install flite",
    "espeak-ng": "apt-get install espeak-ng",
    "piper": "pip install piper-tts",
}
_VERSION = re.compile(r"\d+(?:\.\d+)+[\w.-]*")


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


class Offer(NamedTuple):
    """A voice that can be had."""

    name: str
    speaker: str
    language: str
    title: str
    installed: bool
    install: str  # the command that installs it


@dataclass(frozen=True, slots=True)
class VoiceFactory(Factory[Voice]):
    """Builds a voice from the argument and the options of its name, and says whose voice it is."""

    speaker: str = "unknown"  # "female", "male" or "unknown"
    language: str = "any"
    installed: Callable[[], bool] = lambda: True
    install: str = ""  # the command that installs what it needs


def _own() -> Found:
    rows = {row["name"]: partial(_listed, row) for row in table("speech/tables/voices.tsv")}
    return {**rows, "piper": lambda: PIPER}


VOICES = Kind("voice", "epicene.voices", (VoiceFactory,), _own)


def available() -> list[Offer]:
    """All voices by name, with whether they are installed and how to install them."""
    order = {name: place for place, name in enumerate(_own())}  # as the table has them, then those of others
    found = []
    for name in sorted(VOICES.names(), key=lambda name: order.get(name, len(order))):
        each = VOICES.find(name)
        found.append(Offer(each.usage, each.speaker, each.language, each.summary, each.installed(), each.install))
    return found


def load(name: str) -> Voice:
    """The voice of a name; one that is not installed is refused with the command that installs it."""
    return build(VOICES, name)


def _listed(row: Mapping[str, str]) -> VoiceFactory:
    """A voice of the shipped table."""
    program, voice = row["program"], row["voice"]
    return VoiceFactory(
        partial(_shipped, row),
        f"``{row['name']}``: {row['title']}",
        speaker=row["speaker"],
        language=row["language"],
        installed=partial(_installed, program, voice),
        install=INSTALL[program],
    )


def _shipped(row: Mapping[str, str], argument: str, options: Options) -> Voice:  # noqa: ARG001 - none is known
    name, program, voice = row["name"], row["program"], row["voice"]
    if argument:
        raise InputError(f"voice {name}:{argument}: {name} takes no argument")
    path = _needed(program, name)
    if not _installed(program, voice):
        raise InputError(f"voice {name}: this {program} has no voice {voice}; install the one of: {INSTALL[program]}")

    def command(wav: Path) -> list[str]:
        if program == "flite":
            return [path, "-voice", voice, "-f", "/dev/stdin", "-o", str(wav)]
        return [path, "-v", voice, "-w", str(wav), "--stdin"]

    identity = f"{program}-{_version(path)}:{voice}"
    return Voice(name, identity, row["speaker"], row["language"], partial(Anew, name, command))


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
    path = _needed("piper", f"piper:{argument}")
    name = re.sub(r"[^\w-]", "-", model.stem) + (f"-{which}" if which else "")
    # Spelt so, all of Piper's programs know them: the Python package and the older one in C++.
    quiet = ["--noise_scale", "0", "--noise_w", "0", "--speaker", str(which)]
    words = [path, "--model", str(model.absolute()), *quiet]
    identity = f"piper:{model.name}@{fingerprint([model, config])}?id={which}"
    return Voice(name, identity, speaker, language, partial(Piper, name, words))


PIPER = VoiceFactory(
    _piper,
    "``piper:MODEL``: any of Piper: piper:MODEL.onnx?speaker=female",
    installed=lambda: _program("piper") is not None,
    install=INSTALL["piper"],
)


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


@cache
def _answer(*words: str) -> str:
    """What a program says of itself; flite ends with code 1 after that."""
    return run(list(words), "", words[0]).stdout.decode("utf-8", "replace")
