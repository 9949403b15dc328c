"""``python -m epicene.lab``: the lab on a machine that has torch and nothing else of epicene's dependencies.

PYTHONPATH=src python3 -m epicene.lab run lab-data/study/jobs.json -o $OUT --workers 4 --seconds 540
PYTHONPATH=src python3 -m epicene.lab collect 6-6.es.1 10-2.es.1 -o $OUT
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from epicene.errors import EpiceneError
from epicene.lab import fleet


def main() -> int:
    """Run the jobs, or bring back their weights."""
    parser = argparse.ArgumentParser(prog="python -m epicene.lab", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("action", choices=("run", "collect"))
    parser.add_argument("what", nargs="+", help="run: a file of jobs; collect: names of models")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=Path("runs/lab"), help="where models are kept between calls")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--minutes", type=float, help="lower a model's updates so that its training ends by then")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    parser.add_argument("--weights", default="", help="after the jobs, collect these models (commas between)")
    given = parser.parse_args()
    try:
        if given.action == "run":
            found = [job for path in given.what for job in fleet.jobs(Path(path)) if given.only in job.name]
            todo = [replace(job, minutes=given.minutes) for job in found]
            fleet.run(todo, given.folder, given.out, given.workers, given.seconds, given.device)
            names = [name for name in given.weights.split(",") if name]
        else:
            names = given.what
        if names:
            fleet.collect(given.folder, names, given.out)
    except EpiceneError as error:
        print(f"epicene: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
