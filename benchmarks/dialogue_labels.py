"""How often the dialogues of WMT24 are read as a person read them; ``draw`` prints what to label, -v disagreements.

``python -m benchmarks.dialogue_labels [--whole] [-v]``, ``python -m benchmarks.dialogue_labels draw cs 4``.

Labels name system, item and gender, never a sentence: the published files may not be shipped. Each file holds several
draws; a later one was drawn and labelled after the reader was mended by the one before it.
"""

from __future__ import annotations

import csv
import os
import random
import sys
import tarfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from epicene import published
from epicene.detectors.epicene import agreement, reading
from epicene.sets import load
from epicene.stats.rates import wilson
from epicene.types import Gender, Item, Output, Pair, Verdict

LABELS = Path(__file__).parent.parent / "tests" / "golden" / "labels"
LANGUAGES = ("cs", "es")
ROLES = ("speaker", "listener", "named")
NUMBER = 200  # verdicts of a draw
LETTER = {Gender.FEMININE: "F", Gender.MASCULINE: "M", Gender.NEUTRAL: "N", Gender.UNKNOWN: "U"}
SHOWN = "FM"  # genders that count; N and U both stand apart from every rate


class Label(NamedTuple):
    """What a person read: of the words that agree at the place, and of all that means the person."""

    draw: str
    system: str
    item: str
    agrees: str
    person: str


class Reading(NamedTuple):
    """A label and the verdict on the same words."""

    label: Label
    agrees: Verdict  # of the set's detector
    person: Verdict  # of the reader, which also takes other words for the same person


def labels(language: str) -> list[Label]:
    """The labels of a language, in the order of the draws."""
    with (LABELS / f"dialogue.en-{language}.tsv").open(encoding="utf-8", newline="") as stream:
        return [Label(**row) for row in csv.DictReader(stream, delimiter="\t")]


@cache
def _outputs(data: Path, language: str) -> dict[str, list[str]]:
    """The lines of each system."""
    found = {}
    with tarfile.open(data / "wmt24-dialogue.tar.gz") as archive:
        for name in sorted(archive.getnames(), key=lambda name: Path(name).stem):
            path = Path(name)
            if path.parent.name == f"en-{language}" and path.suffix == ".txt" and path.stem != "source":
                stream = archive.extractfile(name)
                assert stream is not None
                found[path.stem] = stream.read().decode().split("\n")
    return found


@cache
def _items(language: str) -> dict[str, Item]:
    return {item.id: item for item in load("dialogue").items(Pair("en", language))}


def draw(data: Path, language: str, seed: str) -> list[tuple[str, Item]]:
    """Systems and people: systems and roles take turns, the people of a role are drawn at random."""
    source = random.Random(f"en-{language} {seed}")
    people = {role: [item for item in _items(language).values() if item.labels["role"] == role] for role in ROLES}
    cells = [(system, role) for system in _outputs(data, language) for role in ROLES]
    source.shuffle(cells)
    found: dict[tuple[str, str], tuple[str, Item]] = {}
    turn = 0
    while len(found) < NUMBER:
        system, role = cells[turn % len(cells)]
        item = source.choice(people[role])
        found[system, item.id] = system, item
        turn += 1
    return sorted(found.values(), key=lambda each: (each[0], each[1].id))


def readings(data: Path, language: str, whole: bool = False) -> Iterator[Reading]:
    """Every label with the verdicts of today; ``whole`` reads all lines of each system, as ``score`` does.

    A rare step learns which word renders a person from the other lines that it is given.
    """
    published.add("dialogue", data / "wmt24-dialogue.tar.gz")
    found = labels(language)
    for system in dict.fromkeys(each.system for each in found):
        asked = [each for each in found if each.system == system]
        lines, items = _outputs(data, language)[system], _items(language)
        chosen = list(items.values()) if whole else [items[each.item] for each in asked]
        outputs = [Output(item, system, language, lines[int(item.line or 0)]) for item in chosen]
        first, second = (
            {verdict.output.item.id: verdict for verdict in detector.build(language).detect(outputs)}
            for detector in (agreement.DETECTOR, reading.DETECTOR)
        )
        for each in asked:
            yield Reading(each, first[each.item], second[each.item])


def right(label: str, verdict: Verdict) -> bool:
    """Whether they agree; that nothing shows a gender and that nobody is there count for the same."""
    letter = LETTER[verdict.gender]
    return letter == label or not (letter in SHOWN or label in SHOWN)


def _print(language: str, found: list[Reading], verbose: bool) -> None:
    for seed in dict.fromkeys(each.label.draw for each in found):
        rows = [each for each in found if each.label.draw == seed]
        good = sum(right(each.label.agrees, each.agrees) for each in rows)
        exact = sum(each.label.agrees == LETTER[each.agrees.gender] for each in rows)
        person = sum(right(each.label.person, each.person) for each in rows)
        low, high = wilson(good, len(rows))
        print(
            f"en-{language} draw {seed}: {100 * good / len(rows):.1f} % right [{100 * low:.1f}, {100 * high:.1f}], "
            f"n {len(rows)}; neutral told from unread {100 * exact / len(rows):.1f}; "
            f"by all that means the person {100 * person / len(rows):.1f}"
        )
        for each in rows if verbose else ():
            for label, verdict, name in (
                (each.label.agrees, each.agrees, "agreement"),
                (each.label.person, each.person, "reading"),
            ):
                if not right(label, verdict):
                    item = verdict.output.item
                    print(f"  {each.label.system} {item.id} {item.person.text} {item.labels['occupation']}")
                    print(f"    {name}: person {label}, read {verdict.gender} by {verdict.step} {verdict.evidence}")
                    print(f"    {item.source}\n    {verdict.output.text}")


def main(arguments: Sequence[str] = ()) -> None:
    """Print agreement per language and draw, or a draw to label: draw LANGUAGE SEED."""
    data = Path(os.environ["EPICENE_TEST_DATA"])
    published.add("dialogue", data / "wmt24-dialogue.tar.gz")
    if "draw" in arguments[:1]:
        _, language, seed = arguments
        for number, (system, item) in enumerate(draw(data, language, seed), 1):
            text, start = _outputs(data, language)[system][int(item.line or 0)], item.person.start
            print(f"{number}\t{system}\t{item.id}\t{item.labels['role']} {item.labels['occupation']}")
            print(f"    {item.source[:start]}>>{item.source[start:]}\n    {text}")
        return
    for language in LANGUAGES:
        _print(language, list(readings(data, language, "--whole" in arguments)), "-v" in arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
