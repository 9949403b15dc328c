"""WinoMT spoken by two voices, recognised by pocketsphinx, translated by the bundled system; takes minutes, goes on.

At the end stands the study of the paper, with the direct system that ships beside cascade and text if it is here.

``WINOST_PART=4`` takes every fourth of the 400 sentences, for a machine that is busy.
"""

from __future__ import annotations

import os
import random
import time
from dataclasses import replace
from pathlib import Path

from epicene import api, published
from epicene.cli.options import Format
from epicene.cli.show import show, show_study
from epicene.files import home
from epicene.flow import listening as speech
from epicene.flow import plan
from epicene.measures.speech import RECOGNITION
from epicene.sets.winost.study import STUDY
from epicene.speech import manifest, recognisers, synthesis, voices
from epicene.store.cache import Cache

SENTENCES, SEED, VOICES, LANGS = 400, 2022, ("slt", "rms"), ("en-es", "en-de")
RECOGNISER, SYSTEM = "pocketsphinx", "bundled"
_HEARD = {"wer", *(rate.name for rate in RECOGNITION)}  # printed once, not for each language


def spoken(folder: Path) -> None:
    """Speak a seeded sample of WinoMT, or what is missing of it, as 'epicene speech synthesize --sample' does."""
    challenge = plan.open_set("winomt")
    items = [(item.id, item.source) for item in challenge.items(plan.open_pair(LANGS[0], challenge))]
    drawn = sorted(random.Random(SEED).sample(range(len(items)), SENTENCES))[:: int(os.environ.get("WINOST_PART", "1"))]
    begun = time.perf_counter()
    made = synthesis.synthesise([items[number] for number in drawn], [voices.load(name) for name in VOICES], folder)
    took, sound = time.perf_counter() - begun, sum(clip.seconds for clip in manifest.read(folder))
    pace = f", {sound / took:.0f} × real time" if made == len(drawn) * len(VOICES) else ""
    print(f"{len(drawn)} sentences of WinoMT (seed {SEED}) by {', '.join(VOICES)}: {sound / 60:.0f} minutes{pace}")


def recognised(folder: Path) -> None:
    """Recognise what is not in the cache, and print the pace."""
    cache, pace = Cache(), speech.Pace()
    speech.transcribe(recognisers.load(RECOGNISER), manifest.read(folder), cache, pace=pace)
    cache.close()
    if pace.factor:
        print(
            f"{RECOGNISER}: {pace.clips} recordings now, real-time factor {pace.factor:.2f} on {os.cpu_count()} cores"
        )


def main() -> None:
    """Print recognition, then accuracy, ΔG, ΔS and where errors come from, for each target language."""
    published.add("winomt", Path(os.environ["EPICENE_TEST_DATA"]) / "winomt")
    folder = home() / "benchmarks" / f"winost{os.environ.get('WINOST_PART', '')}"
    spoken(folder)
    recognised(folder)
    show([api.score_recognition(f"winost:{folder}", RECOGNISER)], "text")
    for result in api.audit([f"winost:{folder}"], LANGS, [f"cascade:{RECOGNISER}+{SYSTEM}"]).results:
        show([replace(result, measures=tuple(each for each in result.measures if each.name not in _HEARD))], "text")
    show_study(STUDY.run({"recordings": str(folder), "langs": ",".join(LANGS)}), Format.TEXT)


if __name__ == "__main__":
    main()
