"""From ``pip install`` to a red build, as docs/gating.md tells it: every step timed in an environment of its own.

``python -m benchmarks.red_build [PACKAGE]`` installs this checkout, or the wheel or requirement that is named.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
STEPS = (
    ("pip install epicene", ["{python}", "-m", "pip", "install", "--quiet", "{package}"], 0),
    ("epicene gate --init", ["{epicene}", "gate", "--init"], 0),
    ("epicene gate --update", ["{epicene}", "gate", "--update"], 0),
    ("epicene gate -f github", ["{epicene}", "gate", "-f", "github"], 1),
)


def main(package: str = str(ROOT)) -> None:
    """Run the steps one after the other; the last must end red."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        venv.create(place / "venv", with_pip=True)
        names = {
            "python": str(place / "venv/bin/python"),
            "epicene": str(place / "venv/bin/epicene"),
            "package": package,
        }
        bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "GITHUB_STEP_SUMMARY")}
        total = processor = 0.0
        for title, command, expected in STEPS:
            started, before = time.perf_counter(), os.times()
            done = subprocess.run(
                [part.format(**names) for part in command],
                check=False,
                cwd=place,
                env={**bare, "EPICENE_HOME": str(place / "home")},
                capture_output=True,
                text=True,
            )
            seconds, after = time.perf_counter() - started, os.times()
            busy = after.children_user + after.children_system - before.children_user - before.children_system
            total, processor = total + seconds, processor + busy
            print(f"{title:<24} {seconds:6.1f} s  {busy:6.1f} s of a processor  exit {done.returncode}", flush=True)
            if done.returncode != expected:
                sys.exit(f"expected exit {expected}: {done.stderr.strip()[-500:]}")
        print(done.stdout.rstrip())
        print(f"{'together':<24} {total:6.1f} s  {processor:6.1f} s of a processor")


if __name__ == "__main__":
    main(*sys.argv[1:])
