"""The largest drop that sentences leave room for: more where few clusters could bring it, and against SciPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import betabinom

from epicene.stats import concentrated
from epicene.stats.concentrated import bound_difference, bound_rate


def bound(gained: Sequence[int], lost: Sequence[int], of: Sequence[int]) -> float:
    gains, losses, n = (np.array(counts, dtype=float) for counts in (gained, lost, of))
    return 100 * bound_difference((losses, n), (gains, n), 0.025)[1]


def test_losses_of_one_occupation_leave_room_for_more_than_scattered_ones() -> None:
    none = [0] * 20
    scattered, together = bound(none, [1] * 20, [40] * 20), bound(none, [20] + [0] * 19, [40] * 20)
    assert 2.5 < scattered < together
    assert together > 1.5 * scattered


def test_what_was_gained_is_what_was_not_lost() -> None:
    some, none = [2, 1] * 10, [0] * 20
    assert bound(some, none, [40] * 20) < 0 < bound(some, some, [40] * 20) < bound(none, some, [40] * 20)


def test_a_difference_turned_round_has_its_ends_exchanged() -> None:
    one, other = ((np.array(counts, dtype=float), np.full(9, 30.0)) for counts in ([2] * 9, [4, 0, 1] * 3))
    low, high = bound_difference(one, other, 0.025)
    assert bound_difference(other, one, 0.025) == pytest.approx((-high, -low), abs=1e-4)


@pytest.mark.parametrize(("tail", "z"), [(0.025, 1.96), (0.16, 0.994)])
def test_of_independent_sentences_a_rate_is_bounded_as_by_a_normal_interval(tail: float, z: float) -> None:
    """4,000 clusters of one sentence, of which 400 were counted: 10 %, with an error of 0.47."""
    bound = bound_rate(np.array([1.0] * 400 + [0.0] * 3600), np.ones(4000), tail)
    assert 100 * bound == pytest.approx(10 + z * 100 * (0.1 * 0.9 / 4000) ** 0.5, abs=0.04)


def test_a_rate_of_one_occupation_may_be_higher_than_one_of_many() -> None:
    together, scattered = (
        bound_rate(np.array(counts), np.full(20, 40.0), 0.025) for counts in ([20.0] + [0.0] * 19, [1.0] * 20)
    )
    assert together > 1.5 * scattered > 1.5 * 0.025


def test_more_occupations_leave_room_for_less() -> None:
    bounds = [bound([1] * units, [1] * units, [40] * units) for units in (7, 20, 40)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] > 1.5 * bounds[2]


def test_clusters_without_sentences_count_for_nothing() -> None:
    assert bound([1] * 9 + [0], [2] * 9 + [0], [30] * 9 + [0]) == bound([1] * 9, [2] * 9, [30] * 9)


def test_of_independent_sentences_the_bound_is_that_of_a_normal_interval() -> None:
    """4,000 clusters of one sentence, of which 800 were lost and 400 gained: 10 points, with an error of 0.86."""
    kinds = [(0, 1)] * 800 + [(1, 0)] * 400 + [(0, 0)] * 2800
    found = bound([gained for gained, _ in kinds], [lost for _, lost in kinds], [1] * 4000)
    error = 100 * ((0.2 * 0.8 + 0.1 * 0.9) / 4000) ** 0.5
    assert found == pytest.approx(10 + 1.96 * error, abs=0.03)


def test_many_sentences_are_bounded_finely() -> None:
    """Forty occupations of a thousand sentences, each of which lost a fifth: the bound lies just above 20 points."""
    assert 20 < bound([0] * 40, [200] * 40, [1000] * 40) < 20.8


def test_logarithms_of_gamma_are_those_of_scipy() -> None:
    values = np.geomspace(1e-6, 1e6, 400)
    assert concentrated._log_gamma(values) == pytest.approx(gammaln(values), abs=1e-9, rel=1e-12)


def test_likelihoods_are_beta_binomial() -> None:
    counts, of = np.array([0.0, 3, 0, 7]), np.array([12.0, 20, 20, 9])
    rates, alike = np.array([0.05, 0.2, 0.6]), np.array([0.02, 0.3])
    size = ((1 - alike) / alike)[:, None]
    expected = np.prod(
        [betabinom.pmf(x, n, size * rates, size * (1 - rates)) for x, n in zip(counts, of, strict=True)], axis=0
    )
    found = concentrated._likelihood(counts, of, rates, alike)
    assert found == pytest.approx(expected / expected.max())
