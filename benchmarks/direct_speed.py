"""The direct speech translator on one CPU core: seconds of work for a second of speech, and how large it is.

A model of the shipped recipe with random weights, since time does not depend on what was learnt, hears sentences of
SimpleGEN that flite speaks. It never ends a sentence of its own accord, so what it writes is cut after 24 pieces, as
many as such a sentence has; ``to the end`` is what a model costs that goes on as long as it may.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

from epicene.lab import arrays, augment, store
from epicene.lab.speech import export, vocabulary
from epicene.lab.speech.recipe import LANGUAGES, load
from epicene.sets.simplegen import SET
from epicene.spec import Options
from epicene.speech import manifest, synthesis, voices
from epicene.speech.direct import DirectModel
from epicene.types import Pair

SENTENCES, SEED, VOICE = 20, 1, "slt"


def main() -> None:
    """Print the size and the real-time factors."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _untrained(folder / "model")
        export.export(folder / "model", folder / "ct2")
        sizes = {path.name: path.stat().st_size for path in sorted((folder / "ct2").iterdir())}
        listed = ", ".join(f"{each} {size / 1e6:.2f}" for each, size in sizes.items())
        print(f"{sum(sizes.values()) / 1e6:.2f} MB in 8 bits: {listed}")
        items = random.Random(SEED).sample(list(SET.items(Pair("en", "de"))), SENTENCES)
        said = {item.source: str(number) for number, item in enumerate(items)}
        synthesis.synthesise([(key, text) for text, key in said.items()], [voices.load(VOICE)], folder / "wav")
        clips = manifest.read(folder / "wav")
        for compute in ("float32", "int8"):
            for beam in (1, 5):
                _row(folder / "ct2", clips, f"beam={beam}&compute={compute}")


def _untrained(folder: Path) -> None:
    import torch

    from epicene.lab.speech.model import SpeechModel

    torch.manual_seed(SEED)
    shape = load().shape
    lines = [f"{source} {target}" for code in LANGUAGES[1:] for source, target in augment.pairs(code)]
    vocabulary.learn(lines, shape.vocabulary, folder / store.PIECES)
    store.describe(folder, shape, {"languages": list(LANGUAGES)})
    parts = SpeechModel(shape).named_parameters()
    arrays.save(folder / store.WEIGHTS, {name: part.detach().numpy() for name, part in parts})


def _row(folder: Path, clips: list[manifest.Clip], options: str) -> None:
    sound = sum(clip.seconds for clip in clips)
    found = []
    for longest in (2 * 24, None):  # twice as many pieces as are written
        given = dict(each.split("=") for each in f"{options}&workers=1".split("&"))
        model: Any = DirectModel(str(folder), Options("direct", given))
        model._length = longest or model._length
        list(model.write([clips[0].path], "de"))
        wall, processor = time.perf_counter(), time.process_time()
        list(model.write([clip.path for clip in clips], "de"))
        found += [time.process_time() - processor, time.perf_counter() - wall]
    factors = [seconds / sound for seconds in found]
    print(
        f"{options:<24} {sound:.0f} s of speech: real-time factor {factors[0]:.3f} of processor ({factors[1]:.3f} by "
        f"the clock); to the end {factors[2]:.3f} ({factors[3]:.3f})",
        flush=True,
    )


if __name__ == "__main__":
    main()
