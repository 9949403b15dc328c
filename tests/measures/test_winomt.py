"""WinoMT's accuracy tells how sure it is, also where every sentence fares alike."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from epicene.measures.outcomes import Outcomes
from epicene.sets import winomt
from epicene.types import Gender, Item, Output, Person, Verdict

SENTENCE = "The nurse said that they were late."


def _tally(read: Gender, count: int) -> Outcomes:
    """Neutral sentences about ten occupations, all read alike."""
    tally = Outcomes(winomt.MEASURES)
    for number in range(count):
        labels = {"subset": "winogender", "occupation": f"nurse {number % 10}", "gold": "neutral"}
        item = Item(str(number), SENTENCE, Person("nurse", 4, "nurse"), Gender.NEUTRAL, labels)
        tally.add(Verdict(Output(item, "s", "es", "La enfermera."), read, "test"))
    return tally


@pytest.mark.parametrize(("read", "value"), [(Gender.FEMININE, 0), (Gender.NEUTRAL, 100)])
def test_occupations_that_fare_alike_leave_an_interval(read: Gender, value: float) -> None:
    found = next(each for each in winomt.MEASURES.compute(_tally(read, 20)) if each.group == "neutral")
    independent = binomtest(found.count or 0, 20).proportion_ci(method="wilson")
    assert (found.value, found.n) == (value, 20)
    assert found.low is not None and found.high is not None
    # As wide as that of independent sentences, or a little wider: nothing tells how alike those of an occupation are.
    assert found.low <= 100 * independent.low and found.high >= 100 * independent.high
    assert found.high - found.low < 1.5 * 100 * (independent.high - independent.low)


def test_a_right_gender_on_another_word_is_counted_apart() -> None:
    tally = Outcomes(winomt.MEASURES)
    for number in range(40):
        labels = {"subset": "anti", "occupation": f"job {number % 10}", "gold": "female"}
        item = Item(str(number), SENTENCE, Person("nurse", 4, "nurse"), Gender.FEMININE, labels)
        step = "other-word" if number < 10 else "lexicon"
        tally.add(Verdict(Output(item, "s", "es", "La enfermera."), Gender.FEMININE, step))
    found = {(each.name, each.group): each for each in winomt.MEASURES.compute(tally)}
    assert found["accuracy", "all"].value == 75
    assert found["other_word", "all"].value == 25
    assert found["f1", "female"].value == 75


def _verdict(number: int, subset: str, expected: Gender, read: Gender) -> Verdict:
    gold = {Gender.MASCULINE: "male", Gender.FEMININE: "female", Gender.NEUTRAL: "neutral"}[expected]
    labels = {"subset": subset, "occupation": f"job {number % 10}", "gold": gold}
    item = Item(f"{number} {subset} {gold}", SENTENCE, Person("nurse", 4, "nurse"), expected, labels)
    return Verdict(Output(item, "s", "es", "La enfermera."), read, "lexicon")


def test_a_system_that_follows_stereotypes_has_a_positive_delta_s() -> None:
    tally = Outcomes(winomt.MEASURES)
    for number in range(20):
        tally.add(_verdict(number, "pro", Gender.MASCULINE, Gender.MASCULINE))
        tally.add(_verdict(number, "anti", Gender.FEMININE, Gender.MASCULINE))
    found = {(each.name, each.group): each.value for each in winomt.MEASURES.compute(tally)}
    assert (found["accuracy", "pro"], found["accuracy", "anti"]) == (100, 0)
    assert found["delta_s", "pro-anti"] == 100


def test_a_system_that_says_he_too_often_has_a_positive_delta_g() -> None:
    tally = Outcomes(winomt.MEASURES)
    for number in range(20):
        tally.add(_verdict(number, "pro", Gender.MASCULINE, Gender.MASCULINE))
        tally.add(_verdict(number, "anti", Gender.FEMININE, (Gender.FEMININE, Gender.MASCULINE)[number % 2]))
    found = {(each.name, each.group): each.value for each in winomt.MEASURES.compute(tally)}
    # 20 of 20 men among 30 read as such, 10 of 20 women among 10: F1 is 40/50 and 20/30.
    assert found["f1", "male"] == pytest.approx(80)
    assert found["f1", "female"] == pytest.approx(66.67, abs=0.01)
    assert found["delta_g", "male-female"] == pytest.approx(13.33, abs=0.01)


def test_a_rate_says_how_many_of_its_sentences_could_not_be_read() -> None:
    tally = Outcomes(winomt.MEASURES)
    for number in range(20):
        tally.add(_verdict(number, "pro", Gender.MASCULINE, Gender.UNKNOWN if number < 3 else Gender.MASCULINE))
        tally.add(_verdict(number, "anti", Gender.FEMININE, Gender.FEMININE))
    found = {each.group: each.undetected for each in winomt.MEASURES.compute(tally) if each.name == "accuracy"}
    assert (found["all"], found["male"], found["pro"], found["anti"]) == (3, 3, 3, 0)


@pytest.mark.parametrize(
    ("subset", "expected", "groups", "stereotype"),
    [
        ("pro", Gender.MASCULINE, ("all", "male", "pro"), "masculine"),
        ("anti", Gender.MASCULINE, ("all", "male", "anti"), "feminine"),
        ("anti", Gender.FEMININE, ("all", "female", "anti"), "masculine"),
        ("winogender", Gender.FEMININE, ("all", "female"), ""),
        ("winogender", Gender.NEUTRAL, ("all", "neutral"), ""),
    ],
)
def test_the_subset_tells_the_stereotype_of_an_occupation(
    subset: str, expected: Gender, groups: tuple[str, ...], stereotype: str
) -> None:
    item = _verdict(1, subset, expected, expected).output.item
    assert (winomt.MEASURES.groups(item), winomt.MEASURES.stratum(item)) == (groups, stereotype)
