"""What a verdict's confidence is worth: how often verdicts of each confidence are right, on ``open`` and MT-GenEval.

``-o FILE.svg`` draws it. Rows of both sets were looked at while the reader was written.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks.reading import GENEVAL, OPEN, Case, geneval_files, open_cases, sentence_cases
from epicene.detectors.reading.reader import OpenReader
from epicene.stats.rates import wilson
from epicene.types import Gender

EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)
LEAST = (0.0, 0.5, 0.7, 0.9, 0.95)


class Said(NamedTuple):
    """A verdict that named a gender."""

    confidence: float
    right: bool


def verdicts(folder: Path) -> tuple[list[Said], int]:
    """All verdicts that name a gender, and how many sentences there were."""
    files = geneval_files(folder)
    found, total = [], 0
    for language in sorted({*OPEN, *GENEVAL}):
        reader = OpenReader(language)
        for case in _cases(folder, files, language):
            total += 1
            read = reader.read(case.source, case.person, case.start, case.kind, case.translation)
            if read.gender in (Gender.FEMININE, Gender.MASCULINE):
                found.append(Said(read.confidence, read.gender is case.expected))
    return found, total


def _cases(folder: Path, files: dict[str, str], language: str) -> Iterator[Case]:
    if language in OPEN:
        yield from open_cases(folder, language)
    yield from sentence_cases(files, language, "test")


def main() -> None:
    """Print the share of right verdicts by confidence, and what each --min-confidence would leave."""
    found, total = verdicts(Path(os.environ["EPICENE_TEST_DATA"]))
    rows = []
    print(f"{'confidence':<14}{'right':>7}  {'95 % interval':<15}{'n':>7}")
    for low, high in pairwise(EDGES):
        own = [each.right for each in found if low <= each.confidence < high]
        if own:
            ends = wilson(sum(own), len(own))
            rows.append((low, min(high, 1.0), 100 * sum(own) / len(own), 100 * ends[0], 100 * ends[1], len(own)))
            interval = f"[{100 * ends[0]:.1f}, {100 * ends[1]:.1f}]"
            print(f"{low:.2f} … {min(high, 1):.2f}   {rows[-1][2]:>6.1f}%  {interval:<15}{len(own):>7}")
    print(f"\n{'min-confidence':<15}{'read':>7}{'right of read':>15}")
    for least in LEAST:
        own = [each.right for each in found if each.confidence >= least]
        print(f"{least:<15}{100 * len(own) / total:>6.1f}%{100 * sum(own) / len(own):>14.1f}%")
    if "-o" in sys.argv:
        _draw(rows, Path(sys.argv[sys.argv.index("-o") + 1]))


def _draw(rows: list[tuple[float, float, float, float, float, int]], path: Path) -> None:
    from epicene.output.charts.files import altair, write

    alt = altair()
    data = alt.Data(
        values=[
            {"confidence": 50 * (low + high), "right": right, "low": first, "high": last, "n": n}
            for low, high, right, first, last, n in rows
        ]
    )
    x = alt.X("confidence:Q", title="confidence, %", scale=alt.Scale(domain=[0, 100]))
    y = alt.Y("right:Q", title="right, %", scale=alt.Scale(domain=[0, 100]))
    base = alt.Chart(data, width=360, height=260)
    bars = base.mark_rule(color="#6741d9").encode(x=x, y=alt.Y("low:Q"), y2="high:Q")
    points = base.mark_point(filled=True, color="#6741d9", opacity=1).encode(
        x=x, y=y, size=alt.Size("n:Q", title="verdicts")
    )
    ends = alt.Data(values=[{"confidence": 0, "right": 0}, {"confidence": 100, "right": 100}])
    even = alt.Chart(ends).mark_line(color="#adb5bd", strokeDash=[4, 4]).encode(x="confidence:Q", y="right:Q")
    write(even + bars + points, path)


if __name__ == "__main__":
    main()
