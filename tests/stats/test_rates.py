"""Intervals and tests agree with independent implementations."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import quantile_test
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from epicene.stats.rates import holm, median_interval, wilson


@pytest.fixture(scope="module", autouse=True)
def little_to_collect() -> Iterator[None]:
    """Hides what other tests have loaded from statsmodels, which collects garbage whenever it corrects p-values."""
    gc.freeze()
    yield
    gc.unfreeze()


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_that_of_statsmodels(counts: tuple[int, int]) -> None:
    count, n = counts
    assert wilson(count, n) == pytest.approx(proportion_confint(count, n, method="wilson"), abs=1e-9)


def test_nothing_to_count_leaves_everything_open() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


@given(st.lists(st.floats(-1e6, 1e6), min_size=8, max_size=200))
def test_the_interval_of_a_median_is_that_of_scipy(values: list[float]) -> None:
    # scipy's one-sided intervals at half the error are the two ends of a two-sided one.
    low = quantile_test(values, p=0.5, alternative="greater").confidence_interval(0.975).low
    high = quantile_test(values, p=0.5, alternative="less").confidence_interval(0.975).high
    assert median_interval(values) == (low, high)


def test_five_values_are_too_few_for_the_interval_of_a_median() -> None:
    assert median_interval([1.0, 2.0, 3.0, 4.0, 5.0]) is None
    assert median_interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == (1.0, 6.0)
    assert median_interval([]) is None
