"""Both genders where the source leaves it open: ``bundled`` on GATE and on the open cases of Apple's data.

``python -m benchmarks.alternatives [N] [gate|open] [LANG …]`` takes N sentences of each language, evenly (300); 0 takes
all. ``--halves`` also shows every other sentence apart: of 600, the first half is what 300 are, the second is fresh.
``--keep FOLDER`` writes the versions there, to be read. ``python -m benchmarks.alternatives labels`` prints how
many of those that a person read are right in nothing but gender.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from epicene import published
from epicene.act import candidates as nbest
from epicene.act.alternatives import Alternative, both
from epicene.act.verbs import alternatives
from epicene.act.versions import References, judged
from epicene.detectors.reading.mentions import person_at
from epicene.errors import InputError
from epicene.flow.plan import open_named
from epicene.flow.translate import means
from epicene.stats.rates import wilson
from epicene.systems import for_text
from epicene.tables import rows
from epicene.types import GuidedSystem, Pair

GATE, OPEN = ("es", "fr"), ("es", "fr", "de")
LABELS = Path(__file__).parent.parent / "tests" / "golden" / "labels" / "alternatives.tsv"
N = 12


def gate(lang: str, count: int) -> list[Alternative]:
    """The share of GATE's sentences with both versions, and what its references say of them."""
    published.add("gate", Path(os.environ["EPICENE_TEST_DATA"], "gate.tar.gz"))
    found = alternatives("gate", f"en-{lang}", sample=count or None)
    show(f"gate en-{lang}", found.found, found.judged, found.apart)
    return list(found.found)


def open_cases(lang: str, count: int) -> list[Alternative]:
    """The same on sentences with one person in focus, whose human translations are there in both genders."""
    system = for_text(*open_named("bundled"))
    if not isinstance(system, GuidedSystem):
        raise TypeError("bundled is guided")
    path = Path(os.environ["EPICENE_TEST_DATA"], "open", f"en-{lang}.tsv.gz")
    cases = list(rows(gzip.decompress(path.read_bytes()).decode(), path.name))
    taken = cases if not count else [cases[place * len(cases) // count] for place in range(min(count, len(cases)))]
    people = []
    for case in taken:
        try:
            people.append((person_at(case["source"], case["focus"], int(case["start"])),))
        except InputError:
            people.append(())
    sources, pair = [case["source"] for case in taken], Pair("en", lang)
    with means("local") as by:
        lists = nbest.of_system("bundled", sources, pair, N, by)
    found = both(system, sources, people, lists, pair)
    references = [References(case["feminine"], case["masculine"]) for case in taken]
    told = judged(zip(found, references, strict=True))
    show(f"open en-{lang}", found, told.versions, told.pairs)
    return found


def share(name: str, found: Iterable[Alternative]) -> None:
    """The share of sentences with both, with its interval."""
    every = list(found)
    number, n = sum(each.both for each in every), sum(bool(each.people) for each in every)
    low, high = wilson(number, n)
    print(f"{name}: both {number} of {n} ({100 * number / n:.1f} % [{100 * low:.1f}, {100 * high:.1f}])", flush=True)


def show(name: str, found: Iterable[Alternative], versions: dict[str, int], pairs: dict[str, int]) -> None:
    """The share, why others have one version, and what the references say."""
    every = list(found)
    share(name, every)
    print(f"  sentences: {dict(Counter(each.why for each in every).most_common())}")
    print(f"  versions by references: {versions}")
    print(f"  pairs by references: {pairs}", flush=True)


def labels() -> None:
    """What a person said of pairs of versions, drawn evenly from those that were found in 300 sentences.

    The label ``agreement``: a word about the person does not agree; ``turned too much``: another word was turned;
    ``not the person``: the gender shows on no word for the person. How good a translation is otherwise does not count.
    """
    with LABELS.open(encoding="utf-8", newline="") as stream:
        read = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    for part in dict.fromkeys(row["part"] for row in read):
        mine = [row["label"] for row in read if row["part"] == part]
        right = mine.count("right")
        low, high = wilson(right, len(mine))
        others = dict(Counter(label for label in mine if label != "right").most_common())
        share = f"{100 * right / len(mine):.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        print(f"{part}: {right} of {len(mine)} pairs right in nothing but gender ({share}); the others: {others}")


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*")
    parser.add_argument("--halves", action="store_true")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if "labels" in given.what:
        labels()
        return
    count = next((int(each) for each in given.what if each.isdigit()), 300)
    langs = [each for each in given.what if each in OPEN]
    parts = [each for each in given.what if each in ("gate", "open")] or ["gate", "open"]
    for part in parts:
        for lang in langs or (GATE if part == "gate" else OPEN):
            found = gate(lang, count) if part == "gate" else open_cases(lang, count)
            if given.halves:
                share("  first half", found[::2])
                share("  second half", found[1::2])
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                lines = (json.dumps(each.as_dict(), ensure_ascii=False) + "\n" for each in found)
                (given.keep / f"{part}.en-{lang}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
