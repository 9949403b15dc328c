"""Whether the direct speech translator's pipeline learns: a tiny model is trained on a few spoken sentences.

Sentences about people, with a translation each, are spoken by a voice of flite, stored as shards, learnt by heart on
this CPU, exported for CTranslate2 and heard again as WAV files by ``direct:``. Printed is what of them comes back word
by word, from English to English (recognition) and to German (translation). It takes a few minutes.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # tiny models only wait for more threads

import numpy as np

from epicene import systems
from epicene.speech import audio, features, manifest, recognisers, synthesis, voices
from epicene.types import Pair
from epicene_lab import augment
from epicene_lab.speech import export, targets
from epicene_lab.speech.recipe import SpeechRecipe, SpeechShape, SpeechTraining
from epicene_lab.speech.train import train
from epicene_lab.speech.training import Order

COUNT, SEED, VOICE = 60, 1, "slt"
SHAPE = SpeechShape(encoder=3, decoder=2, dim=128, heads=4, ffn=256, vocabulary=400, positions=300, ctc_layer=3)
TRAINING = SpeechTraining(
    updates=700, batch_frames=2500, recognition=0.4, rate=2e-3, warmup=60, dropout=0.0, time_masks=0, band_masks=0,
    speed=0.03,
)  # fmt: skip


def main() -> None:
    """Print how many sentences of so many come back."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = random.Random(SEED).sample(list(augment.pairs("de")), COUNT)
        said = [(str(number), source) for number, (source, _) in enumerate(pairs)]
        synthesis.synthesise(said, [voices.load(VOICE)], folder / "wav")
        clips = sorted(manifest.read(folder / "wav"), key=lambda clip: int(clip.id))
        spoken(clips, folder / "shards")
        (folder / "text.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
        recipe = SpeechRecipe(SHAPE, replace(TRAINING, updates=int(sys.argv[1]) if sys.argv[1:] else TRAINING.updates))
        targets.prepare(folder / "text.tsv", recipe, folder / "data")
        start = time.perf_counter()
        train(Order(recipe, folder / "data", folder / "shards", folder / "model"), print)
        print(f"trained in {time.perf_counter() - start:.0f} s")
        print(*(folder / "model" / "log.jsonl").read_text(encoding="utf-8").splitlines()[-3:], sep="\n")
        export.export(folder / "model", folder / "ct2")
        paths = [clip.path for clip in clips]
        heard = list(recognisers.load(f"direct:{folder / 'ct2'}").transcribe(paths))
        translated = list(systems.load_for_speech(f"direct:{folder / 'ct2'}").interpret(paths, Pair("en", "de")))
        for what, found, wanted in (("en", heard, [a for a, _ in pairs]), ("de", translated, [b for _, b in pairs])):
            right = sum(each == other for each, other in zip(found, wanted, strict=True))
            print(f"{what}: {right} of {COUNT} as they should be; the first: {found[0]!r}, wanted {wanted[0]!r}")


def spoken(clips: list[manifest.Clip], folder: Path) -> None:
    """A shard of recordings, in order."""
    found = [features.packed(features.log_mel(audio.load(clip.path))).T for clip in clips]
    folder.mkdir(parents=True)
    np.save(folder / "0.features.npy", np.concatenate(found))
    offsets = np.cumsum([0, *map(len, found)])
    rows = np.arange(len(clips))
    np.savez(
        folder / "0.index.npz", offsets=offsets, sentence=rows.astype(np.int32), voice=np.zeros(len(rows), np.int16)
    )


if __name__ == "__main__":
    main()
