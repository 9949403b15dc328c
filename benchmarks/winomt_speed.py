"""WinoMT's speed: ``epicene score`` with its start-up, the detector alone, and mt_gender's pipeline if it is given.

``make bench MT_GENDER=DIR`` names a checkout of the peer in which ``scripts/evaluate_language.sh`` runs (fast_align and
the spaCy models of its day installed); both sides are timed in the same run on the same translations.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from epicene import published
from epicene.detectors.lexicon.reader import LexiconReader
from epicene.sets.winomt import SET
from epicene.types import Output, Pair

LANGUAGES = ("ru", "he", "de", "es")
REPEATS = 3


def command_seconds(path: Path, language: str) -> float:
    """The best of several whole runs of the command."""
    command = [sys.executable, "-m", "epicene", "score", "-t", "winomt", "-l", f"en-{language}", "-i", str(path)]
    found = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found.append(time.perf_counter() - start)
    return min(found)


def detector_rate(path: Path, language: str) -> float:
    """Sentences that the detector reads in a second of one core, its tables loaded."""
    items = list(SET.items(Pair("en", language)))
    lines = path.read_text(encoding="utf-8").splitlines()
    outputs = [Output(item, "google", language, line) for item, line in zip(items, lines, strict=True)]
    detector = LexiconReader(language)
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        for _ in detector.detect(outputs):
            pass
        best = min(best, time.process_time() - start)
    return len(outputs) / best


def peer_seconds(checkout: Path, language: str) -> float | None:
    """One run of the peer's own script on its own copy of the translations."""
    command = ["bash", "../scripts/evaluate_language.sh", "../data/aggregates/en.txt", language, "google"]
    start = time.perf_counter()
    done = subprocess.run(command, check=False, cwd=checkout / "src", capture_output=True)
    return time.perf_counter() - start if done.returncode == 0 else None


def main() -> None:
    """Print the times of both sides."""
    folder = Path(os.environ["EPICENE_TEST_DATA"]) / "winomt"
    published.add("winomt", folder)
    checkout = os.environ.get("MT_GENDER")
    print(f"{'lang':<5} {'epicene score':>14} {'detector alone':>20} {'mt_gender':>12}")
    for language in LANGUAGES:
        path = folder / "translations" / f"google.en-{language}.txt"
        peer = peer_seconds(Path(checkout), language) if checkout else None
        theirs = f"{peer:.1f} s" if peer else "failed" if checkout else "not given"
        rate = f"{detector_rate(path, language):,.0f} sentences/s"
        print(f"{language:<5} {command_seconds(path, language):>12.2f} s {rate:>20} {theirs:>12}", flush=True)


if __name__ == "__main__":
    main()
