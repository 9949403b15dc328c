"""Intervals and tests agree with independent implementations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from epicene.stats.rates import holm, mcnemar_exact, wilson


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_that_of_statsmodels(counts: tuple[int, int]) -> None:
    count, n = counts
    assert wilson(count, n) == pytest.approx(proportion_confint(count, n, method="wilson"), abs=1e-9)


def test_nothing_to_count_leaves_everything_open() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_that_of_statsmodels_and_scipy(gained: int, lost: int) -> None:
    found = mcnemar_exact(gained, lost)
    if gained + lost:
        assert found == pytest.approx(mcnemar([[0, gained], [lost, 0]], exact=True).pvalue)
        assert found == pytest.approx(binomtest(gained, gained + lost).pvalue)
    else:
        assert found == 1.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))
