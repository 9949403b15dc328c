"""The report's size and speed, for one system and for forty, and the sample reports of the documentation."""

from __future__ import annotations

import json
import lzma
import os
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import epicene
from benchmarks import run_parts
from benchmarks.papers import translations
from epicene.compare.entrants import make_entrant
from epicene.compare.table import matrices
from epicene.flow import plan
from epicene.measures.breakdown import Breakdown
from epicene.output.page.page import write_page
from epicene.result import Result, name_system
from epicene.sets import files as published
from epicene.speech import synthesis, voices
from epicene.types import Verdict
from tests.browser import FLAGS, program

if TYPE_CHECKING:
    from playwright.sync_api import Page

FACETS = ("verdict", "person", "group", "step", "read")
ANSWERED = """async ([facet, choice]) => {
  const rows = document.getElementById('rows'), select = document.querySelector(`select[data-facet="${facet}"]`);
  if (!select || choice >= select.options.length) return null;
  const drawn = new Promise((resolve) => {
    new MutationObserver((_, watch) => { watch.disconnect(); requestAnimationFrame(() => setTimeout(resolve)); })
      .observe(rows, { attributes: true, attributeFilter: ['data-turn'] });
  });
  const start = performance.now();
  select.selectedIndex = choice;
  select.dispatchEvent(new Event('change'));
  await drawn;
  return performance.now() - start;
}"""


def filters(page: Page) -> tuple[float, list[float]]:
    """Milliseconds until the first filter answers, and until each of several does."""
    times = []
    for facet in FACETS:
        for choice in (1, 2, 3, 0):
            took = page.evaluate(ANSWERED, [facet, choice])
            if took is not None:
                times.append(took)
    return times[0], times


def in_chromium(path: Path) -> None:
    """Print how long the page takes to open and to filter, and the memory of its script."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=list(FLAGS))
        page = browser.new_page()
        start = time.perf_counter()
        page.goto(path.as_uri())
        page.wait_for_selector("#rows[data-turn]")
        opened = time.perf_counter() - start
        first, times = filters(page)
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        heap = page.evaluate("() => performance.memory.usedJSHeapSize") / 1e6
        print(
            f"  opens in {opened:.2f} s; first filter {first:.0f} ms (under 100 wanted), {len(times)} filters: "
            f"median {statistics.median(times):.0f}, slowest {max(times):.0f} ms; script's memory {heap:.0f} MB"
        )
        browser.close()


def measured(set_name: str, hypotheses: Path, folder: Path) -> None:
    """Audit a file, time its page and print what came out."""
    system = f"file:{hypotheses}"
    run = epicene.audit([set_name], ["en-de"], [system], folder=folder)
    start = time.perf_counter()
    path = run.report(folder / "page.html")
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    command = [sys.executable, "-m", "epicene", "report", folder, "-o", folder / "page.html"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    whole = time.perf_counter() - start
    size = path.stat().st_size / 1e6
    print(f"{set_name}, {run.results[0].n:,} sentences: {size:.2f} MB, built in {seconds:.2f} s", end="")
    print(f" (epicene report, with reading the run: {whole:.2f} s)", flush=True)
    in_chromium(path)


def print_one() -> None:
    """The report: its size, how long it takes to build, and how soon a filter answers, for 3,888 and 70,686 sentences.

    Translations are Google's of WinoMT, and those that ``benchmarks/wibemt.py`` puts together for WiBeMT. Building is
    timed in this process, after its modules are loaded; the whole command beside it. A filter has answered when its
    rows are drawn.
    """
    data = Path(os.environ["EPICENE_TEST_DATA"])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        published.add("winomt", data / "winomt")
        measured("winomt", data / "winomt" / "translations" / "google.en-de.txt", folder / "winomt")
        translations(data, folder / "wibemt.de")
        measured("wibemt", folder / "wibemt.de", folder / "wibemt")


SYSTEMS, LANGUAGES = 40, ("de", "es", "fr", "it", "pt")
WORDS = ("doch", "pues", "donc", "poi", "assim", "nun", "ya", "bien", "già", "logo")


def scored(folder: Path, language: str) -> list[Result]:
    """The published systems in one language."""
    found = []
    for path in sorted(folder.glob(f"*/en-{language}.txt")):
        if not path.parent.name.endswith("_asr"):
            result = epicene.score("winomt", f"en-{language}", str(path), anyway=True)
            found.append(replace(result, system=path.parent.name, warnings=()))
    return found


def mixed(real: list[Result], number: int, chance: np.random.Generator) -> Iterator[Result]:
    """So many more systems: each sentence of one of two, with a word more at the end."""
    for place in range(number):
        one, other = (real[each] for each in chance.choice(len(real), 2, replace=False))
        verdicts = [
            _changed(pair[int(chance.integers(2))], WORDS[int(chance.integers(len(WORDS)))])
            for pair in zip(one.verdicts, other.verdicts, strict=True)
        ]
        genders = dict.fromkeys(one.genders, 0)
        for verdict in verdicts:
            genders[verdict.gender] += 1
        yield replace(one, system=f"mixed-{place + 1}", verdicts=tuple(verdicts), genders=genders)


def _changed(verdict: Verdict, word: str) -> Verdict:
    return verdict._replace(output=replace(verdict.output, text=f"{verdict.output.text} {word}"))


def first_screen(path: Path) -> None:
    """Print when the table of systems is painted, when the sentences are there, and how fast filters are."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        start = time.perf_counter()
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_selector(".matrix tbody tr:last-child")
        first = time.perf_counter() - start
        page.wait_for_selector("#rows[data-turn]", timeout=60_000)
        rows = time.perf_counter() - start
        painted = page.evaluate("() => performance.getEntriesByType('paint').map((each) => each.startTime)")
        paint = f"{min(painted) / 1000:.2f}" if painted else "?"
        _, times = filters(page)
        print(f"  first paint {paint} s (1.5 wanted), table of systems {first:.2f} s, sentences {rows:.2f} s", end="")
        print(f"; slowest filter {max(times):.0f} ms")
        page.set_viewport_size({"width": 390, "height": 800})
        print(f"  at 390 pixels the page is {page.evaluate('document.documentElement.scrollWidth')} wide")
        page.emulate_media(media="print")
        pages = page.pdf(format="A4").count(b"/Type /Page\n") or page.pdf(format="A4").count(b"/Type /Page")
        print(f"  {pages} pages of paper")
        browser.close()


