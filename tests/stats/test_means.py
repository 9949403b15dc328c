"""Resampling is seeded and as wide as theory says; Fisher's interval is SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, ttest_1samp

from epicene.stats.means import cluster_interval, fisher, students


def share_of_sums(sums: np.ndarray) -> np.ndarray:
    return sums[:, 1] / sums[:, 0]


def test_the_same_seed_gives_the_same_interval() -> None:
    counts = np.array([[10, 3], [10, 5], [10, 9], [10, 1]], dtype=float)
    assert cluster_interval(counts, share_of_sums) == cluster_interval(counts, share_of_sums)


def test_the_interval_has_the_width_of_the_standard_error_of_a_mean_of_clusters() -> None:
    rng = np.random.default_rng(1)
    right = rng.integers(0, 100, size=60).astype(float)
    counts = np.column_stack([np.full(60, 100.0), right])
    low, high = cluster_interval(counts, share_of_sums) or (0, 0)
    wanted = 2 * 1.96 * (right / 100).std() / np.sqrt(60)
    assert high - low == pytest.approx(wanted, rel=0.1)


def test_intervals_of_means_are_scipys() -> None:
    values = [1.0, 2.0, 4.0, 8.0]
    wanted = ttest_1samp(values, 0).confidence_interval()
    assert students(values) == pytest.approx((wanted.low, wanted.high))
    assert students([1.0]) == (None, None)


def test_two_clusters_are_too_few() -> None:
    assert cluster_interval(np.array([[1.0, 1.0], [1.0, 0.0]]), share_of_sums) is None


def test_a_share_of_nothing_has_no_interval() -> None:
    assert cluster_interval(np.zeros((5, 2)), share_of_sums) is None


@given(st.integers(5, 60), st.integers(0, 1000))
def test_fisher_is_that_of_scipy(n: int, seed: int) -> None:
    x, y = np.random.default_rng(seed).normal(size=(2, n))
    found = pearsonr(x, y)
    assert fisher(float(found.statistic), n) == pytest.approx(tuple(found.confidence_interval()), abs=1e-9)


def test_there_is_no_interval_for_a_perfect_correlation_or_three_pairs() -> None:
    assert fisher(1.0, 10) is None
    assert fisher(0.5, 3) is None
