"""Answers against a reference, on numbers that can be checked in the head."""

from __future__ import annotations

import json
import math
import random
from statistics import NormalDist

import pytest
from scipy.stats import pearsonr

from epicene.labour.reference import Reference, Row, Share
from epicene.sets.occupations.against import against, not_linked
from epicene.sets.occupations.jobs import Answer, joined, judged, women_of
from epicene.sets.occupations.redrawn import spreads
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
    assert (wrong.count, wrong.n, wrong.undetected, wrong.bounds) == (1, 4, 1, (25, 50))
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


def test_an_uncertain_reference_of_other_jobs_gives_undefined_measures_too() -> None:
    ref = Reference("ref", "ref@0", "feor08", (Row("9", ("9",), 10, 10, 5.0),), sized=False)
    measures = against(ref, [answer("a", "1", HE)])
    assert named(measures, "linked", "ref").count == 0
    assert named(measures, "wrong", "ref").value is None


def test_an_occupation_in_several_rows_has_its_part_of_each() -> None:
    rows = (Row("x", ("11-1", "11-2"), 100, 0), Row("y", ("11-3",), 0, 100))
    ref = Reference("us", "us@0", "soc", rows, sized=True)
    share = ref.share({"soc": "11-1 11-3"})
    assert share == Share(50, 100, "x; y")
    assert isinstance(share, Share)
    assert share.parts == ((0, pytest.approx(1 / 3)), (1, pytest.approx(2 / 3)))


def test_a_survey_is_looked_up_by_the_word_or_its_english_name() -> None:
    rows = (Row("ács", ("ács",), 98, 2), Row("nurse", ("nurse",), 5, 95), Row("x", ("x",), 1, 1))
    ref = Reference("survey", "survey@0", "occupation", rows, sized=False)
    carpenter, nurse = {"occupation": "ács", "english": "carpenter"}, {"occupation": "ápoló", "english": "Nurse"}
    assert isinstance(ref.share(carpenter), Share)
    assert isinstance(ref.share(nurse), Share)
    assert ref.unused([carpenter, nurse]) == ["x"]


def uncertain(error: float, categories: int = 40) -> tuple[Reference, list[Answer]]:
    """Forty categories with 30 to 70 % women, each with two jobs; he of all but every fifth."""
    rows = tuple(Row(str(code), (str(code),), 70.0 - code, 30.0 + code, error) for code in range(categories))
    jobs = [
        answer(f"{code}{twin}", str(code), SHE if (code + place) % 5 == 0 else HE)
        for code in range(categories)
        for place, twin in enumerate("ab")
    ]
    return Reference("ref", "ref@0", "feor08", rows, sized=False), jobs


def test_the_error_of_a_reference_widens_every_interval_and_moves_no_value() -> None:
    exact, doubtful = (against(*uncertain(error)) for error in (0.0, 6.0))
    for name in ("wrong", "wrong_of_gendered", "bias", "error", "optimal_error", "wrong_to_women", "bias_median"):
        one, other = named(exact, name, "ref"), named(doubtful, name, "ref")
        assert one.value == other.value
        assert None not in (one.low, one.high, other.low, other.high)
        assert (other.high or 0) - (other.low or 0) > (one.high or 0) - (one.low or 0)
    sector = (named(found, "bias", "ref sector Arts") for found in (exact, doubtful))
    narrow, wide = ((each.high or 0) - (each.low or 0) for each in sector)
    assert wide > narrow


def test_a_small_survey_gives_finite_intervals_and_valid_json() -> None:
    women = [2.0 + 96.0 * code / 39 for code in range(40)]
    rows = tuple(Row(str(code), (str(code),), 100 - share, share, 8.0) for code, share in enumerate(women))
    rows += (Row("nobody", ("nobody",), 100.0, 0.0, 0.0),)
    answers = [answer(f"job {row.name}", row.name, SHE if place % 2 else HE) for place, row in enumerate(rows)]
    answers.append(answer("job", "nobody", SHE))
    measures = against(Reference("ref", "ref@0", "feor08", rows, sized=False), answers)
    json.dumps([measure.as_dict() for measure in measures], allow_nan=False)
    for group in ("ref", "ref sector Arts"):
        measure = named(measures, "bias", group)
        assert measure.interval is not None
        assert (measure.high or 0) < 10  # a bias is in the mean only where the error bounds it
    middle = named(measures, "bias_median", "ref")
    assert (middle.interval, middle.why) == (None, "the upper end is unbounded")
    assert (middle.low or 0) < (middle.value or 0)


def random_reference(rng: random.Random) -> tuple[Reference, list[Answer]]:
    """A few to many categories, often nearly or wholly of one gender, with errors from none to a third; any answers."""
    rows, answers = [], []
    for code in map(str, range(rng.choice((5, 8, 20, 60)))):
        women = rng.choice((0.0, 100.0, rng.uniform(0, 100), 100 * rng.betavariate(0.2, 0.2), 1e-4, 100 - 1e-4))
        heads = rng.choice((1.0, 1e6, rng.lognormvariate(3, 3)))
        error = rng.choice((0.0, 0.01, 5.0, rng.uniform(0, 33)))
        rows.append(Row(code, (code,), heads * (100 - women), heads * women, error))
        sector = rng.choice("ABC")
        said = [rng.choice((SHE, HE, HE, THEY, UNREAD)) for _ in range(rng.randint(1, 3))]
        answers += [answer(f"{code}/{job}", code, each, sector) for job, each in enumerate(said)]
    return Reference("ref", "ref@0", "feor08", tuple(rows), sized=rng.random() < 0.5), answers


