"""Scores, effect sizes and fixed point."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epicene.embeddings.association import FRACTION_BITS, effect_interval, effect_size, fixed, scores, unit

finite = st.floats(-1e6, 1e6).filter(lambda value: abs(value) > 1e-6)


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@given(st.integers(0, 10_000))
def test_scores_are_differences_of_mean_cosines(seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(9, 5))
    targets, a, b = vectors[:3], vectors[3:6], vectors[6:]
    wanted = [np.mean([cosine(t, v) for v in a]) - np.mean([cosine(t, v) for v in b]) for t in targets]
    assert scores(targets.tolist(), a.tolist(), b.tolist()) == pytest.approx(wanted, abs=1e-12)


@given(st.lists(finite, min_size=1, max_size=8), st.integers(-900, 900))
def test_a_power_of_two_changes_no_direction_even_where_squares_would_overflow(vector: list[float], power: int) -> None:
    assert unit(math.ldexp(each, power) for each in vector) == unit(vector)


@given(st.permutations(list(range(6))))
def test_the_order_of_the_dimensions_changes_nothing(order: list[int]) -> None:
    vectors = np.random.default_rng(1).normal(size=(6, 6))
    given, turned = vectors.tolist(), vectors[:, order].tolist()
    assert scores(given[:2], given[2:4], given[4:]) == scores(turned[:2], turned[2:4], turned[4:])


@given(st.lists(finite, min_size=2, max_size=9), st.lists(finite, min_size=2, max_size=9), st.sampled_from([0, 1]))
def test_the_effect_size_is_that_of_numpy(x: list[float], y: list[float], ddof: int) -> None:
    deviation = np.std([*x, *y], ddof=ddof)
    found = effect_size(x, y, ddof)
    if found is not None and deviation > 1e-9:
        assert found == pytest.approx((np.mean(x) - np.mean(y)) / deviation, rel=1e-6, abs=1e-9)


def test_scores_that_are_all_the_same_have_no_effect_size() -> None:
    assert effect_size([0.1, 0.1], [0.1, 0.1]) is None


@given(st.integers(2, 25), st.integers(2, 25), st.integers(0, 1000), st.sampled_from([0, 1]))
def test_the_interval_holds_the_effect_size_and_keeps_within_its_bounds(x: int, y: int, seed: int, ddof: int) -> None:
    chance = np.random.default_rng(seed)
    first, second = (chance.normal(size=x) + 1).tolist(), chance.normal(size=y).tolist()
    d = effect_size(first, second, ddof)
    assert d is not None
    low, high = effect_interval(d, x, y, ddof) or (d, d)
    largest = math.sqrt((x + y) * (x + y - ddof) / (x * y))
    assert -largest <= low <= d <= high <= largest


def test_fixed_point_keeps_ties_and_signs() -> None:
    assert fixed([0.5, -0.5, 0.1, 0.1]) == [
        2 ** (FRACTION_BITS - 1),
        -(2 ** (FRACTION_BITS - 1)),
        *[fixed([0.1])[0]] * 2,
    ]
    assert fixed([-0.3]) == [-fixed([0.3])[0]]
