"""From nothing to a page: 400 sentences of WinoMT by two voices, spoken, heard, translated, read and drawn.

Each step is the command that a user types, in a home of its own, so that nothing comes from a cache. Wall times depend
on what else the machine does; beside them stands the processor time of the command with all its programs, which does
not. ``WINOST_SENTENCES=40`` takes fewer, ``WINOST_SYSTEMS=direct:bundled`` one system instead of both that ship.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from epicene.speech import manifest

SENTENCES, VOICES, LANGS = int(os.environ.get("WINOST_SENTENCES", "400")), ("slt", "rms"), "en-es"
SYSTEMS = os.environ.get("WINOST_SYSTEMS", "direct:bundled,cascade:pocketsphinx+bundled").split(",")
MINUTES = 10  # that it shall take on two cores


def main() -> None:
    """Print the wall and processor seconds of each step, and of all together."""
    data = os.environ["EPICENE_TEST_DATA"]
    cores = len(os.sched_getaffinity(0))
    print(f"{SENTENCES} sentences × {len(VOICES)} voices, {' and '.join(SYSTEMS)}, {LANGS}")
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        spoken, run = place / "spoken", place / "run"
        said = [word for voice in VOICES for word in ("--voice", voice)]
        sample = ["--sample", str(SENTENCES), "--seed", "2022"]
        steps = {
            "add WinoMT": ["data", "add", "winomt", f"{data}/winomt"],
            "speak": ["speech", "synthesize", "-t", "winomt", *said, "-o", str(spoken), *sample],
            "hear, translate, score, page": [
                "audit",
                "-t",
                f"winost:{spoken}",
                "-l",
                LANGS,
                *(word for system in SYSTEMS for word in ("-s", system)),
                "-o",
                str(run),
            ],
        }
        print(f"{'step':<30} {'wall':>9} {'processor':>11} {'on 2 idle cores':>17}")
        times = [_timed(step, words, place / "home") for step, words in steps.items()]
        wall, processor = (sum(each) for each in zip(*times, strict=True))
        _row("all", wall, processor)
        sound = sum(clip.seconds for clip in manifest.read(spoken)) / 60
        page = (run / "report.html").stat().st_size / 1e6
    least = processor / 2 / 60
    print(f"{sound:.0f} minutes of speech; the page has {page:.1f} MB")
    print(
        f"{wall / 60:.1f} minutes now; {least:.1f} of processor for each of two cores, the least that they can take "
        f"({MINUTES} are asked for)"
    )


def _timed(step: str, words: list[str], home: Path) -> tuple[float, float]:
    """Wall and processor seconds of a command with all its programs."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "epicene", *words],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "EPICENE_HOME": str(home)},
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, step
    found = time.perf_counter() - start, used.ru_utime + used.ru_stime
    _row(step, *found)
    return found


def _row(step: str, wall: float, processor: float) -> None:
    print(f"{step:<30} {wall:>7.1f} s {processor:>9.1f} s {processor / 2:>15.1f} s", flush=True)


if __name__ == "__main__":
    main()
