"""Means over seeds, their intervals, relative drops and trends, on points whose answers are known."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from epicene.errors import EvidenceError, InputError
from epicene_lab import points
from epicene_lab.points import GROUPS, Key, Point, Quality, Scores, Timing
from epicene_lab.summary import BASELINE, Setting, drop, summarise
from epicene_lab.trend import fit_trend

N = {"MOMC": 814, "MOFC": 814, "FOFC": 518, "FOMC": 518}


def point(model: str, seed: int, precision: str, beam: int, bleu: float, correct: int, seconds: float) -> Point:
    """A point with the same number of correct sentences in each group."""
    scores = Scores(dict.fromkeys(GROUPS, correct), dict.fromkeys(GROUPS, 25), "signature")
    quality = Quality(bleu, 3000, "bleu", N, {"epicene": scores, "paper": scores})
    time = Timing(5, 10, seconds, 0.9 * seconds, 1.2 * seconds, 100 * seconds, 90 * seconds, 120 * seconds)
    return Point(Key("en-es", model, seed, precision, beam), quality, time, "a machine", "2021-08-01")


def grid(noise: float = 0.0, steep: float = 0.0) -> list[Point]:
    """Seven architectures in two modes with three seeds; BLEU falls by ``steep`` percent per percent of time."""
    generator = np.random.default_rng(3)
    found = []
    for place, model in enumerate(("6-6", "8-4", "10-2", "11-1", "6-4", "6-2", "6-1")):
        for seed in (1, 2, 3):
            seeded = generator.normal(0, noise)
            for beam, factor in ((5, 1.0), (1, 0.6)):
                seconds = (1 - 0.1 * place) * factor
                bleu = 40 * (1 - steep * (1 - seconds)) + seeded
                found.append(point(model, seed, "float", beam, bleu, 300, seconds))
    return found


def test_points_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    found = grid()
    for each in found:
        points.append(path, each)
    assert points.read([path]) == found


def test_quality_and_time_from_two_files_are_one_point(tmp_path: Path) -> None:
    whole = point("6-6", 1, "float", 5, 40.0, 300, 1.0)
    points.append(tmp_path / "quality.csv", Point(whole.key, whole.quality))
    points.append(tmp_path / "times.csv", Point(whole.key, None, whole.time, whole.machine, whole.date))
    assert points.read([tmp_path / "quality.csv", tmp_path / "times.csv"]) == [whole]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "no results file of epicene lab"),
        (
            ",".join(points.COLUMNS) + "\nen-es,6-6,one,float,5,lab" + "," * (len(points.COLUMNS) - 6) + "\n",
            "r.csv:2: not",
        ),
        (",".join(points.COLUMNS) + "\nen-es,6-6\n", "r.csv:2: not"),
        (",".join(points.COLUMNS) + "\n", "no measured point"),
    ],
)
def test_what_is_no_results_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        points.read([tmp_path / "r.csv"])


def test_intervals_are_those_of_an_analysis_of_variance() -> None:
    found = grid(noise=1.0)
    estimate = summarise(found, "en-es", "epicene")[BASELINE]["bleu"]
    seeds = [
        [p.quality.bleu for p in found if p.quality and p.key.model == m and p.key.beam == 5]
        for m in {p.key.model for p in found}
    ]
    within = sum(np.var(each, ddof=1) * 2 for each in seeds) / (2 * len(seeds))
    assert estimate.half == pytest.approx(stats.t.ppf(0.975, 2 * len(seeds)) * math.sqrt(within / 3), abs=1e-6)
    assert estimate.n == 3


def test_one_seed_has_no_interval() -> None:
    found = summarise([each for each in grid() if each.key.seed == 1], "en-es", "epicene")
    assert found[BASELINE]["bleu"].half is None


def test_gaps_and_rates_are_those_of_the_counts() -> None:
    found = summarise(grid(), "en-es", "epicene")[BASELINE]
    assert found["MOMC"].value == pytest.approx(100 * 300 / 814)
    assert found["pro"].value == pytest.approx(100 * 600 / 1332)
    assert found["delta_fc"].value == pytest.approx(100 * 300 / 518 - 100 * 300 / 814)
    assert found["unread"].value == pytest.approx(100 * 100 / 2664)
    assert found["pro_read"].value == pytest.approx(100 * 600 / (1332 - 50))


def test_drops_are_relative_to_the_baseline() -> None:
    found = summarise(grid(steep=0.5), "en-es", "epicene")
    fastest = Setting("6-1", "float", 1)
    assert found[fastest]["time"].value == pytest.approx(100 * 0.4 * 0.6)
    dropped = drop(found, fastest, "bleu")
    assert dropped
    assert dropped.value == pytest.approx(0.5 * (100 - 24))
    assert drop(found, Setting("9-9", "float", 1), "bleu") is None


def test_a_trend_finds_a_slope_that_is_there() -> None:
    found = fit_trend(grid(noise=0.3, steep=0.5), "en-es", "epicene", "bleu")
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.5 < found.high
    assert found.low > 0.3
    assert (len(found.places), found.models) == (14, 21)
    for _, y, low, high in found.line:
        assert low is not None
        assert high is not None
        assert low <= y <= high


def test_a_trend_of_noise_has_zero_in_its_interval() -> None:
    found = fit_trend(grid(noise=1.0), "en-es", "epicene", "bleu")
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high


def test_a_trend_of_two_models_is_refused() -> None:
    with pytest.raises(EvidenceError, match="three trained models"):
        fit_trend(
            [each for each in grid() if each.key.model == "6-6" and each.key.seed < 3], "en-es", "epicene", "bleu"
        )


def test_a_trend_without_the_baseline_is_refused() -> None:
    with pytest.raises(EvidenceError, match="needs the baseline"):
        fit_trend([each for each in grid() if each.key.model != "6-6"], "en-es", "epicene", "bleu")
