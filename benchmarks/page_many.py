"""A page of 40 systems, 5 languages and 3,888 sentences each: its size, and how soon its first screen is there.

The translations are those of 17 published speech systems (Hearing to Translate). The other 23 are mixed from them:
every sentence is of one or the other, with a word more, so that no two systems are alike. Names of languages (``de``)
take part of them.
"""

from __future__ import annotations

import os
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import epicene
from benchmarks.page import filters
from epicene import published
from epicene.files import unpack
from epicene.output.page.page import write_page
from epicene.result import Result
from epicene.types import Verdict
from tests.browser import FLAGS, program

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


def main() -> None:
    """Print the numbers."""
    data = Path(os.environ["EPICENE_TEST_DATA"])
    published.add("winomt", data / "winomt")
    chance = np.random.default_rng(1)
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with tarfile.open(data / "hearing2translate.tar.gz") as archive:
            unpack(archive, Path(folder))
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


if __name__ == "__main__":
    main()
