"""Comparisons count gains and losses over occupations, and the gate's answers follow from their intervals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import norm

from epicene.compare.paired import FEMININE, RARER, RIGHT, Change, Outcome, changes, rarer
from epicene.gate.rules import Judgement, judge_drops, judge_gap, judge_rate, worst
from epicene.types import Measure


def outcomes(right: int, n: int, clusters: int = 10) -> dict[str, Outcome]:
    """Sentences in turn of each cluster, the first ones right."""
    return {str(i): Outcome(i < right, ("all",), str(i % clusters)) for i in range(n)}


def change(before: int, after: int, n: int, clusters: int = 10) -> Change:
    (found,) = changes(outcomes(before, n, clusters), outcomes(after, n, clusters))
    return found


def answer(found: Change, allowed: float) -> str:
    (judgement,) = judge_drops([found], allowed)
    return judgement.answer


def test_gains_and_losses_are_counted() -> None:
    found = change(80, 60, 100)
    assert (found.before, found.after, found.gained, found.lost) == (80, 60, 0, 20)
    assert found.difference == -20
    assert found.low is not None and found.high is not None
    assert found.low < -20 < found.high


def test_what_is_gained_is_not_what_is_lost() -> None:
    """Seven sentences turn right, or into women; two the other way: nowhere may the two be taken for each other."""
    for measure in (RIGHT, FEMININE):
        before = {str(i): Outcome(i < 2, ("all",), str(i % 8), measure=measure) for i in range(64)}
        after = {str(i): Outcome(2 <= i < 9, ("all",), str(i % 8), measure=measure) for i in range(64)}
        (found,) = changes(before, after)
        assert (found.gained, found.lost, found.measure) == (7, 2, measure)
        assert found.difference == pytest.approx(100 * 5 / 64)
        assert (found.before, found.after) == pytest.approx((100 * 2 / 64, 100 * 7 / 64))
        (back,) = changes(after, before)
        assert (back.gained, back.lost, back.difference) == (2, 7, pytest.approx(-found.difference))


def test_p_agrees_with_the_interval() -> None:
    for lost in range(0, 12):
        pairs = {str(i): Outcome(True, ("all",), str(i // 10)) for i in range(100)}
        after = {name: Outcome(int(name) >= lost, each.groups, each.cluster) for name, each in pairs.items()}
        (found,) = changes(pairs, after)
        assert found.low is not None and found.high is not None and found.p is not None
        assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


def test_what_one_occupation_lost_is_no_clear_change() -> None:
    """Twelve sentences of a single occupation turned wrong: McNemar's test over sentences says p = .0005."""
    before = {f"{o}-{i}": Outcome(True, ("all",), str(o)) for o in range(10) for i in range(20)}
    after = {
        name: Outcome(not (each.cluster == "0" and int(name[2:]) < 12), each.groups, each.cluster)
        for name, each in before.items()
    }
    (found,) = changes(before, after)
    assert (found.gained, found.lost) == (0, 12)
    assert found.said == "no clear change"
    assert answer(found, 2) == "unclear"


def test_the_same_system_does_not_regress() -> None:
    assert answer(change(800, 800, 1000), 1) == "ok"


def test_a_large_drop_is_a_regression() -> None:
    found = change(800, 700, 1000)
    assert answer(found, 2) == "regression"
    assert found.said == "worse"


def test_a_drop_that_is_allowed_is_ok_though_it_is_clear() -> None:
    found = change(800, 785, 1000)
    assert found.said == "worse"
    assert answer(found, 3) == "ok"


def test_a_gain_is_said_to_be_one() -> None:
    assert answer(change(700, 800, 1000), 1) == "improved"


def test_a_small_gain_passes_though_little_is_known_of_it() -> None:
    found = change(7, 8, 10)
    assert found.low is not None and found.low < -1
    assert answer(found, 1) == "ok"


def test_ten_sentences_cannot_tell_even_if_nothing_changed() -> None:
    assert answer(change(8, 8, 10), 2) == "unclear"


def test_a_drop_that_may_be_chance_is_unclear() -> None:
    assert answer(change(8, 7, 10), 2) == "unclear"


def test_too_few_occupations_give_no_interval_and_say_so() -> None:
    found = change(90, 60, 100, clusters=3)
    assert found.low is None and found.p is None
    assert "3 clusters are too few" in found.why
    assert answer(found, 2) == "unclear"


def test_unread_sentences_are_shown_on_both_sides() -> None:
    before = {str(i): Outcome(i > 1, ("all",), str(i), unread=i < 2) for i in range(10)}
    after = {str(i): Outcome(i > 4, ("all",), str(i), unread=i < 5) for i in range(10)}
    (found,) = changes(before, after)
    assert found.unread == (2, 5)
    assert found.as_dict()["unread_after"] == 5


def test_holm_is_over_the_groups() -> None:
    before = {str(i): Outcome(i < 80, ("all", "pro" if i % 2 else "anti"), str(i % 10)) for i in range(100)}
    after = {name: Outcome(int(name) < 70, each.groups, each.cluster) for name, each in before.items()}
    for found in changes(before, after):
        assert found.p is not None and found.p_holm is not None
        assert found.p_holm >= found.p


def test_a_clear_gain_of_less_than_a_point_is_a_gain() -> None:
    found = change(9900, 9950, 10000)
    assert (found.difference, found.said, answer(found, 1)) == (0.5, "better", "improved")


