"""The sentence on top says what the counts say."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epicene.measures.breakdown import break_down
from epicene.measures.claims import Claim
from epicene.measures.outcomes import Outcome, Outcomes, Profile
from epicene.output.page.headline import headline, in_full, often
from epicene.result import Result
from epicene.sets import page_words
from epicene.sets.about import PageWords
from epicene.sets.custom import MEASURES
from epicene.sets.mt_geneval import MEASURES as PAIRS
from epicene.stats.rates import wilson
from epicene.types import Gender, Item, Measure, Output, Person, Verdict

F, M, N, U = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN


def counts(**cells: int) -> Result:
    """``fm=4`` is four sentences that expect the feminine and read as masculine; ``o`` leaves it open."""
    genders = {"f": F, "m": M, "n": N, "u": U, "o": None}
    outcomes = Outcomes(MEASURES)
    for cell, number in cells.items():
        for _ in range(number):
            unit = str(len(outcomes))
            outcomes.add_outcome(Profile(("all",), unit, ""), Outcome(genders[cell[0]], genders[cell[1]] or U))
    measures = tuple(MEASURES.compute(outcomes))
    return Result("custom", "en-de", "s", "epicene", "s", len(outcomes), outcomes.genders(), 0, measures)


def rate(count: int, n: int) -> Claim:
    """A rate over independent sentences."""
    low, high = (100 * end for end in wilson(count, n))
    return Claim(Measure("misgendered", "female", 100 * count / n, "%", n, count, low, high, undetected=0), "", "", "")


def test_the_sentence_of_the_design() -> None:
    found = headline([page_words("simplegen")], [counts(fm=40, ff=60, mf=1, mm=99)])
    assert str(found) == (
        "When the sentence says she, this system writes a man in 40 of 100 cases; when it says he, a woman in 1 of 100."
    )
    assert ("she", "em") in found.pieces
    assert ("40 of 100 cases", "strong") in found.pieces


@pytest.mark.parametrize(
    ("name", "start"), [("winomt", "When the pronoun is she,"), ("custom", "When the sentence is about a woman,")]
)
def test_every_family_has_its_own_words(name: str, start: str) -> None:
    assert str(headline([page_words(name)], [counts(fm=1, ff=1)])).startswith(start)


def test_several_results_give_the_least_and_the_most() -> None:
    found = headline([page_words("winomt")] * 2, [counts(fm=30, ff=70, mm=10), counts(fm=60, ff=40, mm=10)], ["a", "b"])
    assert str(found) == (
        "When the pronoun is she, these systems write a man in 3 to 6 of 10 cases; when it is he, a woman in no case."
    )


def test_one_system_in_several_languages_is_one_system() -> None:
    found = headline([page_words("winomt")] * 2, [counts(fm=30, ff=70), counts(fm=60, ff=40)])
    assert str(found) == "When the pronoun is she, this system writes a man in 3 to 6 of 10 cases."


def test_the_numbers_behind_the_sentence_have_their_intervals() -> None:
    found = in_full(counts(fm=40, ff=60, mf=1, mm=99)).replace("\u00a0", " ")
    assert found == (
        "Women are written as men in 40.0 % of 100 sentences (95 % interval 30.8 to 50.1 %), "
        "men as women in 1.0 % of 100 sentences (95 % interval 0.3 to 7.3 %)."
    )


def test_results_of_several_families_share_plain_words() -> None:
    found = headline([page_words("winomt"), page_words("simplegen")], [counts(fm=1, ff=1)] * 2)
    assert str(found).startswith("When the sentence is about a woman,")


def test_sentences_that_leave_the_gender_open() -> None:
    found = headline([PageWords()], [counts(om=70, of=10, on=20)])
    assert str(found) == (
        "Where the sentence leaves the gender open, this system writes a man in 7 of 10 cases and a woman in 1 of 10 cases."
    )


@pytest.mark.parametrize(
    ("count", "n", "words"),
    [
        (0, 814, "none of 814 cases"),
        (814, 814, "all 814 cases"),
        (1, 814, "1 of 1,000 cases"),
        (20, 814, "2 of 100 cases"),
        (500, 814, "6 of 10 cases"),
        (518, 814, "64 of 100 cases"),  # 60.3 to 66.9 %, so 6 of 10 would be too few
        (36, 80, "4 of 10 cases"),  # 34.6 to 55.9 %
        (455, 1000, "46 of 100 cases"),  # 42.4 to 48.6 %, so 5 of 10 would be too many
        (9970, 10000, "997 of 1,000 cases"),
        (9999, 10000, "more than 999 of 1,000 cases"),
        (0, 1, "none of 1 case"),
        (1, 1, "every case"),
        (794, 814, "98 of 100 cases"),
        (1, 9000, "fewer than 1 of 1,000 cases"),
    ],
)
def test_how_often_in_words(count: int, n: int, words: str) -> None:
    assert often([rate(count, n)]) == words


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (rate(300, 1000), rate(600, 1000), "3 to 6 of 10 cases"),
        (rate(340, 1000), rate(600, 1000), "34 to 60 of 100 cases"),
        (rate(0, 1000), rate(600, 1000), "0 to 6 of 10 cases"),
        (rate(3, 1000), rate(600, 1000), "fewer than 1 to 60 of 100 cases"),
        (rate(600, 1000), rate(998, 1000), "60 to more than 99 of 100 cases"),
        (rate(600, 1000), rate(1000, 1000), "6 to 10 of 10 cases"),
        (rate(0, 10), rate(0, 20), "no case"),
    ],
)
def test_a_span_in_words(least: Claim, most: Claim, words: str) -> None:
    assert often([least, most]) == often([most, least]) == words


@given(st.integers(2, 5000), st.data())
def test_what_is_said_lies_in_the_interval(n: int, data: st.DataObject) -> None:
    drawn = rate(data.draw(st.integers(1, n - 1)), n)
    low, high = drawn.interval or (0, 0)
    said = re.fullmatch(r"(?:(fewer|more) than )?([\d,]+) of ([\d,]+) cases", often([drawn]))
    assert said
    part, whole = (float(number.replace(",", "")) for number in said.groups()[1:])
    share = 100 * part / whole
    if said[1]:
        assert share > drawn.value if said[1] == "fewer" else share < drawn.value
    else:
        assert low <= share <= high or abs(share - drawn.value) <= 0.05


def test_what_could_not_be_read_is_not_said_to_be_right() -> None:
    # Half of the women are unread: they may all be written as men, or none of them.
    found = headline([page_words("simplegen")], [counts(fm=30, ff=20, fu=50, mm=100)])
    assert str(found) == (
        "When the sentence says she, this system writes a man in 3 to 8 of 10 cases; when it says he, a woman in none of 100."
    )
    full = in_full(counts(fm=30, ff=20, fu=50, mm=100)).replace("\u00a0", " ")
    assert "30.0 % of 100 sentences (95 % interval 21.9 to 40.0 %; up to 80.0 % with the unread)" in full


def test_where_nothing_could_be_read_nothing_is_claimed() -> None:
    for unread in (counts(fu=40, mu=60), counts(ou=100)):
        assert str(headline([page_words("simplegen")], [unread])) == (
            "None of the 100 translations could be read, so nothing can be said about them."
        )
        assert in_full(unread) == ""


def test_charts_name_the_words_of_paired_sentences_and_intervals_keep_the_pairs() -> None:
    verdicts = []
    for number in range(6):
        for gender in (F, M):
            person = Person("baker" if number < 3 else "she", 0, "baker" if number < 3 else "she")
            item = Item(f"{gender}{number}", "x", person, gender, {"pair": str(number)})
            verdicts.append(Verdict(Output(item, "test", "de", "x"), M, "lexicon"))
    assert list(break_down(verdicts).occupations) == ["baker", "she"]
    assert len(Outcomes.of(PAIRS, verdicts).clusters.rows) == 6
