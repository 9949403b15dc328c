"""The shipped results of the lab: 56 points of en-es with two seeds, Table 4a of en-de, and times for every row."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from epicene.lab import points, recipe
from epicene.lab.points import LAB, Point
from epicene.lab.summary import BASELINE, Setting, setting, times
from epicene.tables import resource, table


@pytest.fixture(scope="module")
def found() -> list[Point]:
    """All shipped points."""
    return points.read(Path(str(resource("lab", "results", name))) for name in ("quality.csv", "times.csv"))


def test_all_architectures_are_measured_in_all_modes_with_two_seeds(found: list[Point]) -> None:
    seeds = Counter(setting(point.key) for point in found if point.key.langs == "en-es" and point.quality)
    names = {shape.name for shape in recipe.load("paper").shapes}
    assert set(seeds) == {Setting(name, bits, beam) for name in names for bits in ("float", "int8") for beam in (1, 5)}
    assert len(seeds) == 56
    assert min(seeds.values()) >= 2


def test_the_rows_of_table_4a_are_measured_in_german_with_two_seeds(found: list[Point]) -> None:
    seeds = Counter(setting(point.key) for point in found if point.key.langs == "en-de" and point.quality)
    for row in table("lab", "published.tsv"):
        if row["table"] == "4a" and row["model"]:
            assert seeds[Setting(row["model"], row["precision"], int(row["beam"]))] >= 2, row["row"]


def test_speed_ups_are_faster_than_the_baseline(found: list[Point]) -> None:
    here = [point for point in found if point.key.langs == "en-es" and point.key.engine == LAB]
    took = {each: time.value for each, time in times(here).items()}
    for row in table("lab", "published.tsv"):
        if row["model"]:
            assert Setting(row["model"], row["precision"], int(row["beam"])) in took, row["row"]
    assert all(point.time.repeats >= 5 for point in here if point.time)
    for faster in ("6-6 int8 5", "6-6 float 1", "10-2 float 5", "6-2 float 5"):
        model, precision, beam = faster.split()
        assert took[Setting(model, precision, int(beam))] < took[BASELINE] == pytest.approx(100, abs=5)
