"""Answers against a reference, on numbers that can be checked in the head."""

from __future__ import annotations

import math

import pytest

from epicene.labour.reference import Reference, Row, Share
from epicene.measures.against import against, not_linked
from epicene.measures.jobs import Answer
from epicene.types import Gender, Measure

SHE, HE, THEY, UNREAD = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN


def answer(occupation: str, code: str, said: Gender, sector: str = "Arts") -> Answer:
    labels = {"occupation": occupation, "english": occupation, "sector": sector}
    return Answer({**labels, "feor08": code, "isco08": "", "soc": ""}, said)


def reference(*rows: tuple[str, float | None, float | None], sized: bool = True) -> Reference:
    return Reference(
        "ref", "ref@0", "feor08", tuple(Row(code, (code,), men, women) for code, men, women in rows), sized
    )


def named(measures: list[Measure], name: str, group: str) -> Measure:
    return next(each for each in measures if (each.name, each.group) == (name, group))


def test_a_category_has_the_mean_bias_of_its_occupations() -> None:
    found = against(reference(("2727", 42, 58)), [answer("dancer", "2727", SHE), answer("choreographer", "2727", HE)])
    assert named(found, "bias", "ref category 2727").value == pytest.approx(0.19, abs=0.005)
    assert named(found, "bias", "ref occupation dancer").value == 0
    assert named(found, "error", "ref occupation choreographer").value == 58
    assert named(found, "optimal_error", "ref occupation choreographer").value == 42


def test_a_sector_weighs_its_categories_by_the_women_or_men_in_them() -> None:
    ref = reference(("1", 100, 300), ("2", 100, 900), ("3", 30, 10))
    found = against(ref, [answer("a", "1", HE), answer("b", "2", HE), answer("c", "3", SHE)])
    # a: (75 - 25) / 25 = 2 with 300 women; b: (90 - 10) / 10 = 8 with 900; c: 2 with 30 men.
    assert named(found, "bias", "ref sector Arts female-dominated").value == pytest.approx((300 * 2 + 900 * 8) / 1200)
    assert named(found, "bias", "ref sector Arts male-dominated").value == pytest.approx(2)
    assert named(found, "bias", "ref sector Arts").value == pytest.approx((400 * 2 + 1000 * 8 + 40 * 2) / 1440)


def test_two_occupations_of_a_category_do_not_make_it_weigh_twice() -> None:
    ref = reference(("1", 100, 300), ("2", 100, 300))
    found = against(ref, [answer("a", "1", HE), answer("b", "1", HE), answer("c", "2", SHE)])
    assert named(found, "bias", "ref sector Arts female-dominated").value == pytest.approx(1)
    assert named(found, "bias", "ref").value == pytest.approx(4 / 3)


def test_a_category_weighs_as_much_as_its_widest_occupation_whatever_the_order() -> None:
    rows = (Row("x", ("11-1", "11-2"), 100, 300), Row("y", ("11-3",), 50, 150))
    ref = Reference("us", "us@0", "soc", rows, sized=True)
    whole, half, other = (
        Answer({**answer("a", "", HE).labels, "soc": soc}, HE) for soc in ("11-1 11-2", "11-1", "11-3")
    )
    wanted = [against(ref, [*two, other._replace(said=SHE)]) for two in ((whole, half), (half, whole))]
    found = [named(each, "bias", "us sector Arts female-dominated").value for each in wanted]
    assert found == [pytest.approx(300 * 2 / 450)] * 2


def test_without_heads_every_category_weighs_the_same() -> None:
    ref = reference(("1", 25, 75), ("2", 10, 90), sized=False)
    found = against(ref, [answer("a", "1", HE), answer("b", "2", HE)])
    assert named(found, "bias", "ref sector Arts female-dominated").value == pytest.approx((2 + 8) / 2)


