"""Speed: scoring beside mt_gender, help beside sacreBLEU, a report, the code a score passes, decoding in the lab.

Times are processor times of whole commands with their start-up, the least of several runs in turn with the peer's, so
that other work on the machine changes little. ``make bench MT_GENDER=DIR`` names a checkout of mt_gender in which
``scripts/evaluate_language.sh`` runs.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from types import CodeType, FrameType

import epicene
from benchmarks import run_parts
from epicene.types import Pair

LANGUAGES = ("es", "de", "he", "ru")
ROUNDS = 5
EPICENE = (sys.executable, "-m", "epicene")
PACKAGE = Path(epicene.__file__).parent


def cpu_seconds(command: Sequence[str], folder: Path | None = None, **variables: str) -> float | None:
    """Processor time of a command and its children; None if it fails."""
    names = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        command, cwd=folder, env={**names, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return None if process.returncode else usage.ru_utime + usage.ru_stime


def race(ours: Sequence[str], theirs: Sequence[str] = (), folder: Path | None = None, **variables: str) -> str:
    """The least times of both commands, run in turn, and their ratio."""
    own, peer = [], []
    for _ in range(ROUNDS):
        own.append(cpu_seconds(ours, **variables))
        peer.append(cpu_seconds(theirs, folder) if theirs else None)
    times, others = ([time for time in side if time is not None] for side in (own, peer))
    if not times:
        return "failed"
    if not others:
        return f"{min(times):.2f} s" + ("; the peer failed" if theirs else "")
    return f"{min(times):.2f} s, peer {min(others):.2f} s, ratio {min(times) / min(others):.2f}"


def print_score() -> None:
    """Print what ``score -t winomt`` takes, beside mt_gender where ``MT_GENDER`` names it."""
    data = Path(os.environ["EPICENE_TEST_DATA"]) / "winomt"
    checkout = os.environ.get("MT_GENDER")
    with tempfile.TemporaryDirectory() as home:
        variables = {**os.environ, "EPICENE_HOME": home}
        subprocess.run([*EPICENE, "-q", "data", "add", "winomt", str(data)], check=True, env=variables)
        for language in LANGUAGES:
            path = data / "translations" / f"google.en-{language}.txt"
            ours = (*EPICENE, "score", "-t", "winomt", "-l", f"en-{language}", "-i", str(path))
            theirs = ("bash", "../scripts/evaluate_language.sh", "../data/aggregates/en.txt", language, "google")
            peer = Path(checkout) / "src" if checkout else None
            times = race(ours, theirs if peer else (), peer, EPICENE_HOME=home)
            print(f"score -t winomt -l en-{language}: {times}", flush=True)


def print_help() -> None:
    """Print what ``epicene --help`` takes beside ``sacrebleu --help``."""
    theirs = (str(Path(sys.executable).with_name("sacrebleu")), "--help")
    print(f"epicene --help beside sacrebleu --help: {race((*EPICENE, '--help'), theirs)}")


def print_report() -> None:
    """Print what the report of SimpleGEN in German and Spanish takes: 5,328 verdicts."""
    data = Path(os.environ["EPICENE_TEST_DATA"]) / "simplegen"
    with tempfile.TemporaryDirectory() as place:
        folders = []
        for language in ("de", "es"):
            folders.append(f"{place}/{language}")
            system = f"file:{data}/opus-mt.en-{language}.txt"
            command = [*EPICENE, "-q", "audit", "-t", "simplegen", "-l", f"en-{language}", "-s", system]
            subprocess.run([*command, "-o", folders[-1]], check=True, stdout=subprocess.DEVNULL)
        print(f"report of 5,328 verdicts: {race((*EPICENE, 'report', *folders, '-o', f'{place}/page.html'))}")


def print_loop() -> None:
    """Print what scoring 500 sentences takes in a process that has scored before, as in a training loop."""
    data = Path(os.environ["EPICENE_TEST_DATA"]) / "simplegen"
    whole = epicene.open_set("simplegen")
    items = list(whole.items(Pair("en", "de")))[::5][:500]
    lines = (data / "opus-mt.en-de.txt").read_text(encoding="utf-8").splitlines()[::5][:500]
    part = whole.subset([item.id for item in items])
    for what, given in (("a part of SimpleGEN", part), ("free text", [item.source for item in items])):
        times = []
        for _ in range(ROUNDS + 1):
            start = time.process_time()
            epicene.score(given, "en-de", lines, anyway=True)
            times.append(time.process_time() - start)
        print(f"500 sentences of {what}: {times[0]:.2f} s the first time, then {min(times[1:]):.2f} s")


def print_files() -> None:
    """Print how many files of ours a warm ``epicene.score`` passes."""
    path = Path(os.environ["EPICENE_TEST_DATA"]) / "simplegen" / "opus-mt.en-de.txt"
    epicene.score("simplegen", "en-de", path)
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & inspect.CO_OPTIMIZED and PACKAGE in Path(code.co_filename).parents:
            codes.add(code)

    sys.setprofile(note)
    try:
        epicene.score("simplegen", "en-de", path)
    finally:
        sys.setprofile(None)
    print(f"a warm score passes {len({code.co_filename for code in codes})} files, {len(codes)} functions")


def print_decoding() -> None:
    """Print what average attention takes beside attention: random weights, one engine, translations of one length."""
    import numpy as np
    import torch

    from epicene_lab.model import BEGIN, END, PAD, Transformer
    from epicene_lab.recipe import Shape
    from epicene_lab.search import search
    from epicene_lab.timing import interleave, use_one_thread

    generator = np.random.default_rng(1)
    sources = [torch.from_numpy(generator.integers(10, 8000, (1, length))) for length in range(6, 30, 2)]

    def work(shape: Shape, beams: int) -> Callable[[], None]:
        model = Transformer(shape).eval()

        def translate() -> None:
            with torch.inference_mode():
                for source in sources:
                    begin = torch.full((1, beams), BEGIN)
                    search(model, model.start(source, beams), begin, [source.shape[1]], banned=(PAD, BEGIN, END))

        translate()  # what is loaded lazily is loaded now
        return translate

    with use_one_thread():
        for decoder, beams in product((6, 2, 1), (1, 5)):
            attention, average = (work(Shape(6, decoder, aan), beams) for aan in (False, True))
            times = interleave(attention, {"average": average}, 2 * ROUNDS, len(sources))["average"]
            spread = f"[{times.percent_low:.0f}, {times.percent_high:.0f}]"
            print(f"(6, {decoder}), beam {beams}: average attention takes {times.percent:.0f} {spread} % of attention")


PARTS = {
    "score": print_score,
    "help": print_help,
    "report": print_report,
    "loop": print_loop,
    "files": print_files,
    "decoding": print_decoding,
}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
