"""Adapted translators beside the one they came from: what changed in gender, on every set, and what it cost in words.

``python -m benchmarks.adapt DIR/balanced DIR/tagged DIR/counterfactual``: models of ``epicene lab adapt``, each
compared with ``bundled`` on the same sentences. A model that knows tags is also told the right and the wrong gender.
``--keep FILE.csv`` adds rows to a file as they are measured, and what is there is not measured again; without models,
``--keep`` alone prints what is kept (``benchmarks/adapt.csv``: the numbers of docs/numbers.md).
"""

from __future__ import annotations

import argparse
import csv
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from rich.console import Console

from benchmarks.bundled import tests
from epicene.errors import DataMissingError, InputError
from epicene.flow import plan
from epicene.flow.plan import NamedSystem, Task
from epicene.flow.translate import Asker, open_asker, translate_lines
from epicene.languages.codes import pair as parse_pair
from epicene.measures import metrics
from epicene.measures.outcomes import Outcomes
from epicene.measures.paired import compare_groups
from epicene.measures.rates import FEMININE
from epicene.output.table import Column, Listing, Table
from epicene.text import normalised
from epicene.types import Gender, Item, Output
from epicene_lab import pieces
from epicene_lab.corpus import SEED
from epicene_models import BUNDLED as FOLDER

KEPT = Path(__file__).with_name("adapt.csv")
SETS = ("simplegen", "winomt", "wibemt-verbs", "mt-geneval", "gate", "mittens")
LANGS = ("en-de", "en-es", "en-fr")
SHOWN = ("all", "anti", "pro", "female", "feminine", "male", "masculine", "verbs")  # groups, where a set has them
IN_DOCS = (
    ("simplegen", "anti"),
    ("simplegen", "pro"),
    ("winomt", "female"),
    ("winomt", "male"),
    ("mt-geneval", "feminine"),
    ("mt-geneval", "masculine"),
    ("mittens", "all"),
)
LETTERS = {Gender.FEMININE: "F", Gender.MASCULINE: "M"}
OTHER = {"F": "M", "M": "F"}
NOTES = (
    "Points against the base; ± half the 95 % interval; * p < .05 (paired).",
    "women: their share of all women and men written, where the source is open.",
)
BASE, RIGHT, WRONG = "base", "right tag", "wrong tag"


@dataclass(frozen=True)
class Row:
    """A model against the base, on one group of a set or one metric of a test."""

    langs: str
    test: str
    group: str
    system: str
    n: int
    before: float
    after: float
    low: float | None  # of the difference
    high: float | None
    p: float | None
    unread_before: int = 0
    unread_after: int = 0


def measured(folders: Sequence[Path], given: argparse.Namespace, done: set[tuple[str, ...]]) -> Iterator[Row]:
    """Every set and test in every language."""
    names = {folder.name: folder for folder in folders}
    data = Path(os.environ["EPICENE_TEST_DATA"])
    with open_asker() as by:
        for langs in given.langs:
            for name in given.sets:
                left = {each: names[each] for each in names if (langs, name, each) not in done}
                if left and (task := _task(name, langs)):
                    yield from _gender(task, langs, left, given, by)
            target = parse_pair(langs).target
            for test in [] if given.no_quality else tests(data, target, given.sample):
                left = {each: names[each] for each in names if (langs, test.name, each) not in done}
                if left and len(test.references) == 1:
                    yield from _quality(test.name, test.sources, test.references[0], langs, left, given, by)


def _task(name: str, langs: str) -> Task | None:
    """The set in a language pair; None where it has no such pair, or is not here."""
    challenge = plan.open_set(name)
    try:
        task = plan.open_task(challenge, plan.open_pair(langs, challenge))
        found = bool(task.items)
    except (InputError, DataMissingError):
        return None
    return task if found else None


def _gender(task: Task, langs: str, names: dict[str, Path], given: argparse.Namespace, by: Asker) -> Iterator[Row]:
    chosen = random.Random(SEED).sample(task.items, min(given.sample, len(task.items)))
    before = _outcomes(task, chosen, [item.source for item in chosen], FOLDER, given, by)
    for name, folder in names.items():
        told = {name: [item.source for item in chosen]}
        if _knows_tags(folder):
            told |= {f"{name}, {way}": [_tagged(item, way) for item in chosen] for way in (RIGHT, WRONG)}
        for system, sources in told.items():
            if system != name and sources == told[name]:
                continue  # nobody here has an expected gender
            after = _outcomes(task, chosen, sources, folder, given, by)
            for change in compare_groups(before, after):
                if change.group in SHOWN:
                    test = task.challenge.name
                    group = (
                        "women" if change.measure == FEMININE.name else change.group
                    )  # nobody is right or wrong there
                    rates = (change.n, change.before, change.after, change.low, change.high, change.p)
                    yield Row(langs, test, group, system, *rates, *change.undetected)


def _outcomes(
    task: Task, chosen: Sequence[Item], sources: Sequence[str], folder: Path, given: argparse.Namespace, by: Asker
) -> Outcomes:
    texts = _said(folder, sources, str(task.pair), given, by)
    outputs = [Output(item, "", task.pair.target, normalised(text)) for item, text in zip(chosen, texts, strict=True)]
    return Outcomes.of(task.measures, task.detector.detect(outputs), paired=True)


def _said(folder: Path, sources: Sequence[str], langs: str, given: argparse.Namespace, by: Asker) -> list[str]:
    spec = f"ctranslate2:{folder}?beam={given.beam}"
    system = plan.open_named(spec)
    return translate_lines(NamedSystem(spec, system.system), sources, parse_pair(langs), by)