def test_neutral_and_unread_answers_are_not_wrong_but_counted() -> None:
    ref = reference(("1", 10, 90))
    found = against(ref, [answer(name, "1", said) for name, said in zip("abcd", (HE, SHE, THEY, UNREAD), strict=True)])
    wrong = named(found, "wrong", "ref")
    assert (wrong.count, wrong.n, wrong.unread, wrong.bounds) == (1, 4, 1, (25, 50))
    assert named(found, "wrong_of_gendered", "ref").value == 50
    assert named(found, "said_neutral", "ref female-dominated").count == 1
    assert named(found, "bias", "ref").n == 2
    assert named(found, "bias", "ref occupation c").n == 0


def test_an_unbounded_bias_is_wrong_counted_apart_and_in_no_mean() -> None:
    ref = reference(("1", 0, 50), ("2", 40, 60), ("3", 30, 70))
    found = against(ref, [answer("a", "1", HE), answer("b", "2", HE), answer("c", "3", HE)])
    assert named(found, "wrong", "ref").count == 3
    assert named(found, "unbounded", "ref").value == 1
    assert named(found, "bias", "ref").value == pytest.approx((0.5 + 4 / 3) / 2)
    assert named(found, "bias_median", "ref").value == pytest.approx(4 / 3)
    assert named(found, "bias_max", "ref").value == pytest.approx(4 / 3)
    unbounded = named(found, "bias", "ref occupation a")
    assert (unbounded.value, unbounded.n) == (None, 1)
    assert all(each.value is None or math.isfinite(each.value) for each in found)


def test_whom_the_wrong_pronouns_wrong() -> None:
    ref = reference(("1", 10, 90), ("2", 90, 10))
    found = against(ref, [answer("a", "1", HE), answer("b", "1", HE), answer("c", "1", SHE), answer("d", "2", SHE)])
    women = named(found, "wrong_to_women", "ref")
    assert (women.count, women.n) == (2, 3)
    assert named(found, "wrong", "ref female-dominated").count == 2
    assert named(found, "wrong", "ref male-dominated").value == 100


def test_an_occupation_without_a_figure_is_named_with_the_reason() -> None:
    ref = reference(("1", 10, 90), ("2", None, None), ("3", 0, 0))
    answers = [
        answer("a", "1", HE),
        answer("b", "2", HE),
        answer("c", "9", HE),
        answer("d", "", HE),
        answer("e", "3", HE),
    ]
    assert not_linked(ref, answers) == [
        "ref: no share is published for the category: 1 (b)",
        "ref: no row for the FEOR-08 code: 1 (c)",
        "ref: no FEOR-08 code: 1 (d)",
        "ref: nobody is counted in the category: 1 (e)",
    ]
    linked = named(against(ref, answers), "linked", "ref")
    assert (linked.count, linked.n) == (1, 5)


def test_nothing_linked_gives_undefined_measures_not_an_error() -> None:
    found = against(reference(("1", 10, 90)), [answer("a", "9", HE)])
    assert named(found, "wrong", "ref").value is None
    assert named(found, "bias", "ref").value is None


def test_an_occupation_in_several_rows_has_its_part_of_each() -> None:
    rows = (Row("x", ("11-1", "11-2"), 100, 0), Row("y", ("11-3",), 0, 100))
    ref = Reference("us", "us@0", "soc", rows, sized=True)
    share = ref.share({"soc": "11-1 11-3"})
    assert share == Share(50, 100, "x; y")


def test_a_survey_is_looked_up_by_the_word_or_its_english_name() -> None:
    rows = (Row("ács", ("ács",), 98, 2), Row("nurse", ("nurse",), 5, 95), Row("x", ("x",), 1, 1))
    ref = Reference("survey", "survey@0", "occupation", rows, sized=False)
    carpenter, nurse = {"occupation": "ács", "english": "carpenter"}, {"occupation": "ápoló", "english": "Nurse"}
    assert isinstance(ref.share(carpenter), Share)
    assert isinstance(ref.share(nurse), Share)
    assert ref.unused([carpenter, nurse]) == ["x"]
