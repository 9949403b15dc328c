"""Agreement with the people who judged WinoMT translations (``human_annotations.tsv``); -v prints disagreements."""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from pathlib import Path

from epicene import published
from epicene.detectors.epicene.reading import ReadingDetector
from epicene.sets.winomt import SET
from epicene.stats.rates import wilson
from epicene.tables import rows
from epicene.types import Output, Pair, Verdict

LETTER = {"feminine": "F", "masculine": "M", "neutral": "N", "unknown": "U"}


def judged(folder: Path) -> dict[str, list[tuple[int, str, str]]]:
    """Row, translation and gender by language; where two annotators judged, only what they agree on."""
    found: dict[str, dict[tuple[int, str], set[str]]] = defaultdict(lambda: defaultdict(set))
    text = (folder / "winomt" / "human_annotations.tsv").read_text(encoding="utf-8")
    for row in rows(text, "human_annotations.tsv"):
        found[row["lang"]][int(row["row_index0"]), row["translation"]].add(row["human_gender"])
    return {
        language: [(row, translation, *genders) for (row, translation), genders in each.items() if len(genders) == 1]
        for language, each in found.items()
    }


def verdicts(folder: Path, language: str) -> list[tuple[str, Verdict]]:
    """What people said, and what the detector reads."""
    items = list(SET.items(Pair("en", language)))
    cases = [case for case in judged(folder)[language] if case[2] in "MFN" and case[2]]
    outputs = [Output(items[row], "human", language, translation) for row, translation, _ in cases]
    return list(zip((gender for _, _, gender in cases), ReadingDetector(language).detect(outputs), strict=True))


def main() -> None:
    """Print agreement by language."""
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    published.add("winomt", folder / "winomt")
    wanted = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    print(f"{'language':<9} {'agree':>6} {'95 % interval':>16} {'n':>4}")
    for language in wanted or ("es", "it", "ru", "uk", "he", "ar", "de", "fr"):
        found = verdicts(folder, language)
        right = sum(LETTER[verdict.gender] == people for people, verdict in found)
        low, high = wilson(right, len(found))
        interval = f"[{100 * low:.1f}, {100 * high:.1f}]"
        print(f"{language:<9} {100 * right / len(found):>5.1f}% {interval:>16} {len(found):>4}")
        if "-v" in sys.argv:
            _explain(found)


def _explain(found: list[tuple[str, Verdict]]) -> None:
    for people, verdict in found:
        if LETTER[verdict.gender] != people:
            words = [each.text for each in verdict.evidence]
            focus = verdict.output.item.person.text
            print(f"  {people} ≠ {LETTER[verdict.gender]} [{focus}] by {verdict.step} {words}: {verdict.output.text}")
    print("  ", Counter(verdict.step for _, verdict in found))


if __name__ == "__main__":
    main()