def print_many() -> None:
    """A page of 40 systems, 5 languages and 3,888 sentences each: its size, and how soon its first screen is there.

    The translations are those of 17 published speech systems (Hearing to Translate). The other 23 are mixed from them:
    every sentence is of one or the other, with a word more, so that no two systems are alike. Names of languages
    (``de``) take part of them.
    """
    data = Path(os.environ["EPICENE_TEST_DATA"])
    published.add("winomt", data / "winomt")
    chance = np.random.default_rng(1)
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with tarfile.open(data / "hearing2translate.tar.gz") as archive:
            archive.extractall(Path(folder), filter="data")
        languages = [each for each in LANGUAGES if each in sys.argv] or LANGUAGES
        for language in languages:
            real = scored(folder, language)
            results += real + list(mixed(real, SYSTEMS - len(real), chance))
        start = time.perf_counter()
        path = write_page(Path(sys.argv[-1]) if sys.argv[-1].endswith(".html") else folder / "page.html", results)
        seconds = time.perf_counter() - start
        count = sum(result.n for result in results)
        size = path.stat().st_size / 1e6
        print(f"{SYSTEMS} systems, {len(languages)} languages, {count:,} sentences: {size:.2f} MB (10 wanted)", end="")
        print(f", built in {seconds:.0f} s", flush=True)
        first_screen(path)


SAMPLE, SPOKEN, SAMPLE_LANGUAGES, VOICES = 160, 14, ("de", "es"), ("slt", "rms")
_SHE = re.compile(r"nurse|teach|secretar|clean|midwi|librar|hairdress|care|social work|cashier", re.IGNORECASE)


def one(folder: Path) -> list[Result]:  # noqa: ARG001
    """One system, one language: the published outputs of OPUS-MT."""
    path = Path(os.environ["EPICENE_TEST_DATA"]) / "simplegen" / "opus-mt.en-es.txt"
    return list(epicene.audit(["simplegen"], ["en-es"], [f"file:{path}"]).results)


def many(folder: Path) -> list[Result]:
    """Seventeen systems, two languages."""
    with tarfile.open(Path(os.environ["EPICENE_TEST_DATA"]) / "hearing2translate.tar.gz") as archive:
        archive.extractall(Path(folder), filter="data")
    found = []
    for language in SAMPLE_LANGUAGES:
        for path in sorted(folder.glob(f"*/en-{language}.txt")):
            if not path.parent.name.endswith("_asr"):
                run = epicene.audit(["winomt"], [f"en-{language}"], [f"file:{path}"], sample=SAMPLE, anyway=True)
                found.append(replace(run.results[0], system=path.parent.name))
    return found


