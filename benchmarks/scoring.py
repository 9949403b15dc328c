"""Scoring speed: the dictionary detector against a plain scorer that tries one pattern per dictionary entry.

Both run on the same lines in the same process and must agree on every one. Then a file of a million lines is scored
through the command line, and its peak memory printed.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from epicene.detectors.lexicon.reader import LexiconReader
from epicene.sets.simplegen import SET
from epicene.sets.simplegen.paper import Dictionary
from epicene.tables import table
from epicene.types import Gender, Output, Pair

REPEATS = 5
MILLION = 1_000_000


def plain(source: str, text: str, entries: list[tuple[str, list[str], list[str]]]) -> Gender:
    """One pattern per entry and form, tried in turn: how the field scores today."""
    source, text = source.lower(), text.lower()
    for key, masculine, feminine in entries:
        if re.search(rf"\b{re.escape(key)}\b", source):
            if any(re.search(rf"\b{re.escape(form)}\b", text) for form in masculine):
                return Gender.MASCULINE
            if any(re.search(rf"\b{re.escape(form)}\b", text) for form in feminine):
                return Gender.FEMININE
    return Gender.UNKNOWN


def outputs(target: str) -> list[Output]:
    """The published translations of SimpleGEN."""
    path = Path(os.environ["EPICENE_TEST_DATA"]) / "simplegen" / f"opus-mt.en-{target}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        Output(item, "opus-mt", target, line) for item, line in zip(SET.items(Pair("en", target)), lines, strict=True)
    ]


def compare(target: str) -> None:
    """Time both scorers on the same outputs."""
    rows = table("sets/simplegen/tables", f"dictionary.{target}.tsv")
    entries = [
        (row["english"].lower(), row["masculine"].lower().split("|"), row["feminine"].lower().split("|"))
        for row in rows
    ]
    found = outputs(target)
    slow = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        wanted = [plain(output.item.source, output.text, entries) for output in found]
        slow = min(slow, (time.perf_counter() - start) / len(found))
    times = {}
    for name, detector in (("dictionary", Dictionary(target)), ("cascade", LexiconReader(target))):
        best = float("inf")
        for _ in range(REPEATS):
            # A detector of its own each time, so that no cache is warm.
            fresh = type(detector)(target)
            start = time.perf_counter()
            verdicts = list(fresh.detect(found))
            best = min(best, (time.perf_counter() - start) / len(found))
        times[name] = best
        if name == "dictionary":
            assert [verdict.gender for verdict in verdicts] == wanted, "the scorers disagree"
    print(f"{'plain, one pattern per entry':<34} en-{target} {1 / slow:>10,.0f} sentences/s")
    for name, best in times.items():
        print(f"{name:<34} en-{target} {1 / best:>10,.0f} sentences/s  {slow / best:>6.1f} x")


def million() -> None:
    """Score a million lines of a user's own set through the command line; print its peak memory."""
    found = outputs("de")
    with tempfile.TemporaryDirectory() as folder:
        table_file, hypotheses = Path(folder) / "set.tsv", Path(folder) / "hyp.de"
        with table_file.open("w", encoding="utf-8") as items, hypotheses.open("w", encoding="utf-8") as lines:
            items.write("id\tsource\tfocus\texpected\n")
            for number in range(MILLION):
                output = found[number % len(found)]
                expected = output.item.expected or ""
                items.write(f"{number}\t{output.item.source}\t{output.item.person.text}\t{expected}\n")
                lines.write(output.text + "\n")
        command = [sys.executable, "-m", "epicene", "score", "-t", f"custom:{table_file}", "-l", "en-de"]
        start = time.perf_counter()
        subprocess.run([*command, "-i", str(hypotheses)], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{MILLION:,} lines scored in {seconds:.0f} s ({MILLION / seconds:,.0f} a second), peak memory {peak:.0f} MB")


def main() -> None:
    """Print both comparisons."""
    for target in ("de", "es"):
        compare(target)
    million()


if __name__ == "__main__":
    main()
