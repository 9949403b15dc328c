"""Paired differences: their test is McNemar's, and their interval holds."""

from __future__ import annotations

import random

import pytest
from scipy.stats import binomtest

from epicene.stats.pairs import paired_gap


@pytest.mark.parametrize("seed", range(5))
def test_p_is_that_of_the_exact_binomial_test_on_the_sentences_that_differ(seed: int) -> None:
    chance = random.Random(seed)
    gaps = [100.0 * chance.choice((-1, 0, 0, 1, 1)) for _ in range(80)]
    found = paired_gap(gaps, [str(number % 9) for number in range(80)])
    more, less = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    assert found is not None
    assert found.p == pytest.approx(binomtest(more, more + less).pvalue)
    assert found.value == pytest.approx(sum(gaps) / 80)
    assert found.low < found.value < found.high


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    chance = random.Random(1)
    inside = 0
    for _ in range(300):
        gaps = [100.0 * (chance.random() < 0.7) - 100.0 * (chance.random() < 0.5) for _ in range(100)]
        found = paired_gap(gaps, [str(number) for number in range(100)])
        inside += found is not None and found.low <= 20 <= found.high
    assert inside >= 0.92 * 300


def test_nothing_to_compare_and_no_difference() -> None:
    assert paired_gap([], []) is None
    same = paired_gap([0.0] * 60, ["a"] * 60)
    assert same is not None
    assert (same.value, same.p) == (0, 1)
    assert (same.low, same.high) == (-5, 5)
