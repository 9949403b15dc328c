"""How often passages that a real system translated into English (MiTTenS) are read as a person read them.

``python -m benchmarks.mittens [-v]`` prints the agreement on 200 translations by Apertium. ``translate FOLDER`` makes
them anew, with Debian's apertium-eng-spa, apertium-fr-es, apertium-es-pt, apertium-cat-ita and apertium-eng-cat.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from epicene import published
from epicene.detectors.epicene import passage
from epicene.sets import load
from epicene.stats.rates import wilson
from epicene.types import Gender, Item, Output, Pair, Verdict

LABELS = Path(__file__).parent.parent / "tests" / "golden" / "labels" / "mittens.apertium.tsv"
STEPS = {  # French, Portuguese and Italian go through a third language
    "es": ("spa-eng",),
    "fr": ("fr-es", "spa-eng"),
    "it": ("ita-cat", "cat-eng"),
    "pt": ("pt-es", "spa-eng"),
}
NUMBER = 200
LETTER = {Gender.FEMININE: "F", Gender.MASCULINE: "M", Gender.NEUTRAL: "N", Gender.UNKNOWN: "U"}


class Row(NamedTuple):
    """A translation and what a person read from it."""

    langs: str
    item: str
    label: str
    output: str


def rows() -> list[Row]:
    """The labelled translations."""
    with LABELS.open(encoding="utf-8", newline="") as stream:
        lines = (line for line in stream if not line.startswith("#"))
        return [Row(**row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def items(language: str) -> list[Item]:
    """The passages from a language into English."""
    return load("mittens").items(Pair(language, "en"))


def translate(language: str) -> list[str]:
    """Apertium's translations of the passages from a language."""
    text = "\n\n".join(item.source for item in items(language)) + "\n\n"
    for step in STEPS[language]:
        text = subprocess.run(["apertium", "-u", step], input=text, capture_output=True, text=True, check=True).stdout
    return [part.replace("\n", " ") for part in text.rstrip("\n").split("\n\n")]


def draw() -> list[tuple[str, int]]:
    """Languages and lines: languages and families of passages take turns."""
    cells: dict[tuple[str, str], list[int]] = {}
    for language in STEPS:
        for line, item in enumerate(items(language)):
            cells.setdefault((language, item.labels["family"]), []).append(line)
    source, names = random.Random("mittens apertium 1"), sorted(cells)
    for name in names:
        source.shuffle(cells[name])
    found: list[tuple[str, int]] = []
    for turn in range(NUMBER * len(names)):
        cell = names[turn % len(names)]
        if cells[cell] and len(found) < NUMBER:
            found.append((cell[0], cells[cell].pop()))
    return sorted(found)


def readings() -> list[tuple[Row, Verdict]]:
    """Every labelled translation with the verdict of today."""
    found = {(f"{language}-en", item.id): item for language in STEPS for item in items(language)}
    labelled = rows()
    outputs = [Output(found[row.langs, row.item], "apertium", "en", row.output) for row in labelled]
    return list(zip(labelled, passage.DETECTOR.build("en").detect(outputs), strict=True))


def right(row: Row, verdict: Verdict) -> bool:
    """Whether they agree; neutral and unread both stand apart from every rate."""
    letter = LETTER[verdict.gender]
    return letter == row.label or not (letter in "FM" or row.label in "FM")


def main(arguments: Sequence[str] = ()) -> None:
    """Print the agreement, or write Apertium's translations to a folder."""
    published.add("mittens", Path(os.environ["EPICENE_TEST_DATA"]) / "mittens_dataset_v5.csv.gz")
    if "translate" in arguments[:1]:
        for language in STEPS:
            Path(arguments[1], f"mittens.{language}-en.txt").write_text("\n".join(translate(language)) + "\n", "utf-8")
        return
    found = readings()
    good = sum(right(row, verdict) for row, verdict in found)
    exact = sum(row.label == LETTER[verdict.gender] for row, verdict in found)
    low, high = wilson(good, len(found))
    print(
        f"mittens into English, Apertium: {100 * good / len(found):.1f} % right "
        f"[{100 * low:.1f}, {100 * high:.1f}], n {len(found)}; "
        f"neutral told from unread {100 * exact / len(found):.1f}; "
        f"read as {dict(Counter(verdict.gender.value for _, verdict in found))}"
    )
    for row, verdict in found if "-v" in arguments else ():
        if not right(row, verdict):
            print(
                f"  {row.langs} {row.item}: person {row.label}, read {verdict.gender} by {verdict.step}: {row.output}"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
