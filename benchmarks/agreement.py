"""How often the detector reads what people read, on the golden labels; prints every disagreement with -v."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

import epicene
from epicene import published
from epicene.stats.rates import wilson
from epicene.types import Verdict

LABELS = Path(__file__).parent.parent / "tests" / "golden" / "labels"
LETTER = {"feminine": "F", "masculine": "M", "neutral": "N", "unknown": "U"}
# set, language pair, system; the label file and the translations are named after them
LABELLED = (
    ("simplegen", "en-de", "opus-mt"),
    ("simplegen", "en-es", "opus-mt"),
    ("winomt", "en-de", "google"),
    ("winomt", "en-de", "bing"),
    ("winomt", "en-fr", "google"),
    ("winomt", "en-fr", "bing"),
)


def labels(set_name: str, langs: str, system: str) -> dict[int, str]:
    """Labels by line number."""
    rows = (LABELS / f"{set_name}.{system}.{langs}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {int(line): label for line, label in (row.split("\t") for row in rows)}


def translations(set_name: str, langs: str, system: str) -> Path:
    """The published translations that were labelled."""
    folder = Path(os.environ["EPICENE_TEST_DATA"]) / set_name
    if set_name == "winomt":
        published.add("winomt", folder)
        folder /= "translations"
    return folder / f"{system}.{langs}.txt"


def disagreements(set_name: str, langs: str, system: str) -> tuple[int, list[tuple[int, str, Verdict]], float]:
    """Number of labels, the verdicts that differ, and the share of all sentences that stay unread."""
    result = epicene.score(set_name, langs, translations(set_name, langs, system))
    golden = labels(set_name, langs, system)
    wrong = [
        (line, label, result.verdicts[line - 1])
        for line, label in golden.items()
        if LETTER[result.verdicts[line - 1].gender] != label
    ]
    return len(golden), wrong, result.genders["unknown"] / result.n


def main() -> None:
    """Print agreement and share of unread sentences per labelled file."""
    print(f"{'labels':<28} {'right':>6} {'95 % interval':>16} {'n':>5} {'unread':>8}")
    for set_name, langs, system in LABELLED:
        n, wrong, unread = disagreements(set_name, langs, system)
        low, high = wilson(n - len(wrong), n)
        interval = f"[{100 * low:.1f}, {100 * high:.1f}]"
        share = 100 * (n - len(wrong)) / n
        print(f"{f'{set_name} {langs} {system}':<28} {share:>5.1f}% {interval:>16} {n:>5} {100 * unread:>7.2f}%")
        if "-v" in sys.argv:
            for line, label, verdict in wrong:
                print(f"  {line}: people {label}, read {verdict.gender} by {verdict.step}: {verdict.output.text}")
            print("  ", Counter(label for _, label, _ in wrong))


if __name__ == "__main__":
    main()
