"""What a verdict's confidence is worth, and the weights that it is made of."""

from __future__ import annotations

import os
import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

import epicene.reader
from benchmarks import _cases as cases
from benchmarks import labels
from epicene.reader import confidence, people
from epicene.reader.reader import Reader
from epicene.sets import load
from epicene.stats.rates import wilson
from epicene.tables import rows
from epicene.types import Gender, Item, Output, Pair

_TABLE = Path(epicene.reader.__path__[0]) / "confidence.toml"
_HEAD = """# How much each feature of a decision says that it is right, in units of log odds: see confidence.py. Made by
# `python -m benchmarks.reading fit`.

"""
_FOLDS = 5
_WEIGHTS = {"set": 1, "own": 1, "everyday": 5, "news": 5}  # what a row counts by where it is from
_LABELLED = 3  # times as much where people labelled news; else the label is what the source states, so it states one
_OWN = Path(__file__).parents[1] / "tests" / "reader"  # sentences of our own
_RIDGE = 3.0  # how strongly weights are drawn to nothing, in rows
_STEPS = 12
_SET = "test set"  # a feature of rows of test sets, which are easier; no verdict of a user has it
_open_reader = cache(Reader)
EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)
LEAST = (0.7, 0.8, 0.9, 0.95)
_LETTERS = {"F": Gender.FEMININE, "M": Gender.MASCULINE, "N": Gender.NEUTRAL}


class Row(NamedTuple):
    """A verdict and whether it is right."""

    source: str
    origin: str  # one of _WEIGHTS
    people: bool  # labelled by people who saw the translation
    expected: str  # the letters of the genders that are right
    gender: Gender
    right: bool
    features: list[str]


def collect(folder: Path) -> list[Row]:
    """The verdicts on all labelled rows; neutral ones only where the label comes from the translation."""
    news = folder / "news"
    found = [row for path in sorted(news.glob("??.tsv")) for row in _read_file(path, path.stem, "news", True)]
    found += _read_file(news / "proxy.tsv", "", "news", False)
    found += [
        row
        for path in sorted((folder / "people").glob("??.*.tsv"))
        for row in _read_file(path, path.name[:2], "set", True)
    ]
    for name in ("everyday", "people", "inclusive", "both"):
        found += _read_own(_OWN / f"{name}.tsv", "everyday" if name == "everyday" else "own")
    for label, output in chain(_read_golden(), _read_annotators(folder), _read_pairs(folder)):
        found += _read(output, label, "set", output.system == "people")
    return found


def _read_own(path: Path, origin: str) -> Iterator[Row]:
    """Sentences of our own, but for those into English."""
    for row in rows(path.read_text(encoding="utf-8"), path.name):
        if row["language"] != "en":
            text, start = row["translation"].replace(r"\n", "\n"), row["source"].index(row["person"])
            output = _ask(row["source"], row["person"], start, row["language"], text)
            yield from _read(output, row["gender"][0].upper(), origin, True)


def _read_file(path: Path, language: str, origin: str, by_people: bool) -> Iterator[Row]:
    """Rows of a file of labelled people, of one language or with a column that says which."""
    for row in rows(path.read_text(encoding="utf-8"), path.name):
        output = _ask(row["source"], row["person"], int(row["start"]), language or row["lang"], row["translation"])
        yield from _read(output, row["label"], origin, by_people)


def _ask(source: str, words: str, start: int, language: str, translation: str) -> Output:
    person = people.person_at(source, words, start)
    item = Item("", source, person, None, others=people.others_than(person, source))
    return Output(item, "", language, translation)


def _read_golden() -> Iterator[tuple[str, Output]]:
    """What people read in published translations of SimpleGEN and WinoMT."""
    for set_name, langs, system in labels.LABELLED:
        lines = labels.translations(set_name, langs, system).read_text(encoding="utf-8").splitlines()
        items = list(load(set_name).items(Pair("en", langs[3:])))
        for line, label in labels.read_labels(set_name, langs, system).items():
            yield label, Output(items[line - 1], "people", langs[3:], lines[line - 1])


