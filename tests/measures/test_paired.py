"""Comparisons count gains and losses over occupations, and the gate's answers follow from their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, t

from epicene.gate.rules import Judgement, judge_drops, judge_measure, worst
from epicene.measures.outcomes import Outcomes
from epicene.measures.paired import RARER, PairedTest, Shared, adjust_drops, compare_groups, compare_rarer
from epicene.measures.rates import FEMININE, RIGHT, UNDETECTED, Measures, Outcome, Profile
from epicene.stats.clustered import Share, gap
from epicene.stats.concentrated import bound_difference
from epicene.types import Gender, Measure

SET = Measures(lambda item: ())
WOMAN, MAN, UNKNOWN = Gender.FEMININE, Gender.MASCULINE, Gender.UNKNOWN
Sentence = tuple[str, Gender | None, Gender, tuple[str, ...]]  # cluster, what is expected and what was read, groups


def build(sentences: Sequence[Sentence], ids: Sequence[str] = ()) -> Outcomes:
    """How one system did."""
    outcomes = Outcomes(SET, paired=True)
    for number, (cluster, expected, gender, groups) in enumerate(sentences):
        name = ids[number] if ids else str(number)
        outcomes.add_outcome(Profile(groups, cluster, ""), Outcome(expected, gender), ids=[name])
    return outcomes


def stated(right: Sequence[bool], clusters: int = 10, missed: int = 0) -> Outcomes:
    """Sentences about women in turn of each cluster; of the first ones no gender is detected."""
    genders = [UNKNOWN if number < missed else WOMAN if one else MAN for number, one in enumerate(right)]
    return build([(str(i % clusters), WOMAN, gender, ("all",)) for i, gender in enumerate(genders)])


def change(before: int, after: int, n: int, clusters: int = 10) -> PairedTest:
    """So many sentences right, the same ones as far as they go."""
    (test,) = compare_groups(*(stated([i < right for i in range(n)], clusters) for right in (before, after)))
    return test


def answer(test: PairedTest, allowed: float) -> str:
    (judgement,) = judge_drops([test], allowed)
    return judgement.answer


def test_gains_and_losses_are_counted() -> None:
    found = change(80, 60, 100)
    assert (found.before, found.after, found.gained, found.lost) == (80, 60, 0, 20)
    assert found.difference == -20
    assert found.low is not None and found.high is not None
    assert found.low < -20 < found.high


def test_what_is_gained_is_not_what_is_lost() -> None:
    """Seven sentences turn right, or into women; two the other way: nowhere may the two be taken for each other."""
    for rate, expected in ((RIGHT, WOMAN), (FEMININE, None)):
        before, after = (
            build([(str(i % 8), expected, WOMAN if i in some else MAN, ("all",)) for i in range(64)])
            for some in (range(2), range(2, 9))
        )
        (test,) = compare_groups(before, after)
        assert (test.gained, test.lost, test.measure) == (7, 2, rate.name)
        assert test.difference == pytest.approx(100 * 5 / 64)
        assert (test.before, test.after) == pytest.approx((100 * 2 / 64, 100 * 7 / 64))
        (back,) = compare_groups(after, before)
        assert (back.gained, back.lost, back.difference) == (2, 7, pytest.approx(-test.difference))


def test_p_agrees_with_the_interval() -> None:
    for lost in range(0, 12):
        sides = ([(str(i // 10), WOMAN, WOMAN if i >= few else MAN, ("all",)) for i in range(100)] for few in (0, lost))
        (test,) = compare_groups(*map(build, sides))
        assert test.low is not None and test.high is not None and test.p is not None
        assert (test.p < 0.05) == (not test.low <= 0 <= test.high)


def test_what_one_occupation_lost_is_no_clear_change() -> None:
    """Twelve sentences of a single occupation turned wrong: McNemar's test over sentences says p = .0005."""
    sides = (
        [(str(i % 10), WOMAN, WOMAN if i % 10 or i >= few else MAN, ("all",)) for i in range(200)] for few in (0, 120)
    )
    (test,) = compare_groups(*map(build, sides))
    assert (test.gained, test.lost) == (0, 12)
    assert test.verdict == "no clear change"
    assert answer(test, 2) == "unclear"


