"""Whether ``bundled`` answers the same on every instruction set of x86: 666 sentences of SimpleGEN, en-de, beam 5.

The processor as it is, then as it would be with AVX2, AVX and SSE4.1 alone; other batches and threads as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

FORCED = {
    "AVX2": {"ct2": "AVX2", "onednn": "AVX2", "threads": 1},
    "AVX": {"ct2": "AVX", "onednn": "AVX", "threads": 1},
    "SSE4.1, two threads": {"ct2": "GENERIC", "onednn": "SSE41", "threads": 2},
}
_ANSWERS = """
import json, sys
from epicene import systems
from epicene.flow.plan import open_set
from epicene.types import Pair
pair = Pair("en", "de")
sources = list(dict.fromkeys(item.source for item in open_set("simplegen").items(pair)))[:: int(sys.argv[2])]
print(json.dumps(list(systems.load(sys.argv[1]).translate(sources, pair))))
"""


def answers(spec: str, *, ct2: str = "", onednn: str = "", threads: int = 1, step: int = 60) -> list[str]:
    """What a process of its own answers, in which the instruction sets are forced."""
    forced = {"CT2_FORCE_CPU_ISA": ct2, "ONEDNN_MAX_CPU_ISA": onednn, "OMP_NUM_THREADS": str(threads)}
    environment = {**os.environ, **{name: value for name, value in forced.items() if value}}
    command = [sys.executable, "-c", _ANSWERS, spec, str(step)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return list(json.loads(done.stdout))


def main() -> None:
    """Print how many answers differ."""
    wanted = answers("bundled?batch=8", step=4)
    for name, forced in FORCED.items():
        found = answers("bundled?batch=64", step=4, **forced)  # type: ignore[arg-type]
        differ = sum(one != other for one, other in zip(wanted, found, strict=True))
        print(f"{name}: {differ} of {len(wanted)} answers differ from this processor's own", flush=True)


if __name__ == "__main__":
    main()
