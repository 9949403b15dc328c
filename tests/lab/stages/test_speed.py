"""epicene lab speed: every model in every precision with every beam; what was measured is not measured again."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError
from epicene_lab import points
from epicene_lab.speed import Plan, measure_speed
from tests.conftest import Command

pytestmark = pytest.mark.torch
MODES = {("float", 1), ("float", 5), ("int8", 1), ("int8", 5)}


def test_all_modes_are_timed_and_ctranslate2_apart(models: list[Path], test_file: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    found = list(measure_speed(models, Plan(test_file, sentences=2, times_only=True), results))
    assert points.read([results]) == found
    for engine, modes in (("lab", MODES), ("ctranslate2", {("int8", 1), ("int8", 5)})):
        for model in ("2-2", "1-1"):
            keys = [point.key for point in found if point.key.engine == engine and point.key.model == model]
            assert {(key.precision, key.beam) for key in keys} == modes
    for point in found:
        assert point.time
        assert 0 < point.time.low <= point.time.seconds <= point.time.high
        assert 0 < point.time.percent_low <= point.time.percent <= point.time.percent_high
        assert (point.time.repeats, point.time.sentences) == (5, 2)
    assert list(measure_speed(models, Plan(test_file, sentences=2, times_only=True), results)) == []


def test_a_run_cut_short_goes_on(models: list[Path], test_file: Path, tmp_path: Path) -> None:
    results, plan = tmp_path / "results.csv", Plan(test_file, sentences=1, times_only=True)
    half = measure_speed(models, plan, results)
    first = [next(half) for _ in range(3)]
    half.close()
    rest = list(measure_speed(models, plan, results))
    assert not {point.key for point in first} & {point.key for point in rest}
    assert len(first) + len(rest) == 12


def test_quality_comes_with_n_and_signatures(models: list[Path], test_file: Path, tmp_path: Path) -> None:
    measured = measure_speed(models[1:], Plan(test_file, sentences=1), tmp_path / "results.csv")
    point = next(measured)
    measured.close()
    quality = point.quality
    assert quality
    assert quality.lines == 10
    assert "version:" in quality.bleu_signature
    assert quality.n == {"MOMC": 814, "MOFC": 814, "FOFC": 518, "FOMC": 518}
    for protocol, scores in quality.scores.items():
        assert f"|protocol:{protocol}|" in scores.signature
        assert 0 <= sum(scores.unread.values()) <= 2664


def test_too_few_repeats_are_refused(models: list[Path], test_file: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--repeats 4: at least 5"):
        list(measure_speed(models, Plan(test_file, repeats=4), tmp_path / "results.csv"))


def test_what_is_no_model_is_refused(epicene: Command, test_file: Path, tmp_path: Path) -> None:
    done = epicene("lab", "speed", tmp_path, "--test", test_file, "-o", tmp_path / "results.csv")
    assert done.returncode == 2
    assert "is no model folder of epicene lab train" in done.stderr
    assert not (tmp_path / "results.csv").exists()
