"""Cohen's κ is that of the textbook and of an independent implementation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa as peer

from epicene.review.votes import cohens_kappa

# Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, Table 18.1: two diagnoses of 100 people.
TEXTBOOK = ((75, 1, 4), (5, 4, 1), (0, 0, 10))


def pairs(counts: tuple[tuple[int, ...], ...]) -> list[tuple[str, str]]:
    """The table as pairs of answers."""
    return [(str(a), str(b)) for a, row in enumerate(counts) for b, number in enumerate(row) for _ in range(number)]


def test_kappa_and_its_error_match_the_textbook() -> None:
    found = cohens_kappa(pairs(TEXTBOOK))
    assert found is not None
    kappa, low, high = found
    assert kappa == pytest.approx(0.68, abs=0.005)
    assert (high - low) / (2 * 1.96) == pytest.approx(0.087, abs=0.001)


@given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3))
def test_kappa_and_its_interval_match_statsmodels(rows: list[list[int]]) -> None:
    counts = np.array(rows)
    assume(counts.sum() > np.trace(counts) > 0)
    assume(min((counts.sum(axis=0) > 0).sum(), (counts.sum(axis=1) > 0).sum()) > 1)  # else its variance is nought
    found, other = cohens_kappa(pairs(tuple(map(tuple, rows)))), peer(counts)
    assert found is not None
    assert found[0] == pytest.approx(other.kappa)
    assert found[1:] == pytest.approx((max(-1, other.kappa_low), min(1, other.kappa_upp)), abs=1e-6)


def test_people_who_never_differ_may_still_differ_some_day() -> None:
    few, many = (cohens_kappa([("f", "f"), ("m", "m")] * number) for number in (5, 500))
    assert few is not None
    assert many is not None
    assert few[0] == few[2] == many[0] == 1
    assert few[1] < 0.5 < 0.99 < many[1] < 1


@pytest.mark.parametrize("answers", [[], [("f", "f")] * 20])
def test_kappa_is_not_defined_where_nothing_can_be_told_apart(answers: list[tuple[str, str]]) -> None:
    assert cohens_kappa(answers) is None


def test_two_who_always_differ_are_below_chance() -> None:
    found = cohens_kappa([("f", "m"), ("m", "f")] * 10)
    assert found is not None
    assert found[0] == pytest.approx(-1)
