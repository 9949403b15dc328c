"""WinoMT's accuracy tells how sure it is, also where every sentence fares alike."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from epicene.measures.families import winomt
from epicene.measures.tally import Tally
from epicene.types import Gender, Item, Output, Person, Verdict

SENTENCE = "The nurse said that they were late."


def _tally(read: Gender, count: int) -> Tally:
    """Neutral sentences about ten occupations, all read alike."""
    tally = Tally(winomt.key)
    for number in range(count):
        labels = {"subset": "winogender", "occupation": f"nurse {number % 10}", "gold": "neutral"}
        item = Item(str(number), SENTENCE, Person("nurse", 4, "nurse"), Gender.NEUTRAL, labels)
        tally.add(Verdict(Output(item, "s", "es", "La enfermera."), read, "test"))
    return tally


@pytest.mark.parametrize(("read", "value"), [(Gender.FEMININE, 0), (Gender.NEUTRAL, 100)])
def test_occupations_that_fare_alike_leave_an_interval(read: Gender, value: float) -> None:
    found = next(each for each in winomt.measures(_tally(read, 20)) if each.group == "neutral")
    independent = binomtest(found.count or 0, 20).proportion_ci(method="wilson")
    assert (found.value, found.n) == (value, 20)
    assert found.low is not None and found.high is not None
    # As wide as that of independent sentences, or a little wider: nothing tells how alike those of an occupation are.
    assert found.low <= 100 * independent.low and found.high >= 100 * independent.high
    assert found.high - found.low < 1.5 * 100 * (independent.high - independent.low)


def test_a_right_gender_on_another_word_is_counted_apart() -> None:
    tally = Tally(winomt.key)
    for number in range(40):
        labels = {"subset": "anti", "occupation": f"job {number % 10}", "gold": "female"}
        item = Item(str(number), SENTENCE, Person("nurse", 4, "nurse"), Gender.FEMININE, labels)
        step = "other-word" if number < 10 else "lexicon"
        tally.add(Verdict(Output(item, "s", "es", "La enfermera."), Gender.FEMININE, step))
    found = {(each.name, each.group): each for each in winomt.measures(tally)}
    assert found["accuracy", "all"].value == 75
    assert found["other_word", "all"].value == 25
    assert found["f1", "female"].value == 75