def test_the_same_system_does_not_regress() -> None:
    same = stated([number < 800 for number in range(1000)])
    (test,) = compare_groups(same, same, identical=True)
    assert answer(test, 1) == "ok"


@pytest.mark.parametrize(
    ("before", "after", "of", "allowed", "answered", "verdict"),
    [
        (800, 700, 1000, 2, "regression", "worse"),
        (800, 785, 1000, 3, "ok", "worse"),  # it is clear, but allowed
        (700, 800, 1000, 1, "improved", "better"),
        (9900, 9950, 10000, 1, "improved", "better"),
        (7, 8, 10, 1, "unclear", "no clear change"),  # a gain of so few sentences does not pass
        (8, 8, 10, 2, "unclear", "no clear change"),
        (8, 7, 10, 2, "unclear", "no clear change"),
    ],
)
def test_a_change_is_held_against_chance_and_against_what_is_allowed(
    before: int, after: int, of: int, allowed: float, answered: str, verdict: str
) -> None:
    found = change(before, after, of)
    assert found.difference == pytest.approx(100 * (after - before) / of)
    assert (answer(found, allowed), found.verdict) == (answered, verdict)


def test_too_few_occupations_give_no_interval_and_say_so() -> None:
    found = change(90, 60, 100, clusters=3)
    assert found.low is None and found.p is None
    assert "3 clusters are too few" in found.why
    assert answer(found, 2) == "unclear"


def test_undetected_sentences_are_counted_on_both_sides() -> None:
    (test,) = compare_groups(stated([True] * 10, missed=2), stated([True] * 10, missed=5))
    assert test.undetected == (2, 5)
    assert test.as_dict()["undetected_after"] == test.as_dict()["unread_after"] == 5


def test_holm_is_over_the_groups() -> None:
    sides = (
        [(str(i % 10), WOMAN, WOMAN if i < right else MAN, ("all", "pro" if i % 2 else "anti")) for i in range(100)]
        for right in (80, 70)
    )
    tests = compare_groups(*map(build, sides))
    assert [test.group for test in tests] == ["all", "anti", "pro"]
    for test in tests:
        assert test.p is not None and test.p_holm is not None
        assert test.p_holm >= test.p


def test_only_sentences_that_both_have_are_compared_whatever_their_order() -> None:
    sentences: list[Sentence] = [(str(i % 8), WOMAN, WOMAN if i % 3 else MAN, ("all",)) for i in range(64)]
    ids = [f"s{i}" for i in range(64)]
    first, other = build(sentences, ids), build(sentences[::-1], ids[::-1])
    (test,) = compare_groups(first, other)
    assert (test.n, test.gained, test.lost) == (64, 0, 0)
    (test,) = compare_groups(build(sentences[:40], ids[:40]), other)
    assert (test.n, test.before, test.gained, test.lost) == (40, test.after, 0, 0)
    worse = build([(cluster, WOMAN, MAN, groups) for cluster, _, _, groups in sentences], ids)
    (rate, everybody) = (
        Shared([build(sentences[:40], ids[:40]), first, worse]).rate(RIGHT, group) for group in ("all", None)
    )
    assert (rate.n, rate.value, rate.group) == (40, 0, "all")  # of the last system
    assert (everybody.n, everybody.value, everybody.group) == (40, 0, "all")


def test_groups_of_right_answers_and_of_open_sentences_stand_in_the_order_of_the_set() -> None:
    sentences: list[Sentence] = [
        (str(i % 8), None if i % 4 == 1 else WOMAN, WOMAN, ("b",) if i % 4 < 2 else ("a",)) for i in range(64)
    ]
    ids = [f"s{i}" for i in range(64)]
    tests = compare_groups(build(sentences, ids), build(sentences[::-1], ids[::-1]))
    assert [(test.measure, test.group, test.n) for test in tests] == [
        ("right", "b", 16),
        ("feminine", "b", 16),
        ("right", "a", 32),
    ]
    shared = Shared([build(sentences), build(sentences)])
    assert (shared.rate(RIGHT, "a").value, shared.rate(UNDETECTED).value) == (100, 0)


