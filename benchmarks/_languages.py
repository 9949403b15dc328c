"""How people are read in languages and forms that have no large labelled set: parts of ``benchmarks.reading``."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

from epicene.reader import people
from epicene.reader.reader import build
from epicene.tables import rows
from epicene.types import Item, Output, Verdict

_OWN = Path(__file__).parents[1] / "tests" / "reader"
_LETTERS = {"feminine": "F", "masculine": "M", "neutral": "N", "unknown": "U"}
_READERS = cache(build)


def read_row(row: dict[str, str], language: str) -> Verdict:
    """The verdict on a row's person, as scoring would give it."""
    person = people.person_at(row["source"], row["person"], int(row["start"]))
    item = Item(row["id"], row["source"], person, None, others=people.others_than(person, row["source"]))
    return next(iter(_READERS(language).detect([Output(item, "", language, row["translation"])])))


def print_inclusive() -> None:
    """How forms that name everybody are told from others, and their strategies, on sentences of our own."""
    _print_own(_OWN / "inclusive.tsv")


def print_both() -> None:
    """How often answers that name both genders are recognised, and near misses taken for them; -v: seen errors."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in rows((path := _OWN / "both.tsv").read_text(encoding="utf-8"), path.name):
        text = row["translation"].replace(r"\n", "\n")
        found = read_row(
            row | {"id": "", "start": str(row["source"].index(row["person"])), "translation": text}, row["language"]
        )
        kind, is_both = "both" if row["both"] else "near miss", found.inclusive is not None
        right = is_both == bool(row["both"])
        for language in (row["language"], "all"):
            for half in (row["half"], "all"):
                counts.setdefault((f"{language} {kind}", half), Counter()).update(
                    n=1, both=is_both, gender=found.gender == row["gender"]
                )
        if "-v" in sys.argv and row["half"] == "seen" and not right:
            print(found.gender, found.step, *row.values(), sep=" | ")
    print(f"{'answers':<14}{'half':<6}{'both %':>8}{'gender %':>10}{'n':>5}")
    for (kind, half), table in counts.items():
        shares = (100 * table[outcome] / table["n"] for outcome in ("both", "gender"))
        print(f"{kind:<14}{half:<6}{next(shares):>8.1f}{next(shares):>10.1f}{table['n']:>5}")


def print_own() -> None:
    """How people of our own sentences are read, in languages that have no labels of others."""
    _print_own(_OWN / "people.tsv")


def print_everyday() -> None:
    """How people of everyday sentences of our own are read in right and wrong translations."""
    _print_own(_OWN / "everyday.tsv")


def _print_own(path: Path) -> None:
    """Half of the sentences were looked at while the rules were written: -v prints the misses among these; languages
    choose. Wrong is a gender that the translation does not show.
    """
    wanted = [word for word in sys.argv[1:] if re.fullmatch("[a-z]{2}", word)]
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in rows(path.read_text(encoding="utf-8"), path.name):
        if wanted and row["language"] not in wanted:
            continue
        verdict = read_row(row | {"id": "", "start": str(row["source"].index(row["person"]))}, row["language"])
        right = {"right": verdict.gender == row["gender"], "strategy": (verdict.inclusive or "") == row["inclusive"]}
        wrong = verdict.gender in ("feminine", "masculine") and not right["right"]
        for language in (row["language"], "all"):
            for half in (row["half"], "all"):
                counts.setdefault((language, half), Counter(n=0)).update(n=1, wrong=wrong, **right)
        if "-v" in sys.argv and row["half"] == "seen" and not all(right.values()):
            print(verdict.gender, verdict.inclusive, verdict.step, *row.values(), sep=" | ")
    print(f"{'language':<10}{'half':<6}{'right':>8}{'wrong':>8}{'strategy':>10}{'n':>5}")
    for (language, half), table in counts.items():
        right_share, wrong_share, strategy = (100 * table[name] / table["n"] for name in ("right", "wrong", "strategy"))
        print(f"{language:<10}{half:<6}{right_share:>8.1f}{wrong_share:>8.1f}{strategy:>10.1f}{table['n']:>5}")


def print_agreement() -> None:
    """How often the reader agrees with people who labelled translations, by language and system; -v prints where not.

    The sentences are WinoMT-like and name few occupations each; they were looked at while the tables were written.
    """
    print(f"{'labels':<14}{'agreement':>10}{'n':>6}{'words':>7}")
    for path in sorted((Path(os.environ["EPICENE_TEST_DATA"]) / "people").glob("*.tsv")):
        labelled = [row for row in rows(path.read_text(encoding="utf-8"), path.name) if row["label"] != "X"]
        language, agreed = path.name.split(".")[0], 0
        for row in labelled:
            verdict = read_row(row, language)
            agrees = _LETTERS[verdict.gender] in row["label"].split("|")
            agreed += agrees
            if "-v" in sys.argv and not agrees:
                print(row["label"], verdict.gender, verdict.step, row["source"], row["translation"], sep=" | ")
        words = len({row["person"] for row in labelled})
        print(f"{path.stem:<14}{100 * agreed / len(labelled):>9.1f}%{len(labelled):>6}{words:>7}")
