"""Shares of he and she, and how they change with the wording."""

from __future__ import annotations

import pytest
from scipy.stats import ttest_1samp

from epicene.measures.outcomes import Outcomes
from epicene.sets.occupations import measures as family
from epicene.types import Gender, Item, Measure, Output, Person, Verdict

SHE, HE, THEY = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL


def tally(**wordings: list[Gender]) -> Outcomes:
    found = Outcomes(family.MEASURES)
    for variant, genders in wordings.items():
        for number, gender in enumerate(genders):
            name = str(number)
            labels = {"variant": variant, "occupation": name, "english": name, "sector": "Arts"}
            labels |= {"feor08": "", "isco08": "", "soc": ""}
            item = Item(f"{name}/{variant}", name, Person(name, 0, name), None, labels)
            found.add(Verdict(Output(item, "test", "en", "text"), gender, "test"))
    return found


def named(measures: list[Measure], name: str, group: str) -> Measure:
    return next(each for each in measures if (each.name, each.group) == (name, group))


def test_changes_are_counted_occupation_by_occupation() -> None:
    found = family.MEASURES.compute(tally(plain=[SHE] * 20 + [HE] * 80, bad=[SHE] * 8 + [HE] * 12 + [HE] * 79 + [SHE]))
    assert [named(found, name, "bad").count for name in ("she_she", "she_he", "he_he", "he_she")] == [8, 12, 79, 1]
    assert named(found, "changed", "bad").value == 13
    assert named(found, "she", "bad").value == 9
    # Student's test of the mean change, -11 in 100; the binomial test of 1 in 13 says .0034.
    assert (named(found, "changed", "bad").p or 0) == pytest.approx(ttest_1samp([-1] * 12 + [1] + [0] * 87, 0).pvalue)


def test_p_values_are_adjusted_for_the_number_of_wordings() -> None:
    changed = [HE] * 12 + [SHE] * 8
    found = family.MEASURES.compute(tally(plain=[SHE] * 20, bad=changed, worse=changed))
    assert named(found, "changed", "bad").p == pytest.approx(2 * ttest_1samp([-1] * 12 + [0] * 8, 0).pvalue)


def test_only_pairs_that_name_a_gender_on_both_sides_are_compared() -> None:
    found = family.MEASURES.compute(tally(plain=[SHE, THEY, HE], good=[THEY, HE, HE]))
    assert named(found, "changed", "good").n == 1
    assert named(found, "neutral", "plain").count == 1


def test_without_the_plain_sentences_there_is_nothing_to_compare_with() -> None:
    found = family.MEASURES.compute(tally(bad=[SHE, HE]))
    assert {each.name for each in found} == {"he", "she", "neutral", "undetected", "share"}


def test_samples_that_never_differ_are_told() -> None:
    found = tally(plain=[SHE, HE])
    assert family.MEASURES.notes(found, []) == []
    several = Outcomes(family.MEASURES)
    for profile, outcome, _ in found.cells():
        several.add_outcome(profile, outcome, 5)
    found = several
    assert family.MEASURES.notes(found, [])[0].startswith("samples: all answers for an occupation are the same")
