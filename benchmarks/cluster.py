"""Ray on this machine: two workers against one on a CPU-bound system, and what the cluster costs for 100,000 echoes."""

from __future__ import annotations

import os
import statistics
import tempfile
import time

from epicene import engines, run
from epicene.engines import local
from epicene.store.cache import Cache
from epicene.types import Pair

PAIR = Pair("en", "de")
SENTENCES = 2560
ROUNDS = 3
ECHOES = 100_000


def seconds(engine: str, system: str, lines: list[str], cache: Cache | None = None) -> float:
    """How long an engine takes for lines, once the cluster is there and its workers have been started before."""
    with engines.opened(engine) as found:
        spread = found.system(system)
        start = time.perf_counter()
        answers = local.translate(spread, lines, PAIR, cache)
        assert len(answers) == len(lines)
        return time.perf_counter() - start


def main() -> None:
    """Print the ratio of two workers to one, and the seconds of the echoes with the cluster's start."""
    import ray

    items = run.open_set("simplegen").items(PAIR)
    lines = list(dict.fromkeys(item.source for item in items))[:SENTENCES]
    system = "bundled?beam=1&batch=16"
    with tempfile.TemporaryDirectory() as place:
        os.environ["EPICENE_HOME"] = place
        echoes = [f"This is sentence {number} of the text." for number in range(ECHOES)]
        taken = seconds("ray?workers=2", "echo", echoes, Cache())
        print(f"{ECHOES} echoes with cache and start of the cluster: {taken:.1f} s", flush=True)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        try:
            again = seconds("ray?workers=2", "echo", [f"{each} Again." for each in echoes], Cache())
            print(f"{ECHOES} echoes with cache, cluster there already: {again:.1f} s", flush=True)
            seconds("ray?workers=2", system, lines[:64])
            rounds = [[seconds(f"ray?workers={count}", system, lines) for count in (1, 2)] for _ in range(ROUNDS)]
        finally:
            ray.shutdown()
    print(f"load of the machine over the last 5 minutes: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores")
    ratios = [one / two for one, two in rounds]
    for count, found in zip((1, 2), zip(*rounds, strict=True), strict=True):
        rate = len(lines) / statistics.median(found)
        print(f"{system}, {count} worker(s), their start included: {rate:.0f} sentences/s")
    print(f"two workers / one: {statistics.median(ratios):.2f} (rounds {', '.join(f'{each:.2f}' for each in ratios)})")


if __name__ == "__main__":
    main()
