"""WiBeMT: building, exporting and detecting all 70,686 sentences, and the detector against the authors' categories.

The translations are real ones: Google's of WinoBias, once for each adjective, and of the verb sentences. Each step runs
in a process of its own; detection also on a quarter and a half of the lines, to show that time is linear.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from epicene import published
from epicene.detectors.lexicon.naming import Naming
from epicene.detectors.lexicon.reader import LexiconReader
from epicene.flow.plan import open_set
from epicene.flow.score import open_file, outputs_of_file
from epicene.sets.wibemt.files import read_verbs
from epicene.types import Gender, Pair, Verdict

PAIR = Pair("en", "de")
GENDERS = {
    "female": Gender.FEMININE,
    "male": Gender.MASCULINE,
    "neutral": Gender.NEUTRAL,
    "wrong": Gender.UNKNOWN,
}
BASE, ADJECTIVES = 3_168, 20
DETECT = """
import resource, sys, time
from itertools import islice
from epicene.detectors.lexicon.naming import Naming
from epicene.files import read_lines
from epicene.flow.plan import open_set
from epicene.types import Output, Pair
pair = Pair("en", "de")
items = open_set("wibemt").items(pair)
outputs = (Output(item, "x", "de", line) for item, line in zip(items, read_lines(sys.argv[1]), strict=True))
detector = Naming("de")
start, busy = time.perf_counter(), time.process_time()
number = sum(1 for _ in detector.detect(islice(outputs, int(sys.argv[2]))))
took = time.perf_counter() - start, time.process_time() - busy
print(number, *took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def translations(folder: Path, path: Path) -> int:
    """Write a German line for every sentence of the set."""
    google = (folder / "winomt" / "translations" / "google.en-de.txt").read_text(encoding="utf-8").splitlines()[:BASE]
    verbs = [row.translation for row in read_verbs(folder / "wibemt" / "verb_translations_google.tsv")]
    lines = [*google * (1 + ADJECTIVES), *verbs]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def speed(folder: Path) -> None:
    """Print how long building with export and detecting take, and the memory of the latter."""
    with tempfile.TemporaryDirectory() as place:
        english, german = Path(place) / "wibemt.en", Path(place) / "wibemt.de"
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "epicene", "sets", "export", "wibemt", "-o", english], check=True)
        seconds = time.perf_counter() - start
        size = translations(folder, german)
        assert size == sum(1 for _ in english.open(encoding="utf-8"))
        print(f"building and exporting {size:,} sentences, start-up included: {seconds:.1f} s (at most 5 wanted)")
        for part in (size // 4, size // 2, size):
            command = [sys.executable, "-c", DETECT, german, str(part)]
            answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
            found, (took, busy, memory) = int(answer[0]), map(float, answer[1:])
            each = 1e6 * busy / found
            print(
                f"detecting {found:>6,}: {took:>5.1f} s, {busy:.1f} s of one core, {each:.0f} µs each, {memory:.0f} MB"
            )
        print("(at most 10 s wanted for all; a machine that does other things takes longer than its core is busy)")


def agreement(path: Path) -> None:
    """Print how often each of the detector's rules agrees with the authors' categories."""
    challenge, file = open_file(open_set("wibemt-verbs"), path)
    outputs = list(outputs_of_file(challenge, PAIR, file))
    wanted = [GENDERS[row.category] for row in read_verbs(path)]
    cascade, naming = list(LexiconReader("de").detect(outputs)), list(Naming("de").detect(outputs))
    rules: dict[str, Callable[[Verdict, Verdict], bool]] = {
        "all steps of the cascade": lambda _, __: True,
        "words for the occupation only": lambda each, _: each.step not in ("other-word", "alignment"),
        "and not left untranslated": lambda each, ours: _listed(each) and ours.step != "untranslated",
        "and no near word: the detector": lambda _, ours: ours.gender is not Gender.UNKNOWN,
    }
    for name, counts in rules.items():
        read = [a.gender if counts(a, b) else Gender.UNKNOWN for a, b in zip(cascade, naming, strict=True)]
        given = [(w, r) for w, r in zip(wanted, read, strict=True) if w is not Gender.UNKNOWN]
        gendered = 100 * sum(w is r for w, r in given) / len(given)
        everything = 100 * sum(w is r for w, r in zip(wanted, read, strict=True)) / len(wanted)
        print(f"{path.stem.rpartition('_')[2]:<8} {name:<32} {gendered:>8.2f} {everything:>8.2f}")


def _listed(verdict: Verdict) -> bool:
    return verdict.step not in ("other-word", "alignment")


def main() -> None:
    """Print speed and agreement."""
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    published.add("winomt", folder / "winomt")
    speed(folder)
    print(f"\n{'system':<8} {'what counts':<32} {'F, M, N':>8} {'all':>8}  agreement with the authors in %")
    for path in sorted((folder / "wibemt").glob("verb_translations_*.tsv")):
        agreement(path)


if __name__ == "__main__":
    main()
