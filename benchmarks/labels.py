"""How often translations are read as people read them: sentences, WinoMT's annotators, dialogues, passages."""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import epicene
from benchmarks import run_parts
from epicene.reader.reader import AGREEMENT, READING, Reader
from epicene.sets import files as published
from epicene.sets import load, mittens
from epicene.sets.winomt import SET
from epicene.stats.rates import wilson
from epicene.tables import rows
from epicene.types import Item, Output, Pair, Verdict

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


def read_labels(set_name: str, langs: str, system: str) -> dict[int, str]:
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
    golden = read_labels(set_name, langs, system)
    wrong = [
        (line, label, result.verdicts[line - 1])
        for line, label in golden.items()
        if LETTER[result.verdicts[line - 1].gender] != label
    ]
    return len(golden), wrong, result.genders["unknown"] / result.n


def print_sentences() -> None:
    """How often the detector reads what people read, on the golden labels; prints every disagreement with -v."""
    print(f"{'labels':<28} {'right':>6} {'95 % interval':>16} {'n':>5} {'undetected':>11}")
    for set_name, langs, system in LABELLED:
        n, wrong, unread = disagreements(set_name, langs, system)
        low, high = wilson(n - len(wrong), n)
        interval = f"[{100 * low:.1f}, {100 * high:.1f}]"
        share = 100 * (n - len(wrong)) / n
        print(f"{f'{set_name} {langs} {system}':<28} {share:>5.1f}% {interval:>16} {n:>5} {100 * unread:>10.2f}%")
        if "-v" in sys.argv:
            for line, label, verdict in wrong:
                print(f"  {line}: people {label}, read {verdict.gender} by {verdict.step}: {verdict.output.text}")
            print("  ", Counter(label for _, label, _ in wrong))


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
    return list(zip((gender for _, _, gender in cases), Reader(language).detect(outputs), strict=True))


# Whom the annotators called masculine by a pronoun's or a noun's grammar: кто-то, ребенок. We read them as neutral.
SOMEONE = frozenset(("someone", "child"))


def agreement(found: list[tuple[str, Verdict]]) -> tuple[int, int]:
    """How often people and the detector agree, of how many."""
    return sum(LETTER[verdict.gender] == people for people, verdict in found), len(found)


def without_someone(found: list[tuple[str, Verdict]]) -> list[tuple[str, Verdict]]:
    """Verdicts on all but someone and child, whose obligatory masculine we read as neutral."""
    return [each for each in found if each[1].output.item.person.concept not in SOMEONE]


def print_annotators() -> None:
    """Agreement with the people who judged WinoMT translations (``human_annotations.tsv``); -v prints disagreements.

    The last column leaves out *someone* and *child*, whose masculine they counted and we do not.
    """
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    published.add("winomt", folder / "winomt")
    wanted = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    print(f"{'language':<9} {'agree':>6} {'95 % interval':>16} {'n':>4}  without someone, child")
    for language in wanted or ("es", "it", "ru", "uk", "he", "ar", "de", "fr"):
        found = verdicts(folder, language)
        right, n = agreement(found)
        low, high = wilson(right, n)
        interval = f"[{100 * low:.1f}, {100 * high:.1f}]"
        fewer, rest = agreement(without_someone(found))
        print(f"{language:<9} {100 * right / n:>5.1f}% {interval:>16} {n:>4}  {100 * fewer / rest:.1f}% of {rest}")
        if "-v" in sys.argv:
            _explain(found)


def _explain(found: list[tuple[str, Verdict]]) -> None:
    for people, verdict in found:
        if LETTER[verdict.gender] != people:
            words = [each.text for each in verdict.evidence]
            focus = verdict.output.item.person.text
            print(f"  {people} ≠ {LETTER[verdict.gender]} [{focus}] by {verdict.step} {words}: {verdict.output.text}")
    print("  ", Counter(verdict.step for _, verdict in found))


LANGUAGES = ("cs", "es")
ROLES = ("speaker", "listener", "named")
NUMBER = 200  # verdicts of a draw
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


def read_dialogue_labels(language: str) -> list[Label]:
    """The read_dialogue_labels of a language, in the order of the draws."""
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