def _read_annotators(folder: Path) -> Iterator[tuple[str, Output]]:
    """What WinoMT's annotators read; in German they followed the pronoun, and French is to be treated with care."""
    for language, judged in labels.judged(folder).items():
        items = list(load("winomt").items(Pair("en", language)))
        for line, translation, label in judged:
            if language not in ("de", "fr") and label in _LETTERS:
                yield label, Output(items[line], "people", language, translation)


def _read_pairs(folder: Path) -> Iterator[tuple[str, Output]]:
    """Half of ``open`` and MT-GenEval, which is enough beside everyday text."""
    files = cases.geneval_files(folder)
    for language in sorted({*cases.OPEN, *cases.GENEVAL}):
        for case in cases.all_cases(folder, files, language):
            if zlib.crc32(case.source.encode()) % 2:
                yield case.expected[0].upper(), _ask(case.source, case.person, case.start, language, case.translation)


def _read(output: Output, label: str, origin: str, by_people: bool) -> Iterator[Row]:
    """The row of an output, if its verdict answers and its label tells whether that is right."""
    verdict = _open_reader(output.target).decide(output)
    right = {_LETTERS[letter] for letter in label.split("|") if letter in _LETTERS}
    if verdict.gender is Gender.UNKNOWN or label == "X" or (verdict.gender is Gender.NEUTRAL and not by_people):
        return
    features = confidence.describe(verdict) + ([_SET] if origin == "set" else [])
    yield Row(output.item.source, origin, by_people, label, verdict.gender, verdict.gender in right, features)


def fit(found: list[Row]) -> dict[str, float]:
    """The weights of a logistic regression, drawn to nothing where rows are few."""
    names = sorted({name for row in found for name in row.features})
    matrix = _matrix(found, names)
    right = np.array([row.right for row in found], dtype=float)
    labelled = (_LABELLED if row.origin == "news" and row.people else 1 for row in found)
    weight = np.array([_WEIGHTS[row.origin] * times for row, times in zip(found, labelled, strict=True)], dtype=float)
    ridge = np.array([0.01 if name == "always" else _RIDGE for name in names])
    beta = np.zeros(len(names))
    for _ in range(_STEPS):  # Newton's method
        share = 1 / (1 + np.exp(-matrix @ beta))
        slope = matrix.T @ (weight * (right - share)) - ridge * beta
        curve = (matrix * (weight * share * (1 - share))[:, None]).T @ matrix + np.diag(ridge)
        beta += np.linalg.solve(curve, slope)
    return dict(zip(names, beta.round(3).tolist(), strict=True))


def _matrix(found: list[Row], names: list[str]) -> np.ndarray:
    places = {name: place for place, name in enumerate(names)}
    matrix = np.zeros((len(found), len(names)))
    for number, row in enumerate(found):
        for name in row.features:
            if name in places:
                matrix[number, places[name]] = 1
    return matrix


