"""How well any person of any sentence is read, what stays unread on WinoMT, and what a confidence is worth."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import epicene
from benchmarks import run_parts
from benchmarks._cases import GENEVAL, OPEN, Case, context_cases, geneval_files, open_cases, sentence_cases
from benchmarks._confidence import print_confidence, print_fit
from benchmarks._finder import print_finder
from benchmarks._languages import print_agreement, print_both, print_everyday, print_inclusive, print_own, read_row
from epicene.reader.people import others_than, person_at
from epicene.reader.reader import Reader
from epicene.sets import files as published
from epicene.stats.rates import wilson
from epicene.tables import rows
from epicene.types import Gender, Item, Output, Verdict


def print_people() -> None:
    """How well any person of any sentence is read; -v prints the misses and the speed, -k KIND and languages choose,
    -n N takes fewer.

    Rows: ``open`` nouns and pronouns (both versions of each), and MT-GenEval's professions (``context``, test) and
    ``sentences`` (he and she), where the two references differ.
    """
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    arguments = sys.argv[1:]
    kinds = [arguments[place + 1] for place, each in enumerate(arguments) if each == "-k"]
    most = next((int(arguments[place + 1]) for place, each in enumerate(arguments) if each == "-n"), None)
    wanted = [each for each in arguments if re.fullmatch("[a-z]{2}", each)]
    print("set      kind     lang   right  wrong neutral undetected     n  right, 95 % CI")
    for language in wanted or OPEN:
        if language in OPEN:
            cases = list(open_cases(folder, language))
            for kind in ("noun", "pronoun"):
                if not kinds or kind in kinds:
                    show(
                        "open", kind, language, [case for case in cases if case.kind == kind][:most], "-v" in arguments
                    )
    if kinds and "geneval" not in kinds:
        return
    files = geneval_files(folder)
    for language in wanted or GENEVAL:
        if language in GENEVAL:
            cases = list(context_cases(files, language, "test"))
            show("geneval", "noun", language, cases[:most], "-v" in arguments)
            show(
                "geneval", "pronoun", language, list(sentence_cases(files, language, "test"))[:most], "-v" in arguments
            )


def show(name: str, kind: str, language: str, cases: list[Case], verbose: bool) -> None:
    """Prints one line, and the misses where asked."""
    if not cases:
        return
    reader = Reader(language)
    outputs = [Output(_item(case), "", language, case.translation) for case in cases]
    reader.read(outputs[0])
    began = time.process_time()
    readings = list(reader.detect(outputs))
    spent = time.process_time() - began
    n = len(cases)
    if name == "geneval" and kind == "noun":
        cases, readings = labelled(cases, readings)
    counts = Counter(outcome(case, reading) for case, reading in zip(cases, readings, strict=True))
    total, n = n, len(cases)
    low, high = wilson(counts["right"], n)
    widths = {"right": 7, "wrong": 7, "neutral": 8, "unread": 11}
    shares = "".join(f"{100 * counts[each] / n:>{width}.1f}" for each, width in widths.items())
    print(f"{name:<9}{kind:<9}{language:<5}{shares}{n:>6}  [{100 * low:.1f}, {100 * high:.1f}]", flush=True)
    if verbose:
        print(f"  {total / spent:.0f} sentences a second")
        for case, reading in zip(cases, readings, strict=True):
            if outcome(case, reading) != "right":
                print(_explained(case, reading))


def _item(case: Case) -> Item:
    """A labelled person among the others of the sentence, as scoring has them."""
    person = person_at(case.source, case.person, case.start)
    return Item(case.id, case.source, person, None, others=others_than(person, case.source))


def labelled(cases: list[Case], readings: list[Verdict]) -> tuple[list[Case], list[Verdict]]:
    """Professions that the two references tell apart, with labels turned where the context meant somebody else.

    MT-GenEval does not say whom the context's gender belongs to: a pair is left out where the words around the person
    are the same in both references, and turned where both are read the other way round.
    """
    kept: list[Case] = []
    read: list[Verdict] = []
    for place in range(0, len(cases), 2):
        pair, found = cases[place : place + 2], readings[place : place + 2]
        around = [_around(case, reading) for case, reading in zip(pair, found, strict=True)]
        if around[0] == around[1] and around[0]:
            continue
        if all(outcome(case, reading) == "wrong" for case, reading in zip(pair, found, strict=True)):
            pair = [pair[0]._replace(expected=pair[1].expected), pair[1]._replace(expected=pair[0].expected)]
        kept.extend(pair)
        read.extend(found)
    return kept, read


def _around(case: Case, reading: Verdict) -> list[str]:
    """The words from four before to four behind the evidence."""
    if not reading.evidence:
        return []
    before = case.translation[: reading.evidence[0].start].split()[-4:]
    return [
        *before,
        case.translation[reading.evidence[0].start : reading.evidence[-1].end],
        *case.translation[reading.evidence[-1].end :].split()[:4],
    ]


def outcome(case: Case, reading: Verdict) -> str:
    """What a reading is worth."""
    if reading.gender is Gender.UNKNOWN:
        return "unread"
    if reading.gender is Gender.NEUTRAL:
        return "neutral"
    return "right" if reading.gender is case.expected else "wrong"


def _explained(case: Case, reading: Verdict) -> str:
    words = [each.text for each in reading.evidence]
    return (
        f"  {outcome(case, reading):<8}{case.id} {case.expected[0].upper()} [{case.person}] {reading.step} {words}"
        f" {reading.confidence or 0:.2f}\n     {case.source}\n     {case.translation}"
    )


LANGUAGES = ("es", "fr", "it", "ru", "uk", "he", "ar", "de")


def print_winomt() -> None:
    """What stays unread on WinoMT: google's and bing's translations in eight languages."""
    folder = Path(os.environ["EPICENE_TEST_DATA"]) / "winomt"
    published.add("winomt", folder)
    print("per cent      google                bing")
    print("lang  undetected  neutral  undetected  neutral")
    for language in LANGUAGES:
        cells = ""
        for system in ("google", "bing"):
            result = epicene.score("winomt", f"en-{language}", folder / "translations" / f"{system}.en-{language}.txt")
            shares = {gender: 100 * count / result.n for gender, count in result.genders.items()}
            cells += f"{shares['unknown']:>12.1f}{shares['neutral']:>9.1f}"
        print(f"{language:<4}{cells}", flush=True)


_KINDS = {"gnoun": "gendered nouns", "heshe": "he, she", "name": "names"}
_STATED = {"F": Gender.FEMININE, "M": Gender.MASCULINE}
_SHOWN = tuple(_STATED.values())


def print_parity() -> None:
    """Women read as men and men as women on news, by kind and language; -v prints them, languages choose.

    The label is the gender that the source states; some contradictions are the translator's own change, so what counts
    is the two rates side by side. Last come translations that a person labelled.
    """
    folder = Path(os.environ["EPICENE_TEST_DATA"]) / "news"
    wanted = [word for word in sys.argv[1:] if re.fullmatch("[a-z]{2}", word)]
    counts = count_parity(folder, wanted, "-v" in sys.argv)
    print(*parity_table(counts), sep="\n")
    for kind, name in _KINDS.items():
        print(f"{name}: read right {100 * counts[kind, 'all'].share_right():.1f}")
    print_news(folder, wanted)


class Parity(Counter[tuple[str, Gender]]):
    """How often each label was read as each gender."""

    def of(self, label: str) -> int:
        """How many people have a label."""
        return sum(n for (own, _), n in self.items() if own == label)

    def swapped(self, label: str) -> int:
        """How many people with a label were read as the other gender."""
        return sum(n for (own, gender), n in self.items() if own == label and {gender, _STATED[own]} == set(_SHOWN))

    def share_right(self) -> float:
        """The share of people read as their label says."""
        return sum(self[letter, gender] for letter, gender in _STATED.items()) / max(1, self.total())


def count_parity(folder: Path, wanted: Sequence[str] = (), verbose: bool = False) -> dict[tuple[str, str], Parity]:
    """What people whose gender the source states are read as, by kind and language, and in all languages."""
    counts: dict[tuple[str, str], Parity] = {}
    for row in rows((folder / "proxy.tsv").read_text(encoding="utf-8"), "proxy.tsv"):
        if wanted and row["lang"] not in wanted:
            continue
        verdict = read_row(row, row["lang"])
        for language in ("all", row["lang"]):
            counts.setdefault((row["kind"], language), Parity())[row["label"], verdict.gender] += 1
        if verbose and {verdict.gender, _STATED[row["label"]]} == set(_SHOWN):
            print(row["id"], row["label"], row["person"], verdict.step, row["source"], row["translation"], sep=" | ")
    return counts


def parity_table(counts: dict[tuple[str, str], Parity]) -> list[str]:
    """Per cent of women read as men and of men read as women, with how many there are, by kind and language."""
    heads = "".join(f"{kind:>16}{'':8}" for kind in _KINDS.values())
    lines = [f"%   {heads}", f"lang{' women     n   men     n' * len(_KINDS)}"]
    for language in sorted({language for _, language in counts}, key=lambda code: (code == "all", code)):
        cells = ""
        for kind in _KINDS:
            parity = counts.get((kind, language), Parity())
            for label in _STATED:
                share, n = 100 * parity.swapped(label) / max(1, parity.of(label)), parity.of(label)
                cells += f"{share:>6.1f}{n:>6}"
        lines.append(f"{language:<4}{cells}")
    return [line.rstrip() for line in lines]


def print_news(folder: Path, wanted: list[str]) -> None:
    """How labelled people of news are read: right and wrong where a gender shows, and genders where none does."""
    counts: Counter[str] = Counter()
    for path in sorted(folder.glob("??.tsv")):
        for row in rows(path.read_text(encoding="utf-8"), path.name) if not wanted or path.stem in wanted else ():
            gender = read_row(row, path.stem).gender
            stated = _STATED.get(row["label"])
            if stated is not None:
                counts["shown"] += 1
                counts["right"] += gender is stated
                counts["wrong"] += gender in _SHOWN and gender is not stated
            elif row["label"] in ("N", "U"):
                counts["hidden"] += 1
                counts["invented"] += gender in _SHOWN
    right, wrong = (100 * counts[outcome] / max(counts["shown"], 1) for outcome in ("right", "wrong"))
    print(f"labelled news: right {right:.1f}, wrong {wrong:.1f} of {counts['shown']} that show a gender;", end=" ")
    invented = 100 * counts["invented"] / max(counts["hidden"], 1)
    print(f"a gender read in {invented:.1f} of {counts['hidden']} that show none")


PARTS = {
    "parity": print_parity,
    "people": print_people,
    "winomt": print_winomt,
    "confidence": print_confidence,
    "finder": print_finder,
    "inclusive": print_inclusive,
    "both": print_both,
    "own": print_own,
    "everyday": print_everyday,
    "agreement": print_agreement,
}


def main() -> None:
    """Run the part that is named, or all; ``fit`` changes what is shipped, so it runs only where it is named."""
    run_parts({"fit": print_fit} if sys.argv[1:2] == ["fit"] else PARTS)


if __name__ == "__main__":
    main()