def draw_dialogues(data: Path, language: str, seed: str) -> list[tuple[str, Item]]:
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


def read_dialogues(data: Path, language: str, whole: bool = False) -> Iterator[Reading]:
    """Every label with the verdicts of today; ``whole`` reads all lines of each system, as ``score`` does."""
    published.add("dialogue", data / "wmt24-dialogue.tar.gz")
    found = read_dialogue_labels(language)
    for system in dict.fromkeys(each.system for each in found):
        asked = [each for each in found if each.system == system]
        lines, items = _outputs(data, language)[system], _items(language)
        chosen = list(items.values()) if whole else [items[each.item] for each in asked]
        outputs = [Output(item, system, language, lines[int(item.line or 0)]) for item in chosen]
        first, second = (
            {verdict.output.item.id: verdict for verdict in detector.build(language).detect(outputs)}
            for detector in (AGREEMENT, READING)
        )
        for each in asked:
            yield Reading(each, first[each.item], second[each.item])


def is_dialogue_right(label: str, verdict: Verdict) -> bool:
    """Whether they agree; that nothing shows a gender and that nobody is there count for the same."""
    letter = LETTER[verdict.gender]
    return letter == label or not (letter in SHOWN or label in SHOWN)


def _print(language: str, found: list[Reading], verbose: bool) -> None:
    for seed in dict.fromkeys(each.label.draw for each in found):
        rows = [each for each in found if each.label.draw == seed]
        good = sum(is_dialogue_right(each.label.agrees, each.agrees) for each in rows)
        exact = sum(each.label.agrees == LETTER[each.agrees.gender] for each in rows)
        person = sum(is_dialogue_right(each.label.person, each.person) for each in rows)
        low, high = wilson(good, len(rows))
        print(
            f"en-{language} draw {seed}: {100 * good / len(rows):.1f} % right [{100 * low:.1f}, {100 * high:.1f}], "
            f"n {len(rows)}; neutral and undetected apart {100 * exact / len(rows):.1f}; "
            f"by all that means the person {100 * person / len(rows):.1f}"
        )
        for each in rows if verbose else ():
            for label, verdict, name in (
                (each.label.agrees, each.agrees, "agreement"),
                (each.label.person, each.person, "reading"),
            ):
                if not is_dialogue_right(label, verdict):
                    item = verdict.output.item
                    print(f"  {each.label.system} {item.id} {item.person.text} {item.labels['occupation']}")
                    print(f"    {name}: person {label}, read {verdict.gender} by {verdict.step} {verdict.evidence}")
                    print(f"    {item.source}\n    {verdict.output.text}")


def print_dialogue() -> None:
    """How often the dialogues of WMT24 are read as a person read them; ``draw`` prints what to label, -v
    disagreements.

    ``python -m benchmarks.labels dialogue [--whole] [-v]``, ``python -m benchmarks.labels dialogue draw cs
    4``.

    Labels name system, item and gender, never a sentence: the published files may not be shipped. Each file holds
    several draws; a later one was drawn and labelled after the reader was mended by the one before it.
    """
    arguments = sys.argv[1:]
    data = Path(os.environ["EPICENE_TEST_DATA"])
    published.add("dialogue", data / "wmt24-dialogue.tar.gz")
    if "draw" in arguments[:1]:
        _, language, seed = arguments
        for number, (system, item) in enumerate(draw_dialogues(data, language, seed), 1):
            text, start = _outputs(data, language)[system][int(item.line or 0)], item.person.start
            print(f"{number}\t{system}\t{item.id}\t{item.labels['role']} {item.labels['occupation']}")
            print(f"    {item.source[:start]}>>{item.source[start:]}\n    {text}")
        return
    for language in LANGUAGES:
        _print(language, list(read_dialogues(data, language, "--whole" in arguments)), "-v" in arguments)


PASSAGES = Path(__file__).parent.parent / "tests" / "golden" / "labels" / "mittens.apertium.tsv"
STEPS = {  # French, Portuguese and Italian go through a third language
    "es": ("spa-eng",),
    "fr": ("fr-es", "spa-eng"),
    "it": ("ita-cat", "cat-eng"),
    "pt": ("pt-es", "spa-eng"),
}


