"""Folders of recordings for tests: a tone for each sentence, and programs that hear and interpret what they are told."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from epicene.speech import audio, manifest
from epicene.speech.manifest import Clip

SPEAKERS = {"slt": "female", "rms": "male", "awb": "male"}
TABLE = """id\tsource\tfocus\texpected
1\tThe carpenter thanked the clerk because she had waited.\tcarpenter\tfeminine
2\tThe nurse told the driver that his bus was late.\tnurse\tmasculine
3\tThe plumber showed the florist her van.\tplumber\tfeminine
4\tThe cook called the judge because he was ill.\tcook\tmasculine
"""
SENTENCES = {row.split("\t")[0]: row.split("\t")[1] for row in TABLE.splitlines()[1:]}
# Answers by a table of what to say for which recording, noting each one asked for.
PROGRAM = """
import json, pathlib, sys, time
answers = json.loads(pathlib.Path(sys.argv[1]).read_text())
log = open(sys.argv[2], "a", buffering=1)
for line in sys.stdin:
    path = pathlib.Path(line.strip())
    log.write(f"{path.parent.name}/{path.stem}\\n")
    time.sleep(float(sys.argv[3]))
    print(answers.get(f"{path.parent.name}/{path.stem}", answers.get(path.stem, "")), flush=True)
"""


def recorded(folder: Path, sentences: Mapping[str, str] = SENTENCES, voices: Sequence[str] = ("slt", "rms")) -> Path:
    """A folder in which voices hum each sentence, each at its own pitch."""
    import numpy as np

    clips = []
    for low, voice in enumerate(voices, 2):
        (folder / voice).mkdir(parents=True, exist_ok=True)
        for number, (key, text) in enumerate(sentences.items()):
            path = folder / voice / f"{key}.wav"
            times = np.arange(audio.RATE // 4) / audio.RATE
            tone = 0.2 * np.sin(2 * np.pi * (100 * low + number) * times)
            path.write_bytes(audio.encode(tone.astype(np.float32)))
            clips.append(Clip(key, path, text, voice, SPEAKERS[voice], 0.25, manifest.checksum(path) or ""))
    manifest.write(folder, clips)
    return folder


def answering(folder: Path, name: str, answers: Mapping[str, str], seconds: float = 0.0) -> str:
    """The command of a program that answers ``VOICE/ID`` or ``ID`` by a table; ``NAME.log`` notes what it was asked."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    (folder / f"{name}.json").write_text(json.dumps(dict(answers)), encoding="utf-8")
    return f"{sys.executable} {folder / 'program.py'} {folder / f'{name}.json'} {folder / f'{name}.log'} {seconds}"


def asked(folder: Path, name: str) -> list[str]:
    """What a program was asked so far."""
    path = folder / f"{name}.log"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def custom(folder: Path) -> str:
    """A table of the four sentences, as a set."""
    path = folder / "sentences.tsv"
    path.write_text(TABLE, encoding="utf-8")
    return f"custom:{path}"
