"""The check before any number: damages that it lets through, and published files that it refuses."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks import run_parts
from benchmarks._published import Published, translations
from epicene.check.check import Check
from epicene.flow.plan import open_pair, open_task
from epicene.flow.score import outputs_of_file, read, score_outputs
from epicene.result import Result
from epicene.store.hypotheses import TranslationLines, group_by_line
from epicene.types import Gender, Item, Output, Verdict

HARMLESS = 2.0  # points by which a damage may change a number
_LEAST = 200  # people behind a number that is compared
# How the names of the files begin that the bounds were chosen on; figures are reported for the others.
CHOSEN_ON = (
    "simplegen en-de opus-mt",
    "simplegen en-es opus-mt",
    "winomt en-de google",
    "winomt en-es google",
    "winomt en-ru google",
    "winomt en-fr bing",
    "winomt en-he bing",
    "winomt en-uk bing",
    "winomt en-uk google",
    "wibemt-verbs en-de google",
    "mt-geneval en-de google",
    "mt-geneval en-hi google",
    "gest en-be google_translate",
    "gest en-ru google_translate",
    "dialogue en-es CycleL",
    "dialogue en-cs Claude-3.5",
    "dialogue en-cs TSU-HITs",
    "dialogue en-es TSU-HITs",
    "mt-geneval en-ru google",
    "simplegen en-de lab",
    "simplegen en-es lab",
)
# Files that are damaged, by the beginnings of their names and by their systems; the others would only repeat them.
_DAMAGED = (
    "simplegen en-de opus",
    "simplegen en-es opus",
    "winomt",
    "wibemt",
    "mt-geneval",
    "gest",
    "mittens",
    "dialogue en-cs CUNI-GA",
    "dialogue en-es Llama3-70B",
)
_SYSTEMS = {
    "winomt": ("google", "sota", "seamlessm4t"),
    "gest": ("google_translate",),
}
# From which other language lines come in, the nearest first.
_NEAR = {"es": "pt it", "pt": "es", "it": "es", "fr": "it es", "de": "nl fr es", "cs": "sk es", "sk": "cs", "hr": "sl"}
_NEAR |= {"ru": "uk be", "uk": "ru", "be": "ru", "bg": "mk ru", "mk": "bg", "sl": "hr", "pl": "cs", "sr": "hr"}
_CYRILLIC = str.maketrans(dict(zip("abcčćdđefghijklmnoprsštuvzž", "абцчћдђефгхијклмнопрсштувзж", strict=True)))
_LOOK_ALIKES = str.maketrans("aeopcx", "аеорсх")


class Material(NamedTuple):
    """What a damage works on."""

    lines: list[str]
    items: Sequence[Item]
    other: list[str] | None  # the same sentences in a language that is near


def _some(material: Material, share: float) -> list[int]:
    return sorted(random.Random(3).sample(range(len(material.lines)), int(share * len(material.lines))))


def _moved(lines: list[str], places: Sequence[int]) -> list[str]:
    """Some lines shuffled among their places."""
    moved = list(lines)
    for place, source in zip(places, random.Random(2).sample(places, len(places)), strict=True):
        moved[place] = lines[source]
    return moved


def _in_groups(material: Material, groups: Sequence[Sequence[int]]) -> list[str]:
    lines = material.lines
    for places in groups:
        lines = _moved(lines, places)
    return lines


def _windows(material: Material, size: int) -> list[str]:
    n = len(material.lines)
    return _in_groups(material, [range(start, min(n, start + size)) for start in range(0, n, size)])


def _within_occupations(material: Material) -> list[str]:
    groups: dict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(material.items):
        groups[item.person.concept].append(place)
    return _in_groups(material, list(groups.values()))


def _swapped(lines: list[str]) -> list[str]:
    pairs = [lines[start : start + 2][::-1] for start in range(0, len(lines), 2)]
    return [line for pair in pairs for line in pair]


def _lost(lines: list[str], share: float) -> list[str]:
    place = int(share * len(lines))
    return [*lines[:place], *lines[place + 1 :], lines[place]]


def _replaced(material: Material, other: Sequence[str]) -> list[str]:
    lines = list(material.lines)
    for place in _some(material, 0.3):
        lines[place] = other[place]
    return lines


def _shuffled_words(text: str) -> str:
    words = text.split()
    return " ".join(random.Random(len(text)).sample(words, len(words)))


def _without_marks(text: str) -> str:
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
    return plain.replace("ł", "l").replace("ß", "ss")


def _tenth(lines: list[str]) -> int:
    return len(lines) // 10


DAMAGES: dict[str, Callable[[Material], list[str] | None]] = {
    "shifted by one": lambda it: [*it.lines[1:], it.lines[0]],
    "a line lost at a third": lambda it: _lost(it.lines, 0.33),
    "a line lost at four fifths": lambda it: _lost(it.lines, 0.8),
    "shuffled": lambda it: _moved(it.lines, range(len(it.lines))),
    "shuffled in windows of 5": lambda it: _windows(it, 5),
    "shuffled within each occupation": _within_occupations,
    "neighbours swapped": lambda it: _swapped(it.lines),
    "halves exchanged": lambda it: [*it.lines[len(it.lines) // 2 :], *it.lines[: len(it.lines) // 2]],
    "reversed": lambda it: it.lines[::-1],
    "a tenth shuffled, in a row": lambda it: _moved(it.lines, range(5 * _tenth(it.lines), 6 * _tenth(it.lines))),
    "a tenth shuffled, scattered": lambda it: _moved(it.lines, _some(it, 0.1)),
    "30 % shuffled, scattered": lambda it: _moved(it.lines, _some(it, 0.3)),
    "a tenth stands there twice": lambda it: it.lines[: _tenth(it.lines)] * 2 + it.lines[2 * _tenth(it.lines) :],
    "every second line empty": lambda it: [line if place % 2 else "" for place, line in enumerate(it.lines)],
    "30 % not translated": lambda it: _replaced(it, [item.source for item in it.items]),
    "30 % in a language that is near": lambda it: None if it.other is None else _replaced(it, it.other),
    "in Cyrillic letters": lambda it: [line.lower().translate(_CYRILLIC) for line in it.lines],
    "with Cyrillic look-alikes": lambda it: [line.translate(_LOOK_ALIKES) for line in it.lines],
    "marks lost (é as e)": lambda it: [_without_marks(line) for line in it.lines],
    "UTF-8 read as Latin-1": lambda it: [line.encode().decode("latin-1") for line in it.lines],
    "words of each line shuffled": lambda it: [_shuffled_words(line) for line in it.lines],
    "lines cut to a third": lambda it: [line[: len(line) // 3] for line in it.lines],
}


def _outputs(file: Published, lines: list[str]) -> Iterator[Output]:
    challenge = file.challenge
    return outputs_of_file(challenge, open_pair(file.langs, challenge), TranslationLines(lines, file.system))


def _measure(file: Published, lines: list[str]) -> Result:
    task = open_task(file.challenge, open_pair(file.langs, file.challenge))
    return score_outputs(task, _outputs(file, lines), file.system, anyway=True)


def _refusals(file: Published, items: Sequence[Item], lines: list[str]) -> tuple[str, ...]:
    """What the check has against lines without their genders, which take no reading."""
    check = Check(open_pair(file.langs, file.challenge))
    for item, line in zip(items, lines, strict=True):
        check.add(Verdict(Output(item, file.system, file.langs[3:], line), Gender.NEUTRAL, "not read"))
    return check.findings().refusals


def _change(before: Result, after: Result) -> float:
    """The largest change of a rate or gap, in points."""
    numbers = {
        (measure.name, measure.group): measure.value
        for measure in after.measures
        if measure.unit in ("%", "points", "% of pairs")
    }
    changes = (
        abs(measure.value - value)
        for measure in before.measures
        if not measure.detail and measure.n >= _LEAST and measure.value is not None
        if (value := numbers.get((measure.name, measure.group))) is not None
    )
    return max(changes, default=0.0)


def _files() -> Iterator[Published]:
    """The published files that the words of the command line choose."""
    folder, wanted = Path(os.environ["EPICENE_TEST_DATA"]), sys.argv[1:]
    with tempfile.TemporaryDirectory() as place:
        for file in translations(folder, Path(place)):
            if not wanted or any(word in file.name for word in wanted):
                yield file


def print_files() -> None:
    """How many published files and weak systems are refused, and why."""
    counts = {True: [0, 0], False: [0, 0]}
    for file in _files():
        task = open_task(file.challenge, open_pair(file.langs, file.challenge))
        check = Check(task.pair)
        for verdict in read(task, _outputs(file, file.lines)):
            check.add(verdict)
        refusals = check.findings().refusals
        known = _known(file)
        counts[known][0] += 1
        counts[known][1] += bool(refusals)
        if refusals:
            print(f"{file.name}: {'; '.join(refusals)}", flush=True)
    for known, what in ((True, "that the bounds were chosen on"), (False, "others")):
        print(f"{counts[known][0]} published files {what}, {counts[known][1]} refused")


def _is_damaged(file: Published) -> bool:
    if "nbest" in file.system or file.system.startswith("lab"):
        return False
    return file.name.startswith(_DAMAGED) and file.system in _SYSTEMS.get(file.challenge.name, (file.system,))


def print_matrix() -> None:
    """Each damage done to published files: refused, or by how many points it changes a number."""
    files = [file for file in _files() if _is_damaged(file) and len(file.lines) > 100]
    by_name = {(file.challenge.name, file.langs[3:], file.system): file.lines for file in files}
    outcomes: dict[str, list[tuple[Published, float | None]]] = {damage: [] for damage in DAMAGES}
    for file in files:
        before: Result | None = None
        near = _NEAR.get(file.langs[3:], "").split()
        others = (by_name.get((file.challenge.name, code, file.system)) for code in near)
        other = next((lines for lines in others if lines is not None and len(lines) == len(file.lines)), None)
        groups = group_by_line(file.challenge.items(open_pair(file.langs, file.challenge)))
        material = Material(file.lines, [group[0] for group in groups], other)
        for damage, work in DAMAGES.items():
            lines = work(material)
            if lines is None or lines == file.lines:
                continue
            refused = _refusals(file, material.items, lines)
            after = None if refused else _measure(file, lines)
            change = None
            if after is not None and not after.warnings:
                before = before or _measure(file, file.lines)
                change = _change(before, after)
            outcomes[damage].append((file, change))
            if change is not None and change > HARMLESS:
                print(f"{file.name}: {damage}: {change:.1f} points", flush=True)
    _print_table(outcomes)


def _print_table(outcomes: dict[str, list[tuple[Published, float | None]]]) -> None:
    print("\n| damage | files | refused | harmless | let through | by at most |\n|---|---|---|---|---|---|")
    for damage, rows in outcomes.items():
        _print_row(damage, [change for file, change in rows if not _known(file)])
    every = [(file, change) for rows in outcomes.values() for file, change in rows]
    _print_row("**all**", [change for file, change in every if not _known(file)])
    _print_row("files that the bounds were chosen on", [change for file, change in every if _known(file)])


def _print_row(title: str, changes: Sequence[float | None]) -> None:
    through = [change for change in changes if change is not None and change > HARMLESS]
    refused = sum(change is None for change in changes)
    share = f" ({100 * len(through) / max(1, len(changes)):.1f} %)" if through else ""
    most = f"{max(through):.0f} points" if through else ""
    harmless = len(changes) - refused - len(through)
    print(f"| {title} | {len(changes)} | {refused} | {harmless} | {len(through)}{share} | {most} |")


def _known(file: Published) -> bool:
    return file.name.startswith(CHOSEN_ON)


PARTS = {"files": print_files, "matrix": print_matrix}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
