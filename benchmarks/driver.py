"""What one core of the machine that drives a large run can do: translations stored and found again, verdicts."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from epicene.flow import plan
from epicene.flow.score import outputs_of_file
from epicene.store.cache import Cache
from epicene.store.hypotheses import Hypotheses
from epicene.types import Pair

PAIR = Pair("en", "de")
SENTENCES = 200_000
REPEATS = 20  # of SimpleGEN's outputs


def rate(work: Callable[[], object], count: int) -> float:
    """How many for each second of a core."""
    start = time.process_time()
    work()
    return count / (time.process_time() - start)


def main() -> None:
    """Print the rates of the cache and of two detectors."""
    pairs = [(f"This is sentence {number} of the text.", f"Das ist Satz {number}.") for number in range(SENTENCES)]
    sources = [source for source, _ in pairs]
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder) / "cache.sqlite")
        stored = rate(lambda: cache.add("benchmark", PAIR, pairs), SENTENCES)
        found = rate(lambda: cache.known("benchmark", PAIR, sources), SENTENCES)
        cache.close()
        size = sum(path.stat().st_size for path in Path(folder).iterdir()) / SENTENCES
    print(f"cache: {stored:,.0f} stored and {found:,.0f} found per core-second, {size:.0f} bytes each on disk")
    challenge = plan.open_set("simplegen")
    path = Path(os.environ["EPICENE_TEST_DATA"]) / "simplegen" / "opus-mt.en-de.txt"
    outputs = REPEATS * list(outputs_of_file(challenge, PAIR, Hypotheses(path)))
    for protocol in plan.PROTOCOLS:
        detector = plan.open_task(challenge, PAIR, protocol).detector
        speed = rate(lambda each=detector: sum(1 for _ in each.detect(outputs)), len(outputs))  # type: ignore[misc]
        print(f"verdicts, protocol {protocol}: {speed:,.0f} per core-second")


if __name__ == "__main__":
    main()
