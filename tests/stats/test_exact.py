"""Counting by meeting in the middle is counting one by one."""

from __future__ import annotations

from itertools import combinations
from math import comb, inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from epicene.stats.exact import Halves, count_all, count_drawn, fits, partitions, signs
from epicene.stats.rates import wilson

# Few values make many ties.
scored = st.one_of(
    st.lists(st.integers(-3, 3), min_size=2, max_size=11),
    st.lists(st.integers(-(2**41), 2**41), min_size=2, max_size=11),
).flatmap(lambda scores: st.tuples(st.just(scores), st.integers(1, len(scores) - 1)))


def one_by_one(scores: list[int], size: int) -> tuple[int, int, int]:
    n, total, observed = len(scores), sum(scores), sum(scores[:size])
    sums = [sum(chosen) for chosen in combinations(scores, size)]
    greater = sum(each > observed for each in sums)
    extreme = sum(abs(n * each - size * total) >= abs(n * observed - size * total) for each in sums)
    return len(sums), greater, extreme


@given(scored)
@settings(max_examples=400)
def test_exact_counts_are_those_of_trying_all(case: tuple[list[int], int]) -> None:
    scores, size = case
    found = count_all(scores, size)
    assert (found.partitions, found.greater, found.extreme) == one_by_one(scores, size)
    assert found.exact


@pytest.mark.parametrize("n", range(2, 13))
def test_every_small_size_is_counted_right(n: int) -> None:
    scores = [int(each) for each in np.random.default_rng(n).integers(-9, 10, n)]
    for size in range(1, n):
        found = count_all(scores, size)
        assert (found.partitions, found.greater, found.extreme) == one_by_one(scores, size)


@pytest.mark.parametrize(("x", "y"), [(4, 4), (3, 6), (7, 2)])
def test_exact_counts_are_those_of_scipy(x: int, y: int) -> None:
    scores = [int(each) for each in np.random.default_rng(x * y).integers(-(2**40), 2**40, x + y)]

    def difference(first: np.ndarray, second: np.ndarray, axis: int) -> np.ndarray:
        return first.mean(axis=axis) - second.mean(axis=axis)

    def tail(statistic) -> float:
        result = permutation_test(
            (scores[:x], scores[x:]), statistic, vectorized=True, n_resamples=inf, alternative="greater"
        )
        return result.pvalue * comb(x + y, x)

    found = count_all(scores, x)
    # scipy counts the observed partition in, as the two-sided count does and the one-sided one does not
    assert tail(difference) == pytest.approx(found.greater + 1)
    assert tail(lambda a, b, axis: abs(difference(a, b, axis))) == pytest.approx(found.extreme)


@given(scored)
def test_every_partition_reaches_the_least_sum_and_none_exceeds_the_greatest(case: tuple[list[int], int]) -> None:
    scores, size = case
    halves = Halves(scores, size)
    ordered = sorted(scores)
    assert halves.at_least(sum(ordered[:size])) == halves.partitions == comb(len(scores), size)
    assert halves.at_least(sum(ordered[-size:]) + 1) == 0


def test_scores_that_are_all_the_same_leave_everything_as_extreme() -> None:
    found = count_all([5] * 6, 3)
    assert (found.greater, found.extreme) == (0, found.partitions)


def test_twenty_five_and_twenty_five_fit_and_twenty_six_do_not() -> None:
    assert fits(50, 25)
    assert not fits(52, 26)
    assert fits(105, 5)  # few of many are few partitions, however many there are to take them from


def test_all_ways_are_gone_through_where_they_are_few() -> None:
    ways, exact = partitions(6, 2, 10, 1)
    assert exact and ways.shape == (15, 6) and set(ways.sum(axis=1)) == {2.0}
    assert len({tuple(row) for row in ways}) == 15
    some, exact = partitions(60, 30, 50, 1)
    assert not exact and some.shape == (50, 60) and set(some.sum(axis=1)) == {30.0}
    assert len({tuple(row) for row in signs(4, 10, 1)}) == 16
    assert signs(40, 10, 1).shape == (10, 40)


def test_drawn_counts_are_seeded_and_agree_with_exact_ones() -> None:
    scores = [int(each) for each in np.random.default_rng(5).integers(-(2**40), 2**40, 16)]
    exact, drawn = count_all(scores, 8), count_drawn(scores, 8, 50_000, seed=1)
    assert drawn == count_drawn(scores, 8, 50_000, seed=1) != count_drawn(scores, 8, 50_000, seed=2)
    for whole, part in ((exact.greater, drawn.greater), (exact.extreme, drawn.extreme)):
        low, high = wilson(part, drawn.partitions, z=4)
        assert low <= whole / exact.partitions <= high


@pytest.mark.parametrize("size", [0, 4])
def test_a_group_without_members_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="cannot split 4 scores"):
        Halves([1, 2, 3, 4], size)
