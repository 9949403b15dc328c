"""Intervals by the profile of the likelihood against closed forms and a brute search; shares that add up."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

from epicene.review.profile import square_and_add, stratified_interval
from epicene.stats.rates import Z95

HALF = Z95**2 / 2


def interval(*strata: tuple[float, int, int]) -> tuple[float, float, float]:
    """Of strata given as weight, read, true."""
    weights, read, true = np.array(strata, float).T
    return stratified_interval(weights, read, true)


@pytest.mark.parametrize(("read", "true"), [(20, 7), (50, 1), (3, 2)])
def test_one_stratum_has_the_interval_of_the_likelihood_ratio(read: int, true: int) -> None:
    share = true / read

    def beyond(x: float) -> float:
        return true * math.log(share / x) + (read - true) * math.log((1 - share) / (1 - x)) - HALF

    found = interval((1.0, read, true))
    assert found == pytest.approx((share, brentq(beyond, 1e-9, share), brentq(beyond, share, 1 - 1e-9)), abs=1e-7)


def test_no_error_found_leaves_room_for_some_on_one_side_only() -> None:
    assert interval((1.0, 25, 0)) == pytest.approx((0, 0, 1 - math.exp(-HALF / 25)), abs=1e-7)
    assert interval((1.0, 25, 25)) == pytest.approx((1, math.exp(-HALF / 25), 1), abs=1e-7)


def test_strata_without_an_error_do_not_each_add_theirs() -> None:
    # Two halves, 25 read of each and nothing found, are known as well as a whole with 50 read, and no worse.
    assert interval((1.0, 25, 0), (1.0, 25, 0)) == pytest.approx(interval((1.0, 50, 0)), abs=1e-6)


def test_strata_are_moved_together_as_a_brute_search_moves_them() -> None:
    weights, read, true = np.array([0.7, 0.2, 0.1]), np.array([30.0, 8.0, 5.0]), np.array([28.0, 1.0, 5.0])
    value, low, high = stratified_interval(weights, read, true)
    assert value == pytest.approx(float(weights @ (true / read)))

    def loss(shares: np.ndarray) -> float:
        inside = np.clip(shares, 1e-12, 1 - 1e-12)
        return -float(true @ np.log(inside) + (read - true) @ np.log1p(-inside))

    least = loss(true / read)
    for end in (low, high):
        found = minimize(
            loss,
            np.full(3, end),
            bounds=[(1e-9, 1 - 1e-9)] * 3,
            constraints={"type": "eq", "fun": lambda shares, end=end: weights @ shares - end},
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 500},
        )
        assert found.fun - least == pytest.approx(HALF, abs=0.01)


def test_independent_shares_are_squared_and_added() -> None:
    one, other = (0.5, 0.4, 0.7), (0.3, 0.1, 0.35)
    found = square_and_add(lambda values: values[0] - values[1], [one, other])
    assert found == pytest.approx((0.2, 0.2 - math.hypot(0.1, 0.05), 0.2 + math.hypot(0.2, 0.2)))


@pytest.mark.parametrize(("correlation", "reach"), [(1.0, 0.0), (0.0, math.sqrt(0.02)), (-1.0, 0.2)])
def test_shares_that_move_together_leave_their_gap_alone(correlation: float, reach: float) -> None:
    part = (0.5, 0.4, 0.6)
    found = square_and_add(lambda values: values[0] - values[1], [part, part], {(0, 1): correlation})
    assert found == pytest.approx((0, -reach, reach), abs=1e-9)
