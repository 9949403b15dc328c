"""The report: its size, how long it takes to build, and how soon a filter answers, for 3,888 and 70,686 sentences.

Translations are Google's of WinoMT, and those that ``benchmarks/wibemt.py`` puts together for WiBeMT. Building is timed
in this process, after its modules are loaded; the whole command beside it. A filter has answered when its rows are
drawn.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import epicene
from benchmarks.wibemt import translations
from epicene import published
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


def main() -> None:
    """Print the numbers of both pages."""
    data = Path(os.environ["EPICENE_TEST_DATA"])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        published.add("winomt", data / "winomt")
        measured("winomt", data / "winomt" / "translations" / "google.en-de.txt", folder / "winomt")
        translations(data, folder / "wibemt.de")
        measured("wibemt", folder / "wibemt.de", folder / "wibemt")


if __name__ == "__main__":
    main()
