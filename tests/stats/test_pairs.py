"""Paired differences over clusters: their test agrees with their interval, and the interval holds."""

from __future__ import annotations

import random

import pytest
from scipy.stats import ttest_1samp

from epicene.stats.pairs import paired_gap


@pytest.mark.parametrize("seed", range(5))
def test_p_and_interval_are_those_of_the_t_test_over_clusters_of_one_size(seed: int) -> None:
    chance = random.Random(seed)
    gaps = [100.0 * chance.choice((-1, 0, 0, 1, 1)) for _ in range(90)]
    found = paired_gap(gaps, [str(number % 9) for number in range(90)])
    test = ttest_1samp([sum(gaps[start::9]) / 10 for start in range(9)], 0)
    assert found is not None
    assert found.value == pytest.approx(sum(gaps) / 90)
    assert found.p == pytest.approx(test.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(test.confidence_interval()))


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    chance = random.Random(1)
    inside = 0
    for _ in range(300):
        gaps = [100.0 * (chance.random() < 0.7) - 100.0 * (chance.random() < 0.5) for _ in range(100)]
        found = paired_gap(gaps, [str(number) for number in range(100)])
        assert found is not None and found.low is not None and found.high is not None
        inside += found.low <= 20 <= found.high
    assert inside >= 0.92 * 300


def test_nothing_to_compare_and_no_difference() -> None:
    assert paired_gap([], []) is None
    same = paired_gap([0.0] * 60, ["a"] * 60)
    assert same is not None
    assert (same.value, same.p) == (0, 1)
    assert (same.low, same.high) == (-5, 5)
