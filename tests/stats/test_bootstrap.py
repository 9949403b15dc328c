"""Cluster resampling is seeded and has about the spread that theory gives."""

from __future__ import annotations

import numpy as np
import pytest

from epicene.stats.bootstrap import cluster_interval, ratio_intervals


def share(sums: np.ndarray) -> np.ndarray:
    return sums[:, 1] / sums[:, 0]


def test_the_same_seed_gives_the_same_interval() -> None:
    counts = np.array([[10, 3], [10, 5], [10, 9], [10, 1]], dtype=float)
    assert cluster_interval(counts, share) == cluster_interval(counts, share)


def test_the_interval_has_the_width_of_the_standard_error_of_a_mean_of_clusters() -> None:
    rng = np.random.default_rng(1)
    right = rng.integers(0, 100, size=60).astype(float)
    counts = np.column_stack([np.full(60, 100.0), right])
    low, high = cluster_interval(counts, share) or (0, 0)
    wanted = 2 * 1.96 * (right / 100).std() / np.sqrt(60)
    assert high - low == pytest.approx(wanted, rel=0.1)


def test_two_clusters_are_too_few() -> None:
    assert cluster_interval(np.array([[1.0, 1.0], [1.0, 0.0]]), share) is None


def test_a_share_of_nothing_has_no_interval() -> None:
    assert cluster_interval(np.zeros((5, 2)), share) is None


def test_many_ratios_at_once_have_about_the_intervals_of_each_alone() -> None:
    rng = np.random.default_rng(2)
    numerators, denominators = rng.random((40, 3)), rng.random((40, 3)) + 1
    found = ratio_intervals(numerators, denominators)
    assert found == ratio_intervals(numerators, denominators)
    for column, interval in enumerate(found):
        counts = np.column_stack([denominators[:, column], numerators[:, column]])
        assert interval == pytest.approx(cluster_interval(counts, share), rel=0.03)


def test_a_ratio_that_two_clusters_count_for_has_no_interval() -> None:
    denominators = np.ones((10, 2))
    denominators[2:, 1] = 0
    first, second = ratio_intervals(denominators.copy(), denominators)
    assert first == (1.0, 1.0)
    assert second is None
