"""Optimal translators are optimal, and the bias has the edges that its definition has."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from epicene.sets.occupations.jobs import error, is_wrong, optimal, optimal_error, probabilistic_error
from epicene.types import Gender
from epicene_lab.studies.occupations import bias

SHARES = st.floats(0, 100)
PRONOUNS = st.sampled_from([Gender.FEMININE, Gender.MASCULINE])


@given(SHARES, PRONOUNS)
def test_no_pronoun_does_better_than_the_optimal_one(women: float, said: Gender) -> None:
    made = error(women, said)
    assert made is not None
    assert optimal_error(women) <= made


@given(SHARES)
def test_saying_she_as_often_as_there_are_women_does_no_better_on_average(women: float) -> None:
    assert probabilistic_error(women) >= optimal_error(women) - 1e-9


@given(SHARES, PRONOUNS)
def test_a_bias_is_nought_just_where_the_pronoun_is_not_wrong(women: float, said: Gender) -> None:
    found = bias(women, said)
    assert found is not None
    assert (found > 0) == is_wrong(women, said)


def test_where_everybody_is_a_woman_she_is_optimal_and_he_unbounded() -> None:
    assert bias(100, Gender.FEMININE) == 0
    assert bias(100, Gender.MASCULINE) == math.inf
    assert bias(0, Gender.FEMININE) == math.inf


def test_where_there_are_as_many_women_as_men_either_pronoun_is_right() -> None:
    assert optimal(50) is None
    assert bias(50, Gender.FEMININE) == bias(50, Gender.MASCULINE) == 0


def test_an_answer_that_names_no_gender_is_not_wrong_and_has_no_bias() -> None:
    for said in (Gender.NEUTRAL, Gender.UNKNOWN):
        assert not is_wrong(90, said)
        assert bias(90, said) is None