def test_the_smallest_drop_that_shows_is_that_of_a_test_with_a_power_of_80_percent() -> None:
    found = change(80, 60, 100)
    assert found.error is not None and found.detectable is not None
    assert found.detectable / found.error == pytest.approx(norm.ppf(0.975) + norm.ppf(0.8), abs=0.001)
    assert change(90, 60, 100, clusters=3).detectable is None


def test_json_has_both_sides_of_a_change_and_what_is_said_of_it() -> None:
    before = {str(i): Outcome(i > 1, ("all",), str(i), unread=i < 2) for i in range(10)}
    (found,) = changes(before, {str(i): Outcome(True, ("all",), str(i)) for i in range(10)})
    record = found.as_dict()
    assert (record["unread_before"], record["unread_after"]) == (2, 0)
    assert (record["group"], record["n"], record["gained"], record["lost"]) == ("all", 10, 2, 0)
    assert record["said"] == found.said and "why" not in record


def test_a_drop_is_printed_as_a_loss_with_its_interval_turned_round() -> None:
    found = change(800, 700, 1000)
    (judged,) = judge_drops([found], 2)
    assert judged.value == 10
    assert found.low is not None and found.high is not None
    assert (judged.low, judged.high) == (-found.high, -found.low)
    assert judged.low is not None and judged.high is not None and 0 < judged.low < 10 < judged.high
    assert judged.as_dict()["answer"] == "regression"


def test_what_has_no_interval_is_unclear_and_says_why() -> None:
    gap = judge_gap(Measure("delta", "pro-anti", 5.0, "points", 100, why="too few"), 10)
    rate = judge_rate(Measure("right", "all", 70.0, "%", 100, 70, why="too few"), 60)
    assert [(each.answer, each.why) for each in (gap, rate)] == [("unclear", "too few")] * 2


@pytest.mark.parametrize(
    ("interval", "answer"),
    [((11.0, 14.0), "regression"), ((-9.0, 9.0), "ok"), ((5.0, 14.0), "unclear"), ((-14.0, -11.0), "regression")],
)
def test_a_gap_is_judged_in_both_directions(interval: tuple[float, float], answer: str) -> None:
    low, high = interval
    found = judge_gap(Measure("delta", "pro-anti", (low + high) / 2, "points", 100, None, low, high), 10)
    assert found.answer == answer


@pytest.mark.parametrize(
    ("interval", "answer"), [((61.0, 70.0), "ok"), ((40.0, 59.0), "regression"), ((55.0, 65.0), "unclear")]
)
def test_a_rate_is_judged_by_its_floor(interval: tuple[float, float], answer: str) -> None:
    low, high = interval
    found = judge_rate(Measure("right", "all", (low + high) / 2, "%", 100, 50, low, high), 60)
    assert found.answer == answer


def test_one_answer_for_all_is_the_worst() -> None:
    def judged(*answers: str) -> str:
        return worst([Judgement("drop", "all", 0.0, None, None, 1.0, each, 1) for each in answers])

    assert judged("ok", "improved", "unclear", "regression") == "regression"
    assert judged("ok", "improved", "unclear") == "unclear"
    assert judged("ok", "improved") == "improved"
    assert judged("ok") == "ok"


def written(women: int, men: int, neither: int = 0, unread: int = 0) -> dict[str, Outcome]:
    """Sentences that leave the gender open, in turn of eight occupations."""
    kinds = [(True, True, False)] * women + [(False, True, False)] * men + [(False, False, False)] * neither
    kinds += [(False, False, True)] * unread
    return {
        str(i): Outcome(right, ("all",), str(i % 8), "", missed, FEMININE, among)
        for i, (right, among, missed) in enumerate(kinds)
    }


def test_where_the_gender_is_open_women_are_counted_among_women_and_men() -> None:
    before, after = written(10, 30, neither=8), written(30, 10, unread=8)
    (found,) = changes(before, after)
    assert (found.before, found.after, found.difference) == (25, 75, 50)
    assert (found.n, found.gained, found.lost, found.unread) == (40, 20, 0, (0, 8))
    assert (found.said, changes(after, before)[0].said) == ("more women", "fewer women")
    (some,) = changes(written(4, 4, neither=8), written(4, 12))
    assert some.n == 16  # those of whom either system wrote a woman or a man
    assert changes(written(0, 0, neither=8), written(4, 4)) == []


def test_a_drop_of_the_rarer_gender_counts_whichever_that_is() -> None:
    (found,) = rarer(written(10, 30, neither=8), written(44, 4))
    assert (found.before, found.after) == (25, pytest.approx(100 * 4 / 48))
    assert found.measure == RARER
    (even,) = rarer(written(20, 20), written(10, 30))
    assert (even.before, even.after) == (50, 25)
    assert rarer(outcomes(40, 80), outcomes(20, 80)) == []  # nobody's gender is open
    assert rarer(written(0, 0, neither=8), written(4, 4)) == []


def test_a_change_without_an_interval_tells_no_drop() -> None:
    (found,) = changes(outcomes(3, 6, 3), outcomes(1, 6, 3))
    assert (found.p_drop(1), found.detectable, found.said) == (None, None, "no clear change")
    sure = change(80, 60, 100)
    assert replace(sure, df=None).p_drop(1) is None
    assert sure.detectable == pytest.approx(2.8016 * (sure.error or 0))