def speech(folder: Path) -> list[Result]:
    """A cascade, with recordings to listen to."""
    challenge = plan.open_set("winomt")
    items = list(challenge.items(plan.open_pair("en-es", challenge)))
    drawn = items[:: len(items) // SPOKEN][:SPOKEN]
    synthesis.synthesise([(item.id, item.source) for item in drawn], [voices.load(name) for name in VOICES], folder)
    run = epicene.audit(
        [f"winost:{folder}"], ["en-es"], ["direct:bundled", "cascade:pocketsphinx+bundled"], anyway=True
    )
    return list(run.results)


def occupations(folder: Path) -> list[Result]:  # noqa: ARG001
    """The study of occupations, by a translator that is made up."""
    challenge = plan.open_set("occupations")
    items = challenge.items(plan.open_pair("hu-en", challenge))
    jobs = [item.labels["english"].lower() for item in items]
    lines = [f"{'She' if _SHE.search(job) else 'He'} is a {job}." for job in jobs]
    found = epicene.score("occupations", "hu-en", lines, references=["us-acs-2018"], anyway=True)
    return [replace(found, system="made-up")]


SAMPLES: dict[str, Callable[[Path], list[Result]]] = {
    "one": one,
    "many": many,
    "speech": speech,
    "occupations": occupations,
}


def print_samples() -> None:
    """Builds the sample reports of the documentation: ``python -m benchmarks.page samples docs/samples``.

    One system: SimpleGEN by the bundled translator. Many systems: 17 speech systems of 2025 (Hearing to Translate,
    Apache 2.0) on WinoMT (MIT), a sample of its sentences. Speech: a few sentences of WinoMT spoken by two voices of
    flite, by the direct system that ships, and heard by PocketSphinx and translated by the bundled one. Occupations:
    Hungarian sentences and a made-up translator, which writes "she" for jobs that care, teach or tidy, and "he" for all
    others.
    """
    published.add("winomt", Path(os.environ["EPICENE_TEST_DATA"]) / "winomt")
    target = Path(sys.argv[1] if sys.argv[1:] else "docs/samples")
    target.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or SAMPLES:
        with tempfile.TemporaryDirectory() as place:
            results = SAMPLES[name](Path(place))
            path = write_page(target / f"{name}.html", results)
        write_numbers(target / f"{name}.json.xz", results)
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB", flush=True)


def write_numbers(path: Path, results: list[Result]) -> None:
    """Write the results and comparisons that a page is made from; a test finds each number of the page in them."""
    named = [replace(result, system=name_system(result.system, result.langs)) for result in results]
    known = [
        {**result.as_dict(), "details": [each.as_dict() for each in Breakdown(result.verdicts).measures.values()]}
        for result in named
    ]
    compared = [
        {
            "measure": matrix.measure,
            "set": column.set,
            "langs": column.langs,
            "cells": [c.as_dict() for c in column.cells.values()],
        }
        for matrix in matrices([make_entrant(result) for result in named]).values()
        for column in (*matrix.columns, *matrix.means)
    ]
    with lzma.open(path, "wt", encoding="utf-8") as stream:
        json.dump({"results": known, "compared": compared}, stream, ensure_ascii=False)


class Picture(NamedTuple):
    """A part of a sample report that the documentation shows."""

    sample: str
    what: str = ""  # where it begins; the first screen where nothing is named
    filters: str = ""  # of its sentences
    size: tuple[int, int] = (1280, 900)


PICTURES = {
    "report": Picture("one"),
    "sentences": Picture("many", "#sentences", "#?language=German&expected=feminine&read=masculine", (1000, 720)),
    "speech": Picture("speech", "#listen", "", (900, 420)),
    "occupations": Picture("occupations", "figure:has(h4:text('Sectors'))", "", (900, 620)),
}


def print_pictures() -> None:
    """Photographs parts of the sample reports: ``python -m benchmarks.page pictures docs``."""
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1] if sys.argv[1:] else "docs")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=list(FLAGS))
        for name, picture in PICTURES.items():
            width, height = picture.size
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto((folder / "samples" / f"{picture.sample}.html").resolve().as_uri() + picture.filters)
            page.wait_for_selector("#rows[data-turn]")
            box = page.locator(picture.what).first.bounding_box() if picture.what else None
            top = page.evaluate("() => scrollY") + box["y"] - 10 if box else 0
            clip = {"x": 0, "y": top, "width": width, "height": height}
            page.screenshot(path=folder / f"{name}.png", full_page=True, clip=clip)
            page.close()
            print(folder / f"{name}.png")
        browser.close()


PARTS = {"one": print_one, "many": print_many, "samples": print_samples, "pictures": print_pictures}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
