"""SimpleGEN's rates and gaps over occupations, and what stands on another person's word."""

from __future__ import annotations

import numpy as np
import pytest

from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import Outcome
from epicene.sets import simplegen
from epicene.types import Gender, Item, Measure, Output, Person, Verdict

MALE = [f"m{number}" for number in range(11)]
FEMALE = [f"f{number}" for number in range(7)]
RATES = {"MOMC": 0.9, "MOFC": 0.45, "FOFC": 0.75, "FOMC": 0.8}


def verdict(group: str, occupation: str, number: int, right: bool, step: str = "lexicon") -> Verdict:
    expected, other = (Gender.MASCULINE, Gender.FEMININE)[:: 1 if group.endswith("MC") else -1]
    labels = {"group": group, "occupation": occupation}
    item = Item(f"{group} {occupation} {number}", "", Person(occupation, 0, occupation), expected, labels)
    return Verdict(Output(item, "s", "de", "text"), expected if right else other, step)


def tallied(spread: float, seed: int = 1) -> Outcomes:
    """A system whose occupations differ so much."""
    rng, tally = np.random.default_rng(seed), Outcomes(simplegen.MEASURES)
    for group, rate in RATES.items():
        for occupation in MALE if group[:2] == "MO" else FEMALE:
            own = float(np.clip(rng.normal(rate, spread), 0, 1))
            for number in range(74):
                tally.add(verdict(group, occupation, number, bool(rng.random() < own)))
    return tally


def width(measures: list[Measure], name: str, group: str) -> float:
    found = next(each for each in measures if (each.name, each.group) == (name, group))
    assert found.low is not None and found.high is not None
    return found.high - found.low


def test_group_rates_are_as_uncertain_as_their_occupations() -> None:
    """Over sentences the interval of 518 is 8 points wide; occupations that differ by 30 points make it wider."""
    assert width(simplegen.MEASURES.compute(tallied(0.3)), "correct", "FOFC") > 25


def test_gaps_are_narrow_where_occupations_of_a_stratum_agree() -> None:
    found = simplegen.MEASURES.compute(tallied(0.0))
    assert width(found, "delta", "pro-anti") < 9


def test_a_right_gender_on_another_word_is_not_correct() -> None:
    tally = Outcomes(simplegen.MEASURES)
    for place, occupation in enumerate(MALE * 4):
        tally.add(verdict("MOFC", occupation, place, right=True, step="other-word"))
    found = {(each.name, each.group): each for each in simplegen.MEASURES.compute(tally)}
    assert found["correct", "MOFC"].value == 0
    assert found["wrong", "MOFC"].value == 0
    assert found["other_word", "MOFC"].value == 100
    assert found["other_word", "MOFC"].detail is None


def test_outcomes_add_up_and_an_unused_one_is_not_printed() -> None:
    names = [rate.name for rate in simplegen.MEASURES.rates]
    found = [each for each in simplegen.MEASURES.compute(tallied(0.1)) if each.group == "all" and each.name in names]
    assert sum(each.value or 0 for each in found) == 100
    assert [each.name for each in found if each.detail] == ["other_word"]


def test_gaps_are_what_stereotypes_gain() -> None:
    """Women's occupations are right of women and men's of men alone: every gap is +100, however it is named."""
    tally = Outcomes(simplegen.MEASURES)
    for group in RATES:
        for occupation in MALE if group[:2] == "MO" else FEMALE:
            tally.add(verdict(group, occupation, 1, right=group in ("MOMC", "FOFC")))
    found = {each.name: (each.group, each.value) for each in simplegen.MEASURES.compute(tally) if each.unit == "points"}
    assert found == {
        "delta": ("pro-anti", 100),
        "delta_fc": ("FOFC-MOFC", 100),
        "delta_mc": ("MOMC-FOMC", 100),
    }


@pytest.mark.parametrize(
    ("gender", "elsewhere", "outcome"),
    [
        (Gender.FEMININE, False, "correct"),
        (Gender.FEMININE, True, "other_word"),
        (Gender.MASCULINE, False, "wrong"),
        (Gender.NEUTRAL, False, "inconclusive"),
        (Gender.UNKNOWN, False, "inconclusive"),
    ],
)
def test_what_names_no_gender_is_inconclusive_rather_than_wrong(gender: Gender, elsewhere: bool, outcome: str) -> None:
    read = Outcome(Gender.FEMININE, gender, elsewhere)
    assert [rate.name for rate in simplegen.MEASURES.rates if rate.counted(read)] == [outcome]


def test_rates_say_how_many_sentences_could_not_be_read() -> None:
    tally = tallied(0.0)
    tally.add(verdict("FOFC", FEMALE[0], 99, right=True)._replace(gender=Gender.UNKNOWN))
    found = {(each.name, each.group): each.undetected for each in simplegen.MEASURES.compute(tally)}
    assert (found["correct", "FOFC"], found["wrong", "pro"], found["correct", "MOFC"]) == (1, 1, 0)
    assert found["inconclusive", "FOFC"] is None  # they are counted there


def test_an_occupation_is_drawn_among_those_that_the_same_people_dominate() -> None:
    item = verdict("MOFC", MALE[0], 1, right=True).output.item
    assert simplegen.MEASURES.stratum(item) == "MO"
    assert simplegen.MEASURES.groups(item) == ("MOFC", "anti", "all")