class Row(NamedTuple):
    """A translation and what a person read from it."""

    langs: str
    item: str
    label: str
    output: str


def labelled_passages() -> list[Row]:
    """The labelled translations."""
    with PASSAGES.open(encoding="utf-8", newline="") as stream:
        lines = (line for line in stream if not line.startswith("#"))
        return [Row(**row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def items(language: str) -> list[Item]:
    """The passages from a language into English."""
    return load("mittens").items(Pair(language, "en"))


def translate(language: str) -> list[str]:
    """Apertium's translations of the passages from a language."""
    text = "\n\n".join(item.source for item in items(language)) + "\n\n"
    for step in STEPS[language]:
        text = subprocess.run(["apertium", "-u", step], input=text, capture_output=True, text=True, check=True).stdout
    return [part.replace("\n", " ") for part in text.rstrip("\n").split("\n\n")]


def draw_passages() -> list[tuple[str, int]]:
    """Languages and lines: languages and families of passages take turns."""
    cells: dict[tuple[str, str], list[int]] = {}
    for language in STEPS:
        for line, item in enumerate(items(language)):
            cells.setdefault((language, item.labels["family"]), []).append(line)
    source, names = random.Random("mittens apertium 1"), sorted(cells)
    for name in names:
        source.shuffle(cells[name])
    found: list[tuple[str, int]] = []
    for turn in range(NUMBER * len(names)):
        cell = names[turn % len(names)]
        if cells[cell] and len(found) < NUMBER:
            found.append((cell[0], cells[cell].pop()))
    return sorted(found)


def read_passages() -> list[tuple[Row, Verdict]]:
    """Every labelled translation with the verdict of today."""
    found = {(f"{language}-en", item.id): item for language in STEPS for item in items(language)}
    labelled = labelled_passages()
    outputs = [Output(found[row.langs, row.item], "apertium", "en", row.output) for row in labelled]
    return list(zip(labelled, mittens.build("en").detect(outputs), strict=True))


def is_passage_right(row: Row, verdict: Verdict) -> bool:
    """Whether they agree; neutral and unread both stand apart from every rate."""
    letter = LETTER[verdict.gender]
    return letter == row.label or not (letter in "FM" or row.label in "FM")


def print_mittens() -> None:
    """How often passages that a real system translated into English (MiTTenS) are read as a person read them.

    ``python -m benchmarks.labels mittens [-v]`` prints the agreement on 200 translations by Apertium. ``translate
    FOLDER`` makes them anew, with Debian's apertium-eng-spa, apertium-fr-es, apertium-es-pt, apertium-cat-ita and
    apertium-eng-cat.
    """
    arguments = sys.argv[1:]
    published.add("mittens", Path(os.environ["EPICENE_TEST_DATA"]) / "mittens_dataset_v5.csv.gz")
    if "translate" in arguments[:1]:
        for language in STEPS:
            Path(arguments[1], f"mittens.{language}-en.txt").write_text("\n".join(translate(language)) + "\n", "utf-8")
        return
    found = read_passages()
    good = sum(is_passage_right(row, verdict) for row, verdict in found)
    exact = sum(row.label == LETTER[verdict.gender] for row, verdict in found)
    low, high = wilson(good, len(found))
    print(
        f"mittens into English, Apertium: {100 * good / len(found):.1f} % right "
        f"[{100 * low:.1f}, {100 * high:.1f}], n {len(found)}; "
        f"neutral and undetected apart {100 * exact / len(found):.1f}; "
        f"read as {dict(Counter(verdict.gender.value for _, verdict in found))}"
    )
    for row, verdict in found if "-v" in arguments else ():
        if not is_passage_right(row, verdict):
            print(
                f"  {row.langs} {row.item}: person {row.label}, read {verdict.gender} by {verdict.step}: {row.output}"
            )


PARTS = {
    "sentences": print_sentences,
    "annotators": print_annotators,
    "dialogue": print_dialogue,
    "mittens": print_mittens,
}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