def _quality(
    name: str,
    sources: Sequence[str],
    references: Sequence[str],
    langs: str,
    names: dict[str, Path],
    given: argparse.Namespace,
    by: Asker,
) -> Iterator[Row]:
    before = _said(FOLDER, sources, langs, given, by)
    for system, folder in names.items():
        after = _said(folder, sources, langs, given, by)
        for metric in metrics.USUAL:
            found = metrics.compare_corpora(metric, before, after, [(each,) for each in references])
            yield Row(
                langs, name, metrics.UNITS[metric], system, found.n, found.before, found.after, None, None, found.p
            )


def _knows_tags(folder: Path) -> bool:
    model = pieces.open_processor(folder / "sentencepiece.model")
    return bool(model.piece_to_id("<F>") != model.unk_id())


def _tagged(item: Item, way: str) -> str:
    """The sentence with a tag behind the person: the expected gender, or the other one."""
    letter = LETTERS.get(item.expected) if item.expected else None
    if letter is None:
        return item.source
    letter = letter if way == RIGHT else OTHER[letter]
    return f"{item.source[: item.person.end]} <{letter}>{item.source[item.person.end :]}"


def table(rows: Sequence[Row], console: Console) -> None:
    """The change beside the cost: a line a group, a column a model, at 80 columns; tags in tables of their own."""
    systems = list(dict.fromkeys(row.system for row in rows))
    plain = [system for system in systems if "," not in system]
    told = [system for system in systems if "," in system]
    for shown in (plain, told):
        for langs in dict.fromkeys(row.langs for row in rows if row.system in shown):
            console.print(_grid([row for row in rows if row.langs == langs and row.system in shown], langs, shown))
    for line in NOTES:
        console.print(line)
    unread = [f"{row.system} {row.langs} {row.test}: {row.unread_before} → {row.unread_after}" for row in _lost(rows)]
    console.print(f"More undetected than before by 2 % of n: {'; '.join(unread) or 'nowhere'}")


def _grid(rows: Sequence[Row], langs: str, systems: Sequence[str]) -> str:
    heads = (system.replace("counterfactual", "counterfact.").replace("tagged, ", "") for system in systems)
    cells_of: list[tuple[str, ...]] = []
    for test, group in dict.fromkeys((row.test, row.group) for row in rows):
        cells = {row.system: row for row in rows if (row.test, row.group) == (test, group)}
        first = next(iter(cells.values()))
        shown = (_cell(cells[system]) if system in cells else "" for system in systems)
        cells_of.append((f"{test} {group}", str(first.n), f"{first.before:.1f}", *shown))
    columns = tuple(Column(head, head) for head in (langs, "n", BASE, *heads))
    return str(Listing((Table("", columns, tuple(cells_of)),)))


def markdown(rows: Sequence[Row]) -> list[str]:
    """The table of docs/numbers.md: the main groups of each set."""
    systems = list(dict.fromkeys(row.system for row in rows))
    heads = ["", "n", BASE, *(system.replace("tagged, ", "") for system in systems)]
    found = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for langs, test, group in dict.fromkeys((row.langs, row.test, row.group) for row in rows):
        cells = {row.system: row for row in rows if (row.langs, row.test, row.group) == (langs, test, group)}
        first = next(iter(cells.values()))
        if (test, group) in IN_DOCS or group in ("women", *metrics.UNITS.values()):
            shown = [_cell(cells[system]) if system in cells else "" for system in systems]
            found.append(f"| {' | '.join((f'{langs} {test} {group}', str(first.n), f'{first.before:.1f}', *shown))} |")
    return found


def _lost(rows: Sequence[Row]) -> Iterator[Row]:
    return (row for row in rows if row.group == "all" and row.unread_after - row.unread_before > 0.02 * row.n)


def _cell(row: Row) -> str:
    star = "*" if row.p is not None and row.p < 0.05 else ""
    spread = f" ±{(row.high - row.low) / 2:.1f}" if row.low is not None and row.high is not None else ""
    return f"{row.after - row.before:+.1f}{spread}{star}"


def kept(path: Path) -> list[Row]:
    """The rows of a file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return [_row(each) for each in csv.DictReader(stream)]


def _row(cells: dict[str, str]) -> Row:
    numbers = {name: float(cells[name]) if cells[name] else None for name in ("before", "after", "low", "high", "p")}
    counts = {name: int(cells[name]) for name in ("n", "unread_before", "unread_after")}
    return Row(**{name: cells[name] for name in ("langs", "test", "group", "system")}, **numbers, **counts)  # type: ignore[arg-type]


def add(path: Path, row: Row) -> None:
    """Write one row more."""
    new = not path.is_file()
    with path.open("a", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, [each.name for each in fields(Row)], lineterminator="\n")
        if new:
            writer.writeheader()
        rounded = {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(row).items()}
        writer.writerow(rounded)


def main() -> None:
    """Measure what is named, and print all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adapt", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("models", type=Path, nargs="*", help="folders of epicene lab adapt")
    parser.add_argument("--langs", nargs="+", default=list(LANGS))
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--sample", type=int, default=400, help="sentences of each set and test, chosen by a seed")
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--no-quality", action="store_true", help="no BLEU, no chrF")
    parser.add_argument("--keep", type=Path, default=KEPT)
    parser.add_argument("--markdown", action="store_true", help="print the table of docs/numbers.md")
    given = parser.parse_args()
    there = kept(given.keep)
    done = {(row.langs, row.test, row.system) for row in there}
    for row in measured(given.models, given, done):
        add(given.keep, row)
        print(f"{row.langs} {row.test} {row.group}: {row.system} {row.before:.1f} → {row.after:.1f}", flush=True)
    if given.markdown:
        print("\n".join(markdown(kept(given.keep))))
    else:
        table(kept(given.keep), Console(width=80))


if __name__ == "__main__":
    main()
