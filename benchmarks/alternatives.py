"""Both genders where the source leaves it open: ``bundled`` on GATE and on the open cases of Apple's data.

``python -m benchmarks.alternatives [N]`` takes N sentences of each language, evenly (100); 0 takes all.
"""

from __future__ import annotations

import gzip
import os
import sys
from collections import Counter
from pathlib import Path

from epicene import published, systems
from epicene.acting import alternatives
from epicene.detectors.contrast import read
from epicene.detectors.reading.mentions import person_at
from epicene.errors import InputError
from epicene.pipeline.alternatives import both
from epicene.tables import rows
from epicene.types import Accepted, Gender, GuidedSystem, Pair

GATE, OPEN = ("es", "fr"), ("de", "es", "fr")
N = 12


def gate(count: int) -> None:
    """The share of GATE's sentences with both versions, and what its references say of them."""
    published.add("gate", Path(os.environ["EPICENE_TEST_DATA"], "gate.tar.gz"))
    for lang in GATE:
        found = alternatives("gate", f"en-{lang}", sample=count or None)
        print(
            f"gate en-{lang}: both {found.both} of {found.open} ({100 * found.both / found.open:.1f} %); "
            f"{found.counts}; references: {found.judged}",
            flush=True,
        )


def open_cases(count: int) -> None:
    """The same on sentences with one person in focus, whose human translations are there in both genders."""
    system = systems.load("bundled")
    if not isinstance(system, GuidedSystem):
        raise TypeError("bundled is guided")
    for lang in OPEN:
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
        found = both(system, sources, people, list(system.candidates(sources, pair, N)), pair)
        judged = Counter[str]()
        for case, each in zip(taken, found, strict=True):
            references = (
                Accepted(case["masculine"], Gender.MASCULINE),
                Accepted(case["feminine"], Gender.FEMININE),
            )
            for gender, version in each.versions.items() if each.both else ():
                said = read(references, version.text).gender
                judged["silent" if said is Gender.UNKNOWN else "right" if said is gender else "wrong"] += 1
        number = sum(each.both for each in found)
        counts = dict(Counter(each.why for each in found).most_common())
        print(
            f"open en-{lang}: both {number} of {len(found)} ({100 * number / len(found):.1f} %); {counts}; "
            f"references: {dict(judged)}",
            flush=True,
        )


def main() -> None:
    """Print both."""
    count = int(sys.argv[1]) if sys.argv[1:] else 100
    gate(count)
    open_cases(count)


if __name__ == "__main__":
    main()
