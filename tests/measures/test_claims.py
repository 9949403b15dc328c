"""When a number is in doubt, and what a claim says of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import epicene
from epicene.measures.claims import Claim, claim, doubt
from epicene.types import Measure

RATE = Measure("misgendered", "female", 40.0, "%", 100, 40, 31.0, 50.0, undetected=0)


@pytest.mark.parametrize(
    ("measure", "is_doubtful"),
    [
        (replace(RATE, undetected=5), False),
        (replace(RATE, undetected=6), True),
        (replace(RATE, undetected=None), False),
        (replace(RATE, undetected=None, excluded=5), False),  # 5 of 105
        (replace(RATE, undetected=None, excluded=6), True),  # 6 of 106
    ],
)
def test_a_rate_is_in_doubt_if_more_than_one_in_twenty_was_not_detected(measure: Measure, is_doubtful: bool) -> None:
    assert bool(doubt(measure)) is is_doubtful


def test_a_result_that_should_not_be_believed_casts_doubt_on_all_its_numbers() -> None:
    assert doubt(RATE, ["lines look shifted"]) == "lines look shifted"


def test_what_was_not_detected_may_all_count() -> None:
    found = Claim(replace(RATE, undetected=50), "s", "winomt", "en-de")
    assert found.most == 90.0
    assert found.hides and not found.is_small


def test_a_rate_of_few_people_is_in_doubt() -> None:
    few = replace(RATE, n=14, count=4)
    assert doubt(few) == "only 14 people" and Claim(few, "s", "winomt", "en-de").is_small


def test_every_result_claims_who_is_misgendered() -> None:
    lines = ["Die Lehrerin wartete."] * 2664
    result = epicene.score("simplegen", "en-de", lines, anyway=True)
    women, men, everybody = (claim(result, "misgendered", group) for group in ("female", "male", "all"))
    assert women and men and everybody
    assert (women.value, men.value, everybody.n) == (0.0, 100.0, 2664)
    assert all(found.doubt and found.system == result.system for found in (women, men, everybody))  # not believed
    assert claim(result, "misgendered", "nobody") is None
