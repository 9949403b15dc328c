"""Occupations have two rates, one for each gender."""

from __future__ import annotations

from epicene.output.page.series import Series
from epicene.result import Result
from epicene.types import Gender, Item, Output, Person, Verdict

F, M = Gender.FEMININE, Gender.MASCULINE


def test_each_gender_is_rated_over_its_own_sentences() -> None:
    # 44 of 44 women in an occupation are written as men, and none of its 44 men as women: 100 % and 0 %, not 50 %.
    people = [Item(str(number), "x", Person("janitor", 0, "janitor"), (F, M)[number % 2]) for number in range(88)]
    verdicts = tuple(Verdict(Output(item, "s", "ar", "x"), M, "lexicon") for item in people)
    result = Result("winomt", "en-ar", "s", "epicene", "s", 88, {}, 0, (), verdicts=verdicts)
    rates = Series("s", result, "Arabic").occupations["janitor"]
    assert {gender: (rate.count, rate.n, rate.value) for gender, rate in rates.items()} == {
        F: (44, 44, 100.0),
        M: (0, 44, 0.0),
    }
