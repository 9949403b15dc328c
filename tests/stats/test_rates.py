"""Intervals and tests agree with independent implementations."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from epicene.stats.rates import Table, bonferroni, chi_square, holm, odds_ratio, wilson


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


CELL = st.integers(1, 5_000)


@given(CELL, CELL, CELL, CELL)
def test_chi_square_is_scipys_with_yates_correction(a: int, b: int, c: int, d: int) -> None:
    wanted = chi2_contingency([[a, b], [c, d]], correction=True)
    value, p = chi_square(Table(a, b, c, d)) or (0, 0)
    assert value == pytest.approx(wanted.statistic, abs=1e-9, rel=1e-9)
    assert p == pytest.approx(wanted.pvalue, abs=1e-300, rel=1e-6)


@given(CELL, CELL, CELL, CELL)
def test_odds_ratio_and_interval_are_those_of_statsmodels(a: int, b: int, c: int, d: int) -> None:
    wanted = Table2x2([[a, b], [c, d]])
    assert odds_ratio(Table(a, b, c, d)) == pytest.approx((wanted.oddsratio, *wanted.oddsratio_confint()), rel=1e-6)


@pytest.mark.parametrize("table", [Table(0, 0, 1, 1), Table(0, 3, 0, 4), Table(2, 0, 2, 0)])
def test_an_empty_row_or_column_has_no_answer(table: Table) -> None:
    assert chi_square(table) is None
    assert odds_ratio(table) is None


def test_an_empty_cell_is_filled_by_a_half() -> None:
    ratio, low, high = odds_ratio(Table(5, 5, 0, 10)) or (0, 0, 0)
    assert ratio == pytest.approx(5.5 * 10.5 / (5.5 * 0.5))
    assert low < ratio < high


def test_no_difference_is_no_chi_square_however_corrected() -> None:
    assert chi_square(Table(10, 10, 10, 11)) == (0.0, 1.0)


def test_bonferroni_multiplies_up_to_one() -> None:
    assert (bonferroni(0.01, 3), bonferroni(0.5, 3)) == (pytest.approx(0.03), 1.0)
