"""WinoMT spoken by two voices, heard and translated by what ships: the study, its time, the direct model's speed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import epicene
from benchmarks import run_parts
from epicene.cli.command import show
from epicene.files import locate_cache
from epicene.flow import hear, plan
from epicene.measures.speech import RECOGNITION
from epicene.models import model_folder
from epicene.output.render import Format
from epicene.registry import Options
from epicene.sets import files as published
from epicene.sets.simplegen import SET
from epicene.speech import manifest, recognisers, synthesis, voices
from epicene.speech.direct import BUNDLED, DirectModel
from epicene.store.cache import Cache
from epicene.types import Pair
from epicene_lab.studies.winost import STUDY

SENTENCES, SEED, VOICES, LANGS = 400, 2022, ("slt", "rms"), ("en-es", "en-de")
RECOGNISER, SYSTEM = "pocketsphinx", "bundled"
_HEARD = {"wer", *(rate.name for rate in RECOGNITION)}  # printed once, not for each language


def spoken(folder: Path) -> None:
    """Speak a seeded sample of WinoMT, or what is missing of it, as 'epicene speech synthesize --sample' does."""
    challenge = plan.open_set("winomt")
    items = [(item.id, item.source) for item in challenge.items(plan.open_pair(LANGS[0], challenge))]
    drawn = sorted(random.Random(SEED).sample(range(len(items)), SENTENCES))[:: int(os.environ.get("WINOST_PART", "1"))]
    begun = time.perf_counter()
    made = synthesis.synthesise([items[number] for number in drawn], [voices.load(name) for name in VOICES], folder)
    took, sound = time.perf_counter() - begun, sum(clip.seconds for clip in manifest.read(folder))
    pace = f", {sound / took:.0f} × real time" if made == len(drawn) * len(VOICES) else ""
    print(f"{len(drawn)} sentences of WinoMT (seed {SEED}) by {', '.join(VOICES)}: {sound / 60:.0f} minutes{pace}")


def recognised(folder: Path) -> None:
    """Recognise what is not in the cache, and print the pace."""
    cache, pace = Cache(), hear.Pace()
    hear.transcribe(recognisers.load(RECOGNISER), manifest.read(folder), cache, pace=pace)
    cache.close()
    if pace.factor:
        print(
            f"{RECOGNISER}: {pace.clips} recordings now, real-time factor {pace.factor:.2f} on {os.cpu_count()} cores"
        )


def print_study() -> None:
    """WinoMT spoken by two voices, recognised by pocketsphinx, translated by the bundled system; takes minutes, goes
    on.

    At the end stands the study of the paper, with the direct system that ships beside cascade and text if it is here.

    ``WINOST_PART=4`` takes every fourth of the 400 sentences, for a machine that is busy.
    """
    published.add("winomt", Path(os.environ["EPICENE_TEST_DATA"]) / "winomt")
    folder = locate_cache("benchmarks") / f"winost{os.environ.get('WINOST_PART', '')}"
    spoken(folder)
    recognised(folder)
    show([epicene.score_recognition(f"winost:{folder}", "en-de", RECOGNISER)], "text")
    for result in epicene.audit([f"winost:{folder}"], LANGS, [f"cascade:{RECOGNISER}+{SYSTEM}"]).results:
        show([replace(result, measures=tuple(each for each in result.measures if each.name not in _HEARD))], "text")
    show([STUDY.run({"recordings": str(folder), "langs": ",".join(LANGS)})], Format.TEXT)


TIMED_SENTENCES, TIMED_VOICES, TIMED_LANGS = int(os.environ.get("WINOST_SENTENCES", "400")), ("slt", "rms"), "en-es"
SYSTEMS = os.environ.get("WINOST_SYSTEMS", "direct:bundled,cascade:pocketsphinx+bundled").split(",")
MINUTES = 10  # that it shall take on two cores


def print_time() -> None:
    """From nothing to a page: 400 sentences of WinoMT by two voices, spoken, heard, translated, read and drawn.

    Each step is the command that a user types, in a home of its own, so that nothing comes from a cache. Wall times
    depend on what else the machine does; beside them stands the processor time of the command with all its programs,
    which does not. ``WINOST_SENTENCES=40`` takes fewer, ``WINOST_SYSTEMS=direct:bundled`` one system instead of both
    that ship.
    """
    data = os.environ["EPICENE_TEST_DATA"]
    cores = len(os.sched_getaffinity(0))
    print(f"{TIMED_SENTENCES} sentences × {len(TIMED_VOICES)} voices, {' and '.join(SYSTEMS)}, {TIMED_LANGS}")
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        spoken, run = place / "spoken", place / "run"
        said = [word for voice in TIMED_VOICES for word in ("--voice", voice)]
        sample = ["--sample", str(TIMED_SENTENCES), "--seed", "2022"]
        steps = {
            "add WinoMT": ["data", "add", "winomt", f"{data}/winomt"],
            "speak": ["speech", "synthesize", "-t", "winomt", *said, "-o", str(spoken), *sample],
            "hear, translate, score, page": [
                "audit",
                "-t",
                f"winost:{spoken}",
                "-l",
                TIMED_LANGS,
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


os.environ.setdefault("OMP_NUM_THREADS", "1")


HEARD, HEARD_SEED, VOICE = 20, 1, "slt"


def print_direct() -> None:
    """The shipped direct speech translator on one CPU core: seconds of work for a second of speech, and how large it
    is.

    It hears sentences of SimpleGEN that flite speaks and writes German. Beside processor time stands the clock's, which
    depends on what else the machine does.
    """
    sizes = {path.name: path.stat().st_size for path in sorted(model_folder("direct").iterdir())}
    listed = ", ".join(f"{each} {size / 1e6:.2f}" for each, size in sizes.items())
    print(f"{sum(sizes.values()) / 1e6:.2f} MB in 8 bits: {listed}")
    with tempfile.TemporaryDirectory() as name:
        items = random.Random(HEARD_SEED).sample(list(SET.items(Pair("en", "de"))), HEARD)
        said = {item.source: str(number) for number, item in enumerate(items)}
        synthesis.synthesise([(key, text) for text, key in said.items()], [voices.load(VOICE)], Path(name))
        clips = manifest.read(Path(name))
        for compute in ("float32", "int8"):
            for beam in (1, 5):
                _direct_row(clips, {"beam": str(beam), "compute": compute})


def _direct_row(clips: list[manifest.Clip], options: dict[str, str]) -> None:
    sound = sum(clip.seconds for clip in clips)
    model = DirectModel(BUNDLED, Options("direct", {**options, "workers": "1"}))
    list(model.write([clips[0].path], "de"))
    wall, processor = time.perf_counter(), time.process_time()
    list(model.write([clip.path for clip in clips], "de"))
    factors = (time.process_time() - processor) / sound, (time.perf_counter() - wall) / sound
    title = " ".join(f"{name}={value}" for name, value in options.items())
    print(
        f"{title:<24} {sound:.0f} s of speech: real-time factor {factors[0]:.3f} of processor ({factors[1]:.3f} by the "
        "clock)",
        flush=True,
    )


PARTS = {"study": print_study, "time": print_time, "direct": print_direct}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