def test_the_smallest_drop_that_shows_is_that_of_a_test_with_a_power_of_80_percent() -> None:
    found = change(80, 60, 100)
    assert found.error is not None and found.detectable is not None
    assert found.detectable / found.error == pytest.approx(norm.ppf(0.975) + norm.ppf(0.8), abs=0.001)
    assert change(90, 60, 100, clusters=3).detectable is None


def test_json_has_both_sides_of_a_change_and_what_is_said_of_it() -> None:
    (test,) = compare_groups(stated([True] * 10, missed=2), stated([True] * 10))
    record = test.as_dict()
    assert (record["undetected_before"], record["undetected_after"]) == (2, 0)
    assert (record["group"], record["n"], record["gained"], record["lost"]) == ("all", 10, 2, 0)
    assert record["verdict"] == record["said"] == test.verdict and "why" not in record


def test_a_drop_is_printed_as_a_loss_with_its_interval_turned_round() -> None:
    found = change(800, 700, 1000)
    (judged,) = judge_drops([found], 2)
    assert judged.value == 10
    assert found.low is not None and found.high is not None
    assert (judged.low, judged.high) == pytest.approx((-found.high, -found.low), rel=1e-12)
    assert judged.low is not None and judged.high is not None and 0 < judged.low < 10 < judged.high
    assert judged.as_dict()["answer"] == "regression"


def test_what_has_no_interval_is_unclear_and_says_why() -> None:
    gap = judge_measure("gap", Measure("delta", "pro-anti", 5.0, "points", 100, why="too few"), 10)
    rate = judge_measure("rate", Measure("right", "all", 70.0, "%", 100, 70, why="too few"), 60)
    assert [(each.answer, each.why) for each in (gap, rate)] == [("unclear", "too few")] * 2


@pytest.mark.parametrize(
    ("interval", "answer"),
    [((11.0, 14.0), "regression"), ((-9.0, 9.0), "ok"), ((5.0, 14.0), "unclear"), ((-14.0, -11.0), "regression")],
)
def test_a_gap_is_judged_in_both_directions(interval: tuple[float, float], answer: str) -> None:
    low, high = interval
    found = judge_measure("gap", Measure("delta", "pro-anti", (low + high) / 2, "points", 100, None, low, high), 10)
    assert found.answer == answer


@pytest.mark.parametrize(
    ("interval", "answer"), [((61.0, 70.0), "ok"), ((40.0, 59.0), "regression"), ((55.0, 65.0), "unclear")]
)
def test_a_rate_is_judged_by_its_floor(interval: tuple[float, float], answer: str) -> None:
    low, high = interval
    found = judge_measure("rate", Measure("right", "all", (low + high) / 2, "%", 100, 50, low, high), 60)
    assert found.answer == answer


def test_one_answer_for_all_is_the_worst() -> None:
    def judged(*answers: str) -> str:
        return worst([Judgement("drop", "all", 0.0, None, None, 1.0, each, 1) for each in answers])

    assert judged("ok", "improved", "unclear", "regression") == "regression"
    assert judged("ok", "improved", "unclear") == "unclear"
    assert judged("ok", "improved") == "improved"
    assert judged("ok") == "ok"


def written(women: int, men: int, neither: int = 0, missed: int = 0) -> Outcomes:
    """Sentences that leave the gender open, in turn of eight occupations."""
    genders = [WOMAN] * women + [MAN] * men + [Gender.NEUTRAL] * neither + [UNKNOWN] * missed
    return build([(str(i % 8), None, gender, ("all",)) for i, gender in enumerate(genders)])


def test_where_the_gender_is_open_women_are_counted_among_women_and_men() -> None:
    before, after = written(10, 30, neither=8), written(30, 10, missed=8)
    (test,) = compare_groups(before, after)
    assert (test.before, test.after, test.difference) == (25, 75, 50)
    assert (test.n, test.gained, test.lost, test.undetected) == (40, 20, 0, (0, 8))
    assert (test.verdict, compare_groups(after, before)[0].verdict) == ("more women", "fewer women")
    (some,) = compare_groups(written(4, 4, neither=8), written(4, 12))
    assert some.n == 16  # those of whom either system wrote a woman or a man
    assert compare_groups(written(0, 0, neither=8), written(4, 4)) == []


