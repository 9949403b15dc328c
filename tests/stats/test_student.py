"""Student's distribution agrees with SciPy's over all of its domain."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr, stdtrit

import epicene
from epicene.stats.student import student_cdf, student_quantile

DF = np.concatenate([np.arange(1, 61), np.geomspace(1.001, 1e6, 300), [199_999.0, 1e7]])


@pytest.mark.parametrize("t", [0, 1e-9, 1e-3, 0.1, 0.5, 1, 1.645, 1.96, 2.5, 4, 8, 20, 100, 1e4, 1e8])
def test_probabilities_are_scipys_far_out_in_the_tail_too(t: float) -> None:
    assert student_cdf(DF, -t) == pytest.approx(stdtr(DF, -t), rel=1e-9, abs=1e-300)
    assert student_cdf(DF, t) == pytest.approx(stdtr(DF, t), rel=1e-9)


@pytest.mark.parametrize("p", [1e-12, 0.005, 0.025, 0.4, 0.5, 0.501, 0.6, 0.9, 0.95, 0.975, 0.999, 1 - 1e-6, 1 - 1e-9])
def test_quantiles_are_scipys(p: float) -> None:
    assert student_quantile(DF, p) == pytest.approx(stdtrit(DF, p), rel=1e-9)


@given(st.floats(1, 1e6), st.floats(-50, 50))
def test_any_probability_is_scipys(df: float, t: float) -> None:
    assert float(student_cdf(df, t)) == pytest.approx(stdtr(df, t), rel=1e-9, abs=1e-300)


@given(st.floats(1, 1e6), st.floats(1e-9, 0.499))
def test_any_quantile_is_scipys_and_odd(df: float, p: float) -> None:
    assert float(student_quantile(df, p)) == pytest.approx(stdtrit(df, p), rel=1e-9)
    assert float(student_quantile(df, 1 - p)) == pytest.approx(-float(student_quantile(df, p)), rel=1e-6)


def test_infinity_and_what_is_no_number() -> None:
    assert student_cdf(5.0, np.array([-np.inf, np.inf])).tolist() == [0.0, 1.0]
    assert np.isnan(student_cdf(5.0, np.nan)) and np.isnan(student_quantile(np.nan, 0.975))


def test_nothing_of_the_package_imports_scipy() -> None:
    sources = Path(epicene.__file__).parent.rglob("*.py")
    assert [path.name for path in sources if re.search(r"^\s*(import|from) scipy", path.read_text("utf-8"), re.M)] == []
