"""WinoMT spoken by two voices, recognised by pocketsphinx, translated by the bundled system; takes minutes, goes on."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

from epicene import api, run
from epicene.cli.show import show
from epicene.data import published
from epicene.engines import speech
from epicene.files import home
from epicene.result import Result
from epicene.speech import manifest, recognisers, synthesis, voices
from epicene.store.cache import Cache

SENTENCES, SEED, VOICES, LANGS = 400, 2022, ("slt", "rms"), ("en-es", "en-de")
RECOGNISER, SYSTEM = "pocketsphinx", "bundled"
_RATES = ("accuracy", "delta_g", "delta_s", "from_recognition", "from_translation", "from_both", "disturbed", "luck")


def spoken(folder: Path) -> None:
    """Speak a seeded sample of WinoMT, or what is missing of it, as 'epicene speech synthesize --sample' does."""
    challenge = run.open_set("winomt")
    items = [(item.id, item.source) for item in challenge.items(run.open_pair(LANGS[0], challenge))]
    drawn = sorted(random.Random(SEED).sample(range(len(items)), SENTENCES))
    begun = time.perf_counter()
    made = synthesis.synthesise([items[number] for number in drawn], [voices.load(name) for name in VOICES], folder)
    took, sound = time.perf_counter() - begun, sum(clip.seconds for clip in manifest.read(folder))
    pace = f", {sound / took:.0f} × real time" if made == SENTENCES * len(VOICES) else ""
    print(
        f"{SENTENCES} sentences of WinoMT (seed {SEED}) by {', '.join(VOICES)}: {sound / 60:.0f} minutes of sound{pace}"
    )


def recognised(folder: Path) -> None:
    """Recognise what is not in the cache, and print the pace."""
    cache, pace = Cache(), speech.Pace()
    speech.transcribe(recognisers.load(RECOGNISER), manifest.read(folder), cache, pace=pace)
    cache.close()
    if pace.factor:
        print(
            f"{RECOGNISER}: {pace.clips} recordings now, real-time factor {pace.factor:.2f} on {os.cpu_count()} cores"
        )


def printed(result: Result) -> None:
    """Print what came of the translations."""
    read = ", ".join(f"{count} {gender}" for gender, count in result.genders.items())
    print(f"{result.langs} · {result.system}\n{result.n} recordings: {read}\n")
    print(f"{'':<17} {'group':<15} {'n':>4} {'value':>6}  95 %")
    for measure in result.measures:
        if measure.name in _RATES and not measure.detail:
            value = "–" if measure.value is None else f"{measure.value:.1f}"
            interval = "" if measure.low is None else f"[{measure.low:.1f}, {measure.high:.1f}]"
            print(f"{measure.name:<17} {measure.group:<15} {measure.n:>4} {value:>6}  {interval}")
    for measure in result.measures:
        if measure.name == "speaker_gap":
            print(f"women less men    {measure.group:<15} {measure.n:>4} {measure.value:>6.1f}  "
                  f"[{measure.low:.1f}, {measure.high:.1f}], p (Holm) {measure.p:.4f}")  # fmt: skip
    print(f"{result.signature}\n")


def main() -> None:
    """Print recognition, then accuracy, ΔG, ΔS and where errors come from, for each target language."""
    published.add("winomt", Path(os.environ["EPICENE_TEST_DATA"]) / "winomt")
    folder = home() / "benchmarks" / "winost"
    spoken(folder)
    recognised(folder)
    show([api.score_recognition(f"winost:{folder}", RECOGNISER)], "text")
    for result in api.audit([f"winost:{folder}"], LANGS, [f"cascade:{RECOGNISER}+{SYSTEM}"]).results:
        printed(result)


if __name__ == "__main__":
    main()
