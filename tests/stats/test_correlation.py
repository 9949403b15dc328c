"""Fisher's interval agrees with scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from epicene.stats.correlation import fisher


@given(st.integers(5, 60), st.integers(0, 1000))
def test_fisher_is_that_of_scipy(n: int, seed: int) -> None:
    x, y = np.random.default_rng(seed).normal(size=(2, n))
    found = pearsonr(x, y)
    assert fisher(float(found.statistic), n) == pytest.approx(tuple(found.confidence_interval()), abs=1e-9)


def test_there_is_no_interval_for_a_perfect_correlation_or_three_pairs() -> None:
    assert fisher(1.0, 10) is None
    assert fisher(0.5, 3) is None