def test_shares_of_what_was_read_are_compared_as_shares() -> None:
    """Who counts differs between the systems, so nobody is gained or lost: two shares over the same occupations."""
    (test,) = compare_groups(written(4, 4, neither=8), written(4, 12))
    women = np.array([1.0] * 4 + [0.0] * 4)
    shares = [written(4, 4, neither=8), written(4, 8, neither=4), written(4, 12)]
    assert (Shared(shares).rate(FEMININE, "all").n, Shared(shares).rate(FEMININE, "all").value) == (16, 25)
    one, other = (Share(women, np.full(8, people)) for people in (1.0, 2.0))
    expected = gap(other, one)
    assert expected.low is not None and expected.high is not None
    assert (test.low, test.high) == pytest.approx((100 * expected.low, 100 * expected.high))


def test_the_sign_of_a_small_change_says_what_it_is() -> None:
    for difference, right, women in ((0.5, "better", "more women"), (-0.5, "worse", "fewer women")):
        test = PairedTest("all", 9, 50, 50 + difference, difference, None, None, 1, 2, (0, 0), 0.01, 0.01)
        assert (test.verdict, replace(test, measure=FEMININE.name).verdict) == (right, women)


def test_a_drop_is_held_against_what_is_allowed() -> None:
    test = change(80, 60, 100)
    assert adjust_drops([test], 2)[0].p == pytest.approx(float(t.cdf((-20 + 2) / (test.error or 1), test.df or 1)))
    assert test.estimate.p_value() == pytest.approx(test.p)


def test_a_drop_reaches_as_far_as_what_each_occupation_gained_and_lost_leaves_room_for() -> None:
    """Four sentences lost, and all of three more occupations perhaps, had those been drawn."""
    lost = {0, 12, 24, 1}
    before, after = (stated([number not in missing for number in range(240)], 12) for missing in (set(), lost))
    (test,) = compare_groups(before, after)
    counts = [np.array([sum(n % 12 == job for n in some) for job in range(12)]) for some in ((), lost, range(240))]
    least, _ = bound_difference((counts[0], counts[2]), (counts[1], counts[2]), 0.025)
    assert (test.lost, test.low) == (4, pytest.approx(100 * least))
    assert test.error is not None and test.df is not None
    assert 100 * least < test.difference + 1.2 * t.ppf(0.025, test.df) * test.error


def test_the_same_words_leave_room_for_less_than_other_words_with_the_same_genders() -> None:
    """Seven occupations of ten sentences: of the others like them, those that change were perhaps not drawn."""
    same = stated([True] * 70, 7)
    (other,), (identical,) = compare_groups(same, same), compare_groups(same, same, identical=True)
    assert other.low is not None and identical.low is not None
    assert other.low < 2.5 * identical.low < 0


def test_a_drop_of_the_rarer_gender_counts_whichever_that_is() -> None:
    (test,) = compare_rarer(written(10, 30, neither=8), written(44, 4))
    assert (test.before, test.after) == (25, pytest.approx(100 * 4 / 48))
    assert test.measure == RARER
    (even,) = compare_rarer(written(20, 20), written(10, 30))
    assert (even.before, even.after) == (50, 25)
    assert compare_rarer(stated([True] * 80), stated([False] * 80)) == []  # nobody's gender is open
    assert compare_rarer(written(0, 0, neither=8), written(4, 4)) == []


def test_a_change_without_an_interval_tells_no_drop() -> None:
    test = change(3, 1, 6, clusters=3)
    assert (test.detectable, test.verdict) == (None, "no clear change")
    (adjusted,) = adjust_drops([test], 1)
    assert (adjusted.p, adjusted.low, adjusted.high) == (None, None, None)
    sure = change(80, 60, 100)
    assert sure.detectable == pytest.approx(2.8016 * (sure.error or 0))
