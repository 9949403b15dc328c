"""How fast each voice of the training speech speaks, and what the whole of it costs.

Processor time, of the program and of the features together, which other work on a machine disturbs less than it does
the clock. ``--text TEXT.tsv.xz`` takes the sentences of a text and says what all of it costs; ``--all`` times every
voice instead of one of each program's kind.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from epicene.speech.features import BANDS, PER_SECOND
from epicene_lab.speech import manner, people, plan, shards

SENTENCES = 12
SOME = ("flite:slt", "flite:awb", "flite:kal16", "flite:rms", "espeak-ng:en-us+f2", "espeak-ng:en-us+m3")
CORES = 16


def main(arguments: Sequence[str] | None = None) -> None:
    """Print seconds of speech for a second of one core, voice by voice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args(arguments)
    texts = shards.text(given.text)["en"] if given.text else list(islice(people.sentences(1), 1000))
    known = manner.voices()
    _, spoken = plan.load()
    costs: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        mouth = manner.Mouth(None, known, Path(scratch))
        for place, voice in enumerate(known):
            if given.all or voice.name in SOME:
                costs[voice.name] = _cost(mouth, place, texts)
                frames, seconds = costs[voice.name]
                print(f"{voice.name:28} {frames / PER_SECOND / seconds:6.0f} s of speech a core-second", flush=True)
    rest = costs["espeak-ng:en-us+f2"]  # espeak-ng's voices cost alike
    total = sum(voice.share for voice in known)
    count = len(texts) * spoken.passes
    parts = [(voice.share / total * count, *costs.get(voice.name, rest)) for voice in known]
    seconds = sum(each * cost / SENTENCES for each, _, cost in parts)
    frames = sum(each * heard / SENTENCES for each, heard, _ in parts)
    hours, minutes = frames / PER_SECOND / 3600, seconds / 60
    print(f"{len(texts)} sentences, {spoken.passes} passes: {count} recordings, {hours:.1f} h, ", end="")
    print(f"{frames * BANDS / 1e9:.2f} GB, {minutes:.1f} core-minutes, {minutes / CORES:.1f} min on {CORES} cores")


def _cost(mouth: manner.Mouth, voice: int, texts: Sequence[str]) -> tuple[float, float]:
    """Frames and processor seconds of some sentences, spread over the text."""
    before, frames = _used(), 0
    for text in texts[:: max(1, len(texts) // SENTENCES)][:SENTENCES]:
        frames += len(mouth.features(text, manner.Manner(voice, pace=1.01, ratio=20.0)))
    return frames, _used() - before


def _used() -> float:
    return sum(os.times()[:4])


if __name__ == "__main__":
    main()