def cross_validate(found: list[Row]) -> list[float]:
    """Each row's confidence by the weights of the sources that are not its own."""
    folds = [zlib.crc32(row.source.encode()) // 2 % _FOLDS for row in found]
    predicted = [0.0] * len(found)
    for fold in range(_FOLDS):
        weights = fit([row for row, own in zip(found, folds, strict=True) if own != fold])
        for place, row in enumerate(found):
            if folds[place] == fold:
                total = sum(weights.get(name, 0.0) for name in row.features)
                predicted[place] = float(1 / (1 + np.exp(-total)))
    return predicted


def print_fit() -> None:
    """Fits the weights on all rows and writes them beside the reader, then prints what they are worth."""
    found = collect(Path(os.environ["EPICENE_TEST_DATA"]))
    times = Counter(name for row in found for name in row.features)
    weights = {name: weight for name, weight in fit(found).items() if times[name] > 1 and name != _SET}
    families = tomllib.loads(_TABLE.read_text(encoding="utf-8"))["families"]
    lines = ["[families]", *(f'{name} = "{codes}"' for name, codes in families.items())]
    lines += ["", "[weights]", *(f'"{name}" = {weight}' for name, weight in weights.items())]
    _TABLE.write_text(_HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(weights)} weights from {len(found)} verdicts: {_TABLE}")
    _print(found)


def print_confidence() -> None:
    """What a verdict's confidence is worth, cross-validated over source sentences; ``-o FILE.svg`` draws it."""
    _print(collect(Path(os.environ["EPICENE_TEST_DATA"])))


Judged = list[tuple[float, bool]]  # confidences and whether the verdicts are right


def _print(found: list[Row]) -> None:
    """Tables of verdicts by how sure they are; the error is that of calibration."""
    predicted = list(zip(cross_validate(found), found, strict=True))
    gendered = [(share, row) for share, row in predicted if row.gender is not Gender.NEUTRAL]
    everyday = [(share, row) for share, row in gendered if row.origin == "news"]
    neutral = [(share, row) for share, row in predicted if row.gender is Gender.NEUTRAL]
    views = {
        "everyday text": everyday,
        "  labelled by people": [(share, row) for share, row in everyday if row.people],
        "  women": [(share, row) for share, row in everyday if row.expected == "F"],
        "  men": [(share, row) for share, row in everyday if row.expected == "M"],
        "  read as neutral": [(share, row) for share, row in neutral if row.origin == "news"],
        "our everyday sentences": [(share, row) for share, row in predicted if row.origin == "everyday"],
        "  read as neutral ": [(share, row) for share, row in neutral if row.origin == "everyday"],
        "test sets": [(share, row) for share, row in gendered if row.origin == "set"],
    }
    columns = "".join(f"{f'>= {least}':>9}{'right':>7}" for least in LEAST)
    print(f"{'verdicts':<23}{'n':>6}{'right':>7}{'error':>7}{columns}")
    for name, view in views.items():
        _print_view(name, [(share, row.right) for share, row in view])
    _print_bins([(share, row.right) for share, row in everyday])


def _print_view(name: str, judged: Judged) -> None:
    cells = f"{name:<23}{len(judged):>6}{_share(judged):>7.1f}{_error(judged):>7.3f}"
    for least in LEAST:
        sure = [(share, right) for share, right in judged if share >= least]
        cells += f"{100 * len(sure) / len(judged):>8.1f}%{_share(sure):>7.1f}"
    print(cells)


def _print_bins(judged: Judged) -> None:
    shown = []
    print(f"\n{'confidence':<14}{'right':>7}  {'95 % interval':<15}{'n':>7}")
    for low, high in pairwise(EDGES):
        own = [(share, right) for share, right in judged if low <= share < high]
        if own:
            ends = [100 * end for end in wilson(sum(right for _, right in own), len(own))]
            shown.append((low, min(high, 1.0), _share(own), *ends, len(own)))
            interval = f"[{ends[0]:.1f}, {ends[1]:.1f}]"
            print(f"{low:.2f} … {min(high, 1):.2f}   {_share(own):>6.1f}%  {interval:<15}{len(own):>7}")
    if "-o" in sys.argv:
        _draw(shown, Path(sys.argv[sys.argv.index("-o") + 1]))


def _share(judged: Judged) -> float:
    return 100 * sum(right for _, right in judged) / max(1, len(judged))


def _error(judged: Judged) -> float:
    """The expected calibration error in ten bins of equal size."""
    bins = np.array_split(np.array(sorted(judged), dtype=float), 10)
    return float(
        sum(len(part) * abs(part[:, 0].mean() - part[:, 1].mean()) for part in bins if len(part)) / len(judged)
    )


def _draw(rows: list[tuple[float, float, float, float, float, int]], path: Path) -> None:
    from epicene.output.charts.vega import layered, mark, quantitative, write_chart

    data = [
        {"confidence": 50 * (low + high), "right": right, "low": first, "high": last, "n": n}
        for low, high, right, first, last, n in rows
    ]
    ends = [{"confidence": 0, "right": 0}, {"confidence": 100, "right": 100}]
    x = quantitative("confidence", title="confidence, %", scale={"domain": [0, 100]})
    y = quantitative("right", title="right, %", scale={"domain": [0, 100]})
    even = {"x": quantitative("confidence"), "y": quantitative("right")}
    bar = {"x": x, "y": quantitative("low"), "y2": {"field": "high"}}
    size = quantitative("n", title="verdicts")
    chart = layered(
        data,
        mark("line", even, ends, color="#adb5bd", strokeDash=[4, 4]),
        mark("rule", bar, color="#6741d9"),
        mark("point", {"x": x, "y": y, "size": size}, filled=True, color="#6741d9", opacity=1),
        width=360,
        height=260,
    )
    write_chart(chart, path)
