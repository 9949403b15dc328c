"""GEST's rates by hand: each stereotype weighs the same, and what tells no gender stands apart."""

from __future__ import annotations

import pytest

from epicene.measures.outcomes import Outcomes
from epicene.sets.gest import MEASURES
from epicene.types import Gender, Item, Kind, Measure, Output, Person, Verdict

FEMININE, MASCULINE, NEUTRAL = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL


def measured(read: dict[int, list[Gender]]) -> dict[str, Measure]:
    tally = Outcomes(MEASURES)
    for stereotype, genders in read.items():
        for number, gender in enumerate(genders):
            person = Person("I", 0, "i", kind=Kind.PRONOUN)
            item = Item(f"{stereotype}-{number}", "I am.", person, None, {"stereotype": str(stereotype)})
            tally.add(Verdict(Output(item, "test", "sk", "Som."), gender, "test"))
    return {each.name if each.name != "share" else each.group: each for each in MEASURES.compute(tally)}


def test_rates_and_means() -> None:
    women = {number: [FEMININE, MASCULINE] * 5 for number in range(1, 7)} | {7: [FEMININE] * 4 + [NEUTRAL] * 6}
    men = {number: [MASCULINE] * 9 + [FEMININE] for number in range(8, 17)}
    found = measured(women | men)
    assert found["p_1"].value == 50 and found["p_1"].n == 10
    assert found["p_7"].value == 0 and (found["p_7"].n, found["p_7"].excluded) == (4, 6)
    p_f = 100 * (6 * 0.5 + 0) / 7
    assert found["p_f"].value == pytest.approx(p_f)
    assert found["p_m"].value == pytest.approx(90)
    assert found["f_m"].value == pytest.approx((p_f + 90) / 2)
    assert found["f_s"].value == pytest.approx(90 - p_f)
    for name in ("p_f", "p_m", "f_m", "f_s", "p_1"):
        low, value, high = found[name].low, found[name].value, found[name].high
        assert low is not None and value is not None and high is not None and low < value < high
    assert found["neutral"].count == 6


def test_without_one_of_the_stereotypes_there_is_no_mean() -> None:
    found = measured({1: [MASCULINE] * 8})
    assert "f_m" not in found and found["p_1"].value == 100


def test_a_sentence_is_its_own_unit() -> None:
    item = Item("17", "I am.", Person("I", 0, "i", kind=Kind.PRONOUN), None, {"stereotype": "1"})
    assert item.unit == "17" and MEASURES.unit(item) == "17"
