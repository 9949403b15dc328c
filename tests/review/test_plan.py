"""The plan asks about doubtful sentences first, then about a random sample of the rest that every day is the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from epicene.review.plan import Case, kind, queue
from epicene.review.store import Key
from epicene.types import Gender, Item, Output, Person, Verdict

F, M, N, U = Gender


def cases_of(*groups: tuple[int, Gender, str, Gender], signature: str = "s") -> list[Case]:
    """Cases in groups: how many, as what they are read, by which step, and what is expected."""
    found = []
    for number, gender, method, expected in groups:
        for _ in range(number):
            name = str(len(found))
            item = Item(name, "the nurse", Person("nurse", 4, "nurse"), expected)
            verdict = Verdict(Output(item, "system", "de", "text"), gender, method)
            found.append(Case(signature, Key("set", "en-de", "system", name), verdict))
    return found


def is_doubtful(case: Case) -> bool:
    return kind(case.verdict).doubtful


def asked(found: Sequence[Case], budget: int) -> list[Case]:
    order, planned = queue(found, budget)
    return order[:planned]


@pytest.mark.parametrize(
    ("gender", "method", "doubtful"),
    [(U, "none", True), (F, "other-word", True), (F, "lexicon", False), (N, "doublet", False)],
)
def test_what_could_not_be_read_or_was_guessed_is_doubtful(gender: Gender, method: str, doubtful: bool) -> None:
    (case,) = cases_of((1, gender, method, F))
    assert kind(case.verdict) == (doubtful, gender, F)


def test_doubtful_sentences_come_first() -> None:
    found = cases_of((900, F, "lexicon", F), (20, U, "none", F), (30, M, "other-word", F))
    marks = [is_doubtful(case) for case in asked(found, 200)]
    assert marks == [True] * 50 + [False] * 150


def test_doubtful_sentences_take_half_of_the_plan_at_most() -> None:
    found = cases_of((900, F, "lexicon", F), (900, U, "none", F))
    assert sum(map(is_doubtful, asked(found, 200))) == 100


def test_where_few_are_sure_doubtful_ones_fill_the_plan() -> None:
    found = cases_of((30, F, "lexicon", F), (900, U, "none", F))
    assert sum(map(is_doubtful, asked(found, 200))) == 170


def test_every_stratum_is_asked_about_and_large_ones_more() -> None:
    found = cases_of((2500, M, "lexicon", M), (400, M, "lexicon", F), (100, F, "lexicon", F), (4, N, "lexicon", F))
    numbers = Counter(kind(case.verdict) for case in asked(found, 200))
    assert len(numbers) == 4
    # As the roots of their sizes: 50, 20, 10 and 2.
    assert list(numbers.values()) == pytest.approx([122, 49, 24, 5], abs=2)


def test_a_review_broken_off_has_a_random_sample_of_every_stratum() -> None:
    found = cases_of((1000, F, "lexicon", F))
    ids = [int(case.key.id) for case in asked(found, 200)]
    assert ids != sorted(ids)
    assert 420 < sum(ids) / len(ids) < 580
    assert 350 < sum(ids[:60]) / 60 < 650


def test_everybody_is_asked_the_same_in_the_same_order_however_the_run_is_read() -> None:
    found = cases_of((300, F, "lexicon", F), (100, U, "none", M))
    assert queue(found, 200) == queue(found[::-1], 200) == queue(found, 200)


def test_another_detector_draws_another_sample() -> None:
    one, other = (
        [case.key for case in asked(cases_of((500, F, "lexicon", F), signature=name), 100)] for name in ("s", "t")
    )
    assert len(set(one) & set(other)) < 50


def test_each_set_language_and_detector_has_a_plan_of_its_own() -> None:
    both = cases_of((500, F, "lexicon", F), signature="a") + cases_of((50, U, "none", F), signature="b")
    order, planned = queue(both, 100)
    assert planned == 150
    assert Counter(case.signature for case in order[:planned]) == {"a": 100, "b": 50}
    assert len(order) == len(both)
