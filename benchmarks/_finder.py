"""How well people are found in English sentences of news: the parts of a labelled sample."""

from __future__ import annotations

import os
import sys
from collections import Counter
from functools import cache
from pathlib import Path

from epicene.reader.people import people
from epicene.stats.rates import wilson
from epicene.tables import rows
from epicene.types import Kind

_LABELS = Path(__file__).parents[1] / "tests" / "golden" / "labels" / "finder.tsv"
_PARTS = {
    "seen": "looked at while written",
    "kept": "only measured",
    "fresh": "labelled when all was written",
}
_NO_PERSON = ("either", "thing", "nobody")
Label = tuple[int, int, str]  # from, to, noun, name, pronoun, either (may be found or not), thing


def read_labels() -> dict[str, dict[str, list[Label]]]:
    """The labelled people of each sentence, by part; a sentence that names nobody has one label of no width."""
    parts: dict[str, dict[str, list[Label]]] = {part: {} for part in _PARTS}
    for row in rows(_LABELS.read_text(encoding="utf-8"), _LABELS.name):
        source = _read_sources(row["file"])[int(row["line"]) - 2]
        label = int(row["start"]), int(row["end"]), row["label"]
        parts[row["part"]].setdefault(source, []).append(label)
    return parts


@cache
def _read_sources(name: str) -> list[str]:
    path = Path(os.environ["EPICENE_TEST_DATA"]) / "news" / name
    return [row["source"] for row in rows(path.read_text(encoding="utf-8"), name)]


def count(source: str, labels: list[Label]) -> Counter[tuple[str, str]]:
    """What was found and what was missed in a sentence, pronouns apart from nouns and names."""
    counts: Counter[tuple[str, str]] = Counter()
    hit: set[Label] = set()
    for person in people(source):
        touched = {label for label in labels if label[0] < person.end and person.start < label[1]}
        sort = "pronouns" if person.kind is Kind.PRONOUN else "nouns, names"
        hit |= touched
        if persons := [label for label in touched if label[2] not in _NO_PERSON]:
            counts[sort, "right"] += bool(persons)
        elif not any(label[2] == "either" for label in touched):
            counts[sort, "wrong"] += 1
            explain("no person", source, person.start, person.end)
    for label in labels:
        if label[2] not in _NO_PERSON:
            sort = "pronouns" if label[2] == "pronoun" else "nouns, names"
            counts[sort, "found" if label in hit else "missed"] += 1
            if label not in hit:
                explain("missed", source, *label[:2])
    return counts


def explain(what: str, source: str, start: int, end: int) -> None:
    """Prints an error where -v asks for them."""
    if "-v" in sys.argv:
        print(f"  {what:<10}{source[start:end]} | {source}")


def print_finder() -> None:
    """Precision and recall of the people finder with Wilson intervals; -v prints the errors of the first part.

    A person counts as found if a word of the label is. Labels: people that nouns, names and pronouns name;
    collectives and figures that may be taken for people or not count neither way.
    """
    print(f"{'sentences':<31}{'words':<14}{'precision':<26}recall")
    for part, sentences in read_labels().items():
        if part == "kept":
            sys.argv = [word for word in sys.argv if word != "-v"]
        totals: Counter[tuple[str, str]] = Counter()
        for source, labels in sentences.items():
            totals += count(source, labels)
        for sort in ("nouns, names", "pronouns"):
            shares = []
            for right, wrong in (("right", "wrong"), ("found", "missed")):
                n = totals[sort, right] + totals[sort, wrong]
                low, high = wilson(totals[sort, right], n)
                share = 100 * totals[sort, right] / n
                shares.append(f"{share:.1f} [{100 * low:.1f}, {100 * high:.1f}] of {n}")
            print(f"{_PARTS[part]:<31}{sort:<14}{shares[0]:<26}{shares[1]}")
