"""The shipped direct speech translator on one CPU core: seconds of work for a second of speech, and how large it is.

It hears sentences of SimpleGEN that flite speaks and writes German. Beside processor time stands the clock's, which
depends on what else the machine does.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from epicene.models import model_folder
from epicene.sets.simplegen import SET
from epicene.spec import Options
from epicene.speech import manifest, synthesis, voices
from epicene.speech.direct import BUNDLED, DirectModel
from epicene.types import Pair

SENTENCES, SEED, VOICE = 20, 1, "slt"


def main() -> None:
    """Print the size and the real-time factors."""
    sizes = {path.name: path.stat().st_size for path in sorted(model_folder("direct").iterdir())}
    listed = ", ".join(f"{each} {size / 1e6:.2f}" for each, size in sizes.items())
    print(f"{sum(sizes.values()) / 1e6:.2f} MB in 8 bits: {listed}")
    with tempfile.TemporaryDirectory() as name:
        items = random.Random(SEED).sample(list(SET.items(Pair("en", "de"))), SENTENCES)
        said = {item.source: str(number) for number, item in enumerate(items)}
        synthesis.synthesise([(key, text) for text, key in said.items()], [voices.load(VOICE)], Path(name))
        clips = manifest.read(Path(name))
        for compute in ("float32", "int8"):
            for beam in (1, 5):
                _row(clips, {"beam": str(beam), "compute": compute})


def _row(clips: list[manifest.Clip], options: dict[str, str]) -> None:
    sound = sum(clip.seconds for clip in clips)
    model = DirectModel(BUNDLED, Options("direct", {**options, "workers": "1"}))
    list(model.write([clips[0].path], "de"))
    wall, processor = time.perf_counter(), time.process_time()
    list(model.write([clip.path for clip in clips], "de"))
    factors = (time.process_time() - processor) / sound, (time.perf_counter() - wall) / sound
    title = " ".join(f"{name}={value}" for name, value in options.items())
    print(
        f"{title:<24} {sound:.0f} s of speech: real-time factor {factors[0]:.3f} of processor ({factors[1]:.3f} by the "
        "clock)",
        flush=True,
    )


if __name__ == "__main__":
    main()
