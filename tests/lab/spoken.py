"""Sentences hummed instead of spoken: each has tones of its own, so that a tiny model learns them while one waits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from epicene.speech import audio, features
from epicene_lab.speech import targets
from epicene_lab.speech.recipe import SpeechRecipe, SpeechShape, SpeechTraining

ROWS = [
    ("The carpenter thanked her.", "Die Tischlerin dankte.", "La carpintera."),
    ("The nurse spoke.", "Der Pfleger sprach.", "El enfermero."),
    ("The plumber has a van.", "Die Klempnerin.", "La fontanera."),
    ("The cook called.", "Der Koch rief an.", "El cocinero."),
]
SHAPE = SpeechShape(
    encoder=2, decoder=1, dim=48, heads=2, ffn=96, vocabulary=110, positions=100, length=80, ctc_layer=2
)
TRAINING = SpeechTraining(
    updates=8,
    batch_frames=400,
    rate=4e-3,
    warmup=10,
    dropout=0.0,
    time_masks=1,
    band_masks=1,
    longest=70,
    averaged=0.25,
)


def hummed(number: int, seconds: float = 0.9) -> np.ndarray:
    """Three tones after one another, which tell the sentence."""
    times = np.arange(int(audio.RATE * seconds)) / audio.RATE
    steps = np.minimum((3 * times / seconds).astype(int), 2)
    pitches = np.array([300 + 250 * number, 2600 - 350 * number, 500 + 600 * number])[steps]
    return (0.2 * np.sin(2 * np.pi * np.cumsum(pitches) / audio.RATE)).astype(np.float32)


def shard(folder: Path, name: str, rows: Sequence[int], seconds: float = 0.9) -> Path:
    """A shard in which some sentences are hummed."""
    folder.mkdir(parents=True, exist_ok=True)
    found = [features.pack(features.log_mel(hummed(row, seconds))).T for row in rows]
    np.save(folder / f"{name}.features.npy", np.concatenate(found))
    offsets, zeros = np.cumsum([0, *map(len, found)]), np.zeros(len(rows), np.int16)
    np.savez(folder / f"{name}.index.npz", offsets=offsets, sentence=np.array(rows, np.int32), voice=zeros)
    return folder


def prepared(folder: Path, recipe: SpeechRecipe) -> Path:
    """The text of the sentences, with Italian nowhere and French once, cut into pieces."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [[*row, "La plombière.", ""] if number == 2 else [*row, "", ""] for number, row in enumerate(ROWS)]
    lines = ["\t".join(row) for row in [["en", "de", "es", "fr", "it"], *rows]]
    (folder / "text.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    targets.prepare(folder / "text.tsv", recipe, folder)
    return folder
