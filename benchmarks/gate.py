"""What a gate says of real outputs, and how long the way from ``pip install`` to a red build is."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import run_parts
from epicene import gate
from epicene.files import unpack
from epicene.flow import plan
from epicene.gate.formats import describe
from epicene.options import Limits
from epicene.sets import files as published
from epicene.types import Pair

EVERY = 25  # words, of which the last is struck
GOOGLE = "google/mt_geneval_sentences_en_es.csv"


def quality(folder: Path, place: Path) -> None:
    """A translator that loses words and hardly any gender."""
    archive = folder / "mt-geneval.tar.gz"
    published.add("mt-geneval", archive)
    with tarfile.open(archive) as packed:
        member = next(each for each in packed.getmembers() if each.name.endswith(GOOGLE))
        stream = packed.extractfile(member)
        text = stream.read().decode() if stream else ""
    said: dict[str, str] = {}
    for row in csv.DictReader(io.StringIO(text)):
        for side in ("feminine", "masculine"):
            said[row[f"source_{side}"].strip()] = " ".join(row[f"translate_{side}"].split())
    items = plan.open_set("mt-geneval").items(Pair("en", "es"))
    lines = [said[item.source.strip()] for item in items]
    words = 0
    poorer = []
    for line in lines:
        kept = []
        for word in line.split():
            words += 1
            if words % EVERY:
                kept.append(word)
        poorer.append(" ".join(kept))
    before, after = place / "google.es", place / "struck.es"
    for path, texts in ((before, lines), (after, poorer)):
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    show(gate(before, after, Limits(max_drop=2, max_quality_drop=1), "mt-geneval", "en-es"))


def women(folder: Path, place: Path) -> None:
    """Two translators on sentences that leave the speaker's gender open."""
    published.add("gest", folder / "gest" / "gest.tar.gz")
    with tarfile.open(folder / "gest" / "gest.tar.gz") as packed:
        unpack(packed, Path(place))
    before, after = (place / "translations" / name / "cs" / "translations.csv" for name in ("deepl", "nllb_3b"))
    show(gate(before, after, Limits(max_drop=2, max_gap=25), "gest", "en-cs"))


def show(found: object) -> None:
    """The judgements, and what changed."""
    for each in found if isinstance(found, list) else ():
        print(each.comparison.signature)
        for change in each.comparison.changes:
            print(f"  {change.group}: {change.before:.1f} → {change.after:.1f} ({change.measure}, n = {change.n})")
        for judgement in each.judgements:
            print(f"  {judgement.group:<24} {judgement.answer:<10} {describe(judgement)}")


def print_outputs() -> None:
    """What a gate says of real outputs: quality on MT-GenEval, and who is written as a woman on GEST.

    ``python -m benchmarks.gate outputs``: Google's Spanish of MT-GenEval against a copy from which every 25th word was
    struck, and NLLB's Czech of GEST against DeepL's.
    """
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    with tempfile.TemporaryDirectory() as place:
        quality(folder, Path(place))
        women(folder, Path(place))


PACKAGES = Path(__file__).parents[1] / "packages"
CHECKOUT = (str(PACKAGES / "epicene-models"), f"{PACKAGES / 'epicene'}[translate]")
STEPS = (
    ("pip install", ["{python}", "-m", "pip", "install", "--quiet"], 0),
    ("epicene gate --init", ["{epicene}", "gate", "--init"], 0),
    ("epicene gate --update", ["{epicene}", "gate", "--update"], 0),
    ("epicene gate -f github", ["{epicene}", "gate", "-f", "github"], 1),
)


def print_build() -> None:
    """From ``pip install`` to a red build, as docs/gate.md tells it: every step timed in an environment of its own.

    ``python -m benchmarks.gate build [PACKAGE …]`` installs this checkout, or what is named.
    """
    with TemporaryDirectory() as folder:
        place = Path(folder)
        venv.create(place / "venv", with_pip=True)
        names = {
            "python": str(place / "venv/bin/python"),
            "epicene": str(place / "venv/bin/epicene"),
        }
        bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "GITHUB_STEP_SUMMARY")}
        total = processor = 0.0
        for title, command, expected in STEPS:
            started, before = time.perf_counter(), os.times()
            packages = sys.argv[1:] or CHECKOUT if "install" in command else ()
            done = subprocess.run(
                [*(part.format(**names) for part in command), *packages],
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


PARTS = {"outputs": print_outputs, "build": print_build}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
