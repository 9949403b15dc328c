"""Measured points: a trained model, decoded in one precision with one beam; a row of a results file each."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import full_disk, read_lines


def write_line(point: Point) -> str:
    """A point on one line, with n, spread and what could not be read."""
    key = point.key
    engine = "" if key.engine == "lab" else f" {key.engine}"
    parts = [f"{key.langs} {key.model} seed {key.seed} {key.precision} beam {key.beam}{engine}:"]
    if time := point.time:
        scale = 1000 / time.sentences
        spread = f"[{scale * time.low:.1f}, {scale * time.high:.1f}]"
        percent = f"{time.percent:.1f} [{time.percent_low:.1f}, {time.percent_high:.1f}] % of the baseline"
        parts.append(
            f"{percent}; {scale * time.seconds:.1f} {spread} ms a sentence ({time.sentences} × {time.repeats})"
        )
    if quality := point.quality:
        scores = quality.scores["epicene"]
        n = sum(quality.n.values())
        parts.append(f"BLEU {quality.bleu:.1f} (n = {quality.lines}),")
        correct = 100 * sum(scores.correct.values()) / n
        parts.append(
            f"SimpleGEN {correct:.1f} % correct, {100 * sum(scores.unread.values()) / n:.1f} % unread (n = {n})"
        )
    return " ".join(parts)


GROUPS = ("MOMC", "MOFC", "FOFC", "FOMC")
PROTOCOLS = ("epicene", "paper")
LAB, CTRANSLATE2 = "lab", "ctranslate2"
MODES = tuple((precision, beam) for precision in ("float", "int8") for beam in (1, 5))
_KEY = ("langs", "model", "seed", "precision", "beam", "engine")
_QUALITY = ("bleu", "lines", "bleu_signature")
_COUNTS = (*GROUPS, *(f"unread_{group}" for group in GROUPS))
_TIME = ("repeats", "sentences", "seconds", "seconds_low", "seconds_high", "percent", "percent_low", "percent_high")
COLUMNS = (
    *_KEY,
    *_QUALITY,
    *(f"n_{group}" for group in GROUPS),
    *(f"{protocol}_{name}" for protocol in PROTOCOLS for name in (*_COUNTS, "signature")),
    *_TIME,
    "machine",
    "date",
)


class Key(NamedTuple):
    """What a point is of."""

    langs: str
    model: str  # the name of its shape: 6-6, 10-2-aan
    seed: int
    precision: str  # float, int8
    beam: int
    engine: str = LAB


@dataclass(frozen=True, slots=True)
class Scores:
    """SimpleGEN by one protocol, sentences by group: correct ones, and those that could not be read."""

    correct: Mapping[str, int]
    unread: Mapping[str, int]
    signature: str


@dataclass(frozen=True, slots=True)
class Quality:
    """How good the translations are."""

    bleu: float
    lines: int
    bleu_signature: str
    n: Mapping[str, int]  # sentences of SimpleGEN by group
    scores: Mapping[str, Scores]  # by protocol


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU seconds for the same sentences, one at a time on one thread: the median of the repeats and their spread.

    ``percent`` is of what the baseline took in the same turn, so that a busy spell of the machine falls on both.
    """

    repeats: int
    sentences: int
    seconds: float
    low: float
    high: float
    percent: float
    percent_low: float
    percent_high: float

    @property
    def error(self) -> float:
        """The standard error of ``percent``, a median, from the range of its repeats."""
        return 1.2533 * (self.percent_high - self.percent_low) / _expect_range(self.repeats) / self.repeats**0.5


@cache
def _expect_range(number: int) -> float:
    """The mean range of so many draws from a normal distribution with a standard deviation of 1."""
    import numpy as np
    from scipy.stats import norm

    places = np.linspace(-8, 8, 1601)
    below = norm.cdf(places)
    return float((1 - below**number - (1 - below) ** number).sum() * (places[1] - places[0]))


@dataclass(frozen=True, slots=True)
class Point:
    """One row: quality, time, or both."""

    key: Key
    quality: Quality | None = None
    time: Timing | None = None
    machine: str = ""
    date: str = ""

    def row(self) -> dict[str, str]:
        """The point as a results file has it; what was not measured is empty."""
        cells = {name: str(value) for name, value in zip(_KEY, self.key, strict=True)}
        if quality := self.quality:
            cells |= {"bleu": str(quality.bleu), "lines": str(quality.lines)}
            cells |= {"bleu_signature": quality.bleu_signature}
            cells |= {f"n_{group}": str(quality.n[group]) for group in GROUPS}
            for protocol, scores in quality.scores.items():
                cells |= {f"{protocol}_{group}": str(scores.correct[group]) for group in GROUPS}
                cells |= {f"{protocol}_unread_{group}": str(scores.unread[group]) for group in GROUPS}
                cells |= {f"{protocol}_signature": scores.signature}
        if time := self.time:
            cells |= {name: str(value) for name, value in zip(_TIME, astuple(time), strict=True)}
        return cells | {"machine": self.machine, "date": self.date}


def append(path: Path, point: Point) -> None:
    """Add a row to a results file; the row is on the disk when this returns."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = not path.is_file() or not path.stat().st_size
        with path.open("a", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerow(point.row())
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise full_disk(error, path) from None


def read(paths: Iterable[Path]) -> list[Point]:
    """The points of results files; what different rows say of one point is put together, the later row wins."""
    points: dict[Key, Point] = {}
    for path in paths:
        reader = csv.DictReader(read_lines(path))
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise InputError(f"{path}: no results file of epicene lab; its header must be: {','.join(COLUMNS)}")
        for number, row in enumerate(reader, 2):
            try:
                point = _point(row)
            except (ValueError, TypeError, KeyError) as error:
                raise InputError(f"{path}:{number}: not a measured point: {error}") from None
            before = points.get(point.key, point)
            points[point.key] = replace(point, quality=point.quality or before.quality, time=point.time or before.time)
    if not points:
        raise InputError("no measured point in the results; make some with: epicene lab speed MODEL --test PAIRS.tsv")
    return list(points.values())


def _point(row: Mapping[str, str]) -> Point:
    key = Key(row["langs"], row["model"], int(row["seed"]), row["precision"], int(row["beam"]), row["engine"])
    quality = time = None
    if row["bleu"]:
        scores = {
            protocol: Scores(
                {group: int(row[f"{protocol}_{group}"]) for group in GROUPS},
                {group: int(row[f"{protocol}_unread_{group}"]) for group in GROUPS},
                row[f"{protocol}_signature"],
            )
            for protocol in PROTOCOLS
        }
        n = {group: int(row[f"n_{group}"]) for group in GROUPS}
        quality = Quality(float(row["bleu"]), int(row["lines"]), row["bleu_signature"], n, scores)
    if row["seconds"]:
        time = Timing(int(row["repeats"]), int(row["sentences"]), *(float(row[name]) for name in _TIME[2:]))
    return Point(key, quality, time, row["machine"], row["date"])
