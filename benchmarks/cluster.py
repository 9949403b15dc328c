"""Ray on this machine: two workers against one on a CPU-bound system, and what the cluster costs for 100,000 echoes."""

from __future__ import annotations

import os
import statistics
import tempfile
import time

from epicene import systems
from epicene.flow import ask as local
from epicene.flow import engines, plan
from epicene.store.cache import Cache
from epicene.types import Pair

PAIR = Pair("en", "de")
SENTENCES = 6144  # so many that what a cluster still does while it starts weighs little
ROUNDS = 3
ECHOES = 100_000


def seconds(system: str, lines: list[str], cache: Cache) -> float:
    """How long two workers take for lines, their start included."""
    with engines.opened("ray?workers=2") as engine:
        start = time.perf_counter()
        assert len(local.translate(engine.place(systems.load(system), system), lines, PAIR, cache)) == len(lines)
        return time.perf_counter() - start


def rate(workers: int, system: str, lines: list[str]) -> float:
    """Sentences a second once a quarter is done, when all workers have started."""
    marks: list[tuple[int, float]] = []

    def mark(done: int, total: int) -> None:
        if done >= total / 4:
            marks.append((done, time.perf_counter()))

    with engines.opened(f"ray?workers={workers}") as engine:
        local.translate(engine.place(systems.load(system), system), lines, PAIR, None, mark)
    (first, begun), (last, ended) = marks[0], marks[-1]
    return (last - first) / (ended - begun)


def main() -> None:
    """Print the ratio of two workers to one, and the seconds of the echoes with the cluster's start."""
    import ray

    distinct = list(dict.fromkeys(item.source for item in plan.open_set("wibemt").items(PAIR)))
    lines = distinct[:: len(distinct) // SENTENCES][:SENTENCES]
    system = "bundled?beam=1&batch=16"
    with tempfile.TemporaryDirectory() as place:
        os.environ["EPICENE_HOME"] = place
        echoes = [f"This is sentence {number} of the text." for number in range(ECHOES)]
        taken = seconds("echo", echoes, Cache())
        print(f"{ECHOES} echoes with cache and start of the cluster: {taken:.1f} s", flush=True)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        try:
            again = seconds("echo", [f"{each} Again." for each in echoes], Cache())
            print(f"{ECHOES} echoes with cache, cluster there already: {again:.1f} s", flush=True)
            rounds = [[rate(count, system, lines) for count in (1, 2)] for _ in range(ROUNDS)]
        finally:
            ray.shutdown()
    print(f"load of the machine over the last 5 minutes: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores")
    ratios = [two / one for one, two in rounds]
    for count, found in zip((1, 2), zip(*rounds, strict=True), strict=True):
        print(f"{system}, {count} worker(s): {statistics.median(found):.0f} sentences/s")
    print(f"two workers / one: {statistics.median(ratios):.2f} (rounds {', '.join(f'{each:.2f}' for each in ratios)})")


if __name__ == "__main__":
    main()
