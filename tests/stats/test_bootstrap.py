"""Cluster resampling is seeded and has about the spread that theory gives."""

from __future__ import annotations

import numpy as np
import pytest

from epicene.stats.bootstrap import cluster_interval


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