def test_no_reference_makes_an_endless_number() -> None:
    """Of 76 and 105, a median's upper end is unbounded; of 145, a share that is drawn anew may leave a bias so."""
    endless, reasons = [], set()
    for seed in (*range(25), 76, 105, 145):
        for each in against(*random_reference(random.Random(seed))):
            numbers = [number for number in (each.value, each.low, each.high) if number is not None]
            endless += [(seed, each) for number in numbers if not abs(number) < 1e6]
            if each.name == "bias" and not each.detail and each.value is not None and each.low is None:
                reasons.add(bool(each.why))
    assert (len(endless), reasons) == (0, {True})


def test_a_bias_that_the_error_of_the_reference_does_not_bound_is_in_no_mean() -> None:
    rows = (Row("1", ("1",), 2.0, 98.0, 1.5), Row("2", ("2",), 40.0, 60.0, 1.5))
    found = against(
        Reference("ref", "ref@0", "feor08", rows, sized=False), [answer("a", "1", HE), answer("b", "2", HE)]
    )
    assert named(found, "unbounded", "ref").value == 1
    assert (named(found, "bias", "ref").value, named(found, "bias", "ref").n) == (pytest.approx(0.5), 1)


def test_a_measure_that_is_not_finite_is_null_with_the_reason() -> None:
    record = Measure("bias", "ref", 1.0, "", 5, None, 0.5, math.inf).as_dict()
    assert record["high"] is None
    assert record["why"] == "not finite: high"


def test_the_interval_of_a_median_is_clustered_by_category() -> None:
    share = [55.0 + code for code in range(40)]
    rows = tuple(Row(str(code), (str(code),), 100 - women, women) for code, women in enumerate(share))
    ref = Reference("ref", "ref@0", "feor08", rows, sized=False)
    once = [answer(f"job {code}", str(code), HE) for code in range(40)]
    often = [answer(f"job {code} {twin}", str(code), HE) for code in range(40) for twin in range(10)]
    one, ten = (named(against(ref, answers), "bias_median", "ref") for answers in (once, often))
    assert one.value == ten.value
    # Ten occupations with the figure of one category say no more than one of them.
    assert ten.interval == pytest.approx(one.interval, rel=0.2)


def test_the_spread_of_wrong_answers_is_what_the_chance_of_each_majority_says() -> None:
    ref, answers = uncertain(6.0)
    jobs = joined(ref, answers)
    spread = spreads(ref, jobs, {})["wrong", "ref"]
    variance = 0.0
    for unit in {job.unit for job in jobs}:
        own = [job for job in jobs if job.unit == unit]
        share = own[0].women / 100
        # The share is drawn on the logit scale.
        women = NormalDist().cdf(math.log(share / (1 - share)) / (0.06 / (share * (1 - share))))
        change = sum(job.count(HE) - job.count(SHE) for job in own)
        variance += change**2 * women * (1 - women)
    assert spread == pytest.approx(100 * math.sqrt(variance) / len(answers), rel=0.1)


def test_the_correlation_is_pearsons_and_its_interval_holds_it() -> None:
    ref, answers = uncertain(0.0)
    found = named(against(ref, answers), "correlation", "ref")
    women = [30.0 + code for code in range(40) for _ in "ab"]
    she = [100.0 * (each.said is SHE) for each in answers]
    assert found.value == pytest.approx(pearsonr(women, she).statistic)
    assert (found.low or 0) < (found.value or 0) < (found.high or 0)
    assert named(against(ref, [each for each in answers if each.said is HE]), "correlation", "ref").value is None


def test_she_is_counted_by_tenths_of_women_and_near_even_jobs_apart() -> None:
    ref = reference(("1", 96, 4), ("2", 53, 47), ("3", 0, 10))
    found = against(ref, [answer("a", "1", HE), answer("b", "2", SHE), answer("c", "3", SHE), answer("d", "2", THEY)])
    groups = {each.group: (each.value, each.n) for each in found if each.name == "she_of_gendered" and each.n}
    assert groups == {"ref women 0–10 %": (0, 1), "ref women 40–50 %": (100, 1), "ref women 90–100 %": (100, 1)}
    near = named(found, "wrong", "ref near-even")
    assert (near.count, near.n) == (1, 2)


def test_an_answer_is_right_by_a_reference_if_it_names_the_majority_or_nobody() -> None:
    found = against(reference(("1", 20, 80)), [answer("a", "1", HE), answer("b", "1", SHE)])
    women = women_of(found)
    assert women == {"ref": {"a": 80, "b": 80}}
    labels = answer("a", "1", HE).labels
    said = {gender: judged(labels, gender, women) for gender in (SHE, HE, THEY, UNREAD)}
    assert {gender: [each.right for each in own] for gender, own in said.items()} == {
        SHE: [True], HE: [False], THEY: [True], UNREAD: [False],
    }  # fmt: skip
    assert said[SHE][0] == ("ref", True, ("ref", "ref female-dominated"), "1")
    assert judged({**labels, "occupation": "c"}, SHE, women) == []


def test_a_coarse_reference_says_so() -> None:
    notes = not_linked(reference(("1", 20, 80)), [answer(str(place), "1", HE) for place in range(6)])
    assert notes == ["ref: coarse: 6 occupations have the figures of 1 categories"]
