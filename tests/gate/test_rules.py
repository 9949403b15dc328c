"""When the gate fails: every answer follows from the printed interval, at its very ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from epicene.compare.entrants import Entrant
from epicene.compare.pairs import Comparison
from epicene.errors import InputError
from epicene.gate.rules import (
    Judgement,
    choose_changes,
    judge,
    judge_drops,
    judge_measure,
    judge_quality,
    worst,
)
from epicene.measures.outcomes import Outcomes
from epicene.measures.paired import PairedTest
from epicene.measures.quality import QualityChange, Segment
from epicene.measures.rates import FEMININE, Measures, Outcome, Profile
from epicene.options import Limits
from epicene.result import Result
from epicene.types import Gender, Measure

RATE = Measure("right", "all", 60.0, "%", 100, 60, 50.0, 70.0)


T = 2.008559  # Student's, with 50 degrees of freedom and 2.5 % in the tail


def change(difference: float, error: float = 1.0, p_holm: float = 1.0) -> PairedTest:
    """A change with so large a standard error, over 51 clusters."""
    ends = (difference - T * error, difference + T * error)
    rates = (80.0, 80.0 + difference, difference)
    return PairedTest("all", 400, *rates, *ends, 8, 10, (0, 0), p_holm, p_holm, error, 50.0)


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (0.90, "regression"),  # t = -2.22, p = .015
        (0.98, "regression"),  # t = -2.04, p = .023
        (1.02, "unclear"),  # t = -1.96, p = .028: one tail of the 95 % interval, not of the 90 % one
        (1.15, "unclear"),  # t = -1.74, p = .044
    ],
)
def test_a_drop_fails_beyond_one_tail_of_the_95_percent_interval(error: float, answer: str) -> None:
    (found,) = judge_drops([change(-4, error)], allowed=2)
    assert found.answer == answer
    assert (found.value, found.allowed, found.n, found.what) == (4, 2, 400, "drop")
    assert (found.low, found.high) == pytest.approx((4 - T * error, 4 + T * error), abs=1e-5)


def test_several_groups_share_the_error_of_a_drop() -> None:
    alone, together = judge_drops([change(-4, 0.9)], 2), judge_drops([change(-4, 0.9)] * 3, 2)
    assert [each.answer for each in alone] == ["regression"]
    assert [each.answer for each in together] == ["unclear"] * 3
    assert together[0].p == pytest.approx(3 * (alone[0].p or 0))
    assert together[0].low == pytest.approx(4 - 0.9 * 2.477, abs=1e-3)  # Student's with 2.5 / 3 % in the tail


@pytest.mark.parametrize("allowed", [0.0, 2.0])
@pytest.mark.parametrize("count", [1, 2, 5, 60])
def test_a_drop_fails_exactly_where_its_printed_interval_lies_beyond_what_is_allowed(
    count: int, allowed: float
) -> None:
    changes = [change(number / 10 - 9.0, 0.9) for number in range(0, 110, 110 // count)][:count]
    for found in judge_drops([*changes, change(-900.0, 0.001)], allowed):  # of which p is 0
        assert found.p is not None and found.low is not None and found.high is not None
        assert (found.answer == "regression") == (found.p < 0.025) == (found.low > allowed)
        assert found.answer != "improved" or found.high < 0
        assert found.answer != "unclear" or found.low <= allowed < found.high


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        (change(0.0, 0.995), "ok"),  # all of the interval is allowed
        (change(0.0, 1.0), "unclear"),
        (change(0.1, 1.1), "unclear"),  # who did a little better may still have lost
        (replace(change(0.0, 0.5), low=-2.0), "ok"),
        (replace(change(0.0, 0.5), low=-2.1), "unclear"),  # a few occupations may have lost that much
        (change(5.0, p_holm=0.04), "improved"),
        (change(0.5, 0.2, p_holm=0.04), "improved"),
        (change(0.5, p_holm=0.04), "ok"),  # the interval holds 0
        (change(0.5, 0.4, p_holm=0.04), "ok"),  # by less than a point
        (change(5.0, p_holm=0.05), "ok"),
        (replace(change(-9.0), error=None), "unclear"),
    ],
)
def test_a_drop_passes_where_all_of_its_interval_is_allowed(found: PairedTest, answer: str) -> None:
    assert [each.answer for each in judge_drops([found], 2)] == [answer]


def test_who_does_not_know_says_what_could_be_missed_and_how_many_sentences_lack() -> None:
    def why(difference: float, error: float, least: float | None = None) -> str:
        test = change(difference, error)
        (found,) = judge_drops([test if least is None else replace(test, low=least)], 2)
        return found.why

    # From 1.0 to 5.0 it is four times as far as from 1.0 to the 2 that are allowed: sixteen times as many sentences.
    assert why(-1.0, 0.5, -5.0) == (
        "could miss a drop of 5.0 points; about 6,000 more sentences of other units would decide"
    )
    # From 3.0 down to 3.0 - 2.01 it is twice as far as down to 2.
    assert why(-3.0, 1.0) == "could miss a drop of 5.0 points; about 1,300 more sentences of other units would decide"
    # From 1.0 to 2.01 is hardly further than to 2: all digits of so few sentences are said.
    assert (
        why(-1.0, 0.5, -2.01) == "could miss a drop of 2.0 points; about 9 more sentences of other units would decide"
    )
    assert why(-2.0, 1.0) == "could miss a drop of 4.0 points"
    assert why(-1.99, 1.0) == "could miss a drop of 4.0 points"
    assert why(-9.0, 1.0) == ""
    assert judge_drops([replace(change(-9.0), error=None, why="few")], 2)[0].why == "few"


def test_the_upper_end_of_a_drop_is_that_of_the_difference() -> None:
    alone, together = (judge_drops([replace(change(-1.0, 0.5), low=-4.5)] * count, 2) for count in (1, 3))
    assert {one.high for one in (*alone, *together)} == {4.5}  # all groups must pass, so it needs no correction
    assert (alone[0].low or 0) > (together[0].low or 0)


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (-5.0, 5.0, "ok"),
        (-5.1, 5.0, "unclear"),
        (-5.0, 5.1, "unclear"),
        (5.0, 9.0, "unclear"),
        (5.1, 9.0, "regression"),
        (-9.0, -5.0, "unclear"),
        (-9.0, -5.1, "regression"),
        (None, None, "unclear"),
        (None, 1.0, "unclear"),
        (9.0, None, "unclear"),
    ],
)
def test_a_gap_may_be_so_wide_in_either_direction(low: float | None, high: float | None, answer: str) -> None:
    gap = Measure("delta", "pro-anti", 0.0, "points", 50, None, low, high, why="few")
    found = judge_measure("gap", gap, 5)
    assert (found.what, found.group, found.answer, found.n, found.why) == ("gap", "delta", answer, 50, "few")
    moved = replace(gap, value=50.0, low=None if low is None else low + 50, high=None if high is None else high + 50)
    half = judge_measure("half", moved, 5)
    assert (half.what, half.group, half.answer, half.value) == ("half", "pro-anti", answer, 0.0)


@pytest.mark.parametrize(
    ("what", "allowed", "answer"),
    [
        *(("rate", 50.0, "ok"), ("rate", 50.1, "unclear"), ("rate", 70.0, "unclear"), ("rate", 70.1, "regression")),
        *(("undetected", 70.0, "ok"), ("undetected", 69.9, "unclear"), ("undetected", 50.0, "unclear")),
        ("undetected", 49.9, "regression"),
    ],
)
def test_a_rate_must_reach_its_floor_and_no_more_may_be_undetected(what: str, allowed: float, answer: str) -> None:
    judged = judge_measure(what, RATE, allowed)
    assert (judged.answer, judged.group, judged.value, judged.allowed) == (answer, "all", 60.0, allowed)
    lacking = replace(RATE, low=None, high=None, why="few")
    assert (judge_measure(what, lacking, allowed).answer, judge_measure(what, lacking, allowed).why) == (
        "unclear",
        "few",
    )


def test_quality_is_judged_by_its_unit() -> None:
    assert judge_measure("quality", replace(RATE, unit="BLEU"), 50).group == "BLEU"


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (-1.0, 1.0, "ok"),
        (-1.1, 1.0, "unclear"),
        (-3.0, -1.0, "unclear"),
        (-3.0, -1.1, "regression"),
        (0.1, 1.0, "improved"),
        (0.0, 1.0, "ok"),
        (None, None, "unclear"),
        (None, 1.0, "unclear"),
        (-9.0, None, "unclear"),
    ],
)
def test_quality_may_fall_so_far(low: float | None, high: float | None, answer: str) -> None:
    made = QualityChange("bleu", "BLEU", 90, 30.0, 29.0, None, "signature", low, high)
    found = judge_quality(made, 1)
    assert (found.answer, found.value, found.n) == (answer, 1.0, 90)
    assert bool(found.why) is (low is None or high is None)


def test_the_worst_answer_counts() -> None:
    def of(*answers: str) -> str:
        return worst([Judgement("drop", "all", 0, 0, 0, 2, each, 9) for each in answers])

    assert of("ok", "improved", "unclear", "regression") == "regression"
    assert of("ok", "improved", "unclear") == "unclear"
    assert (of("ok", "improved"), of("ok"), of()) == ("improved", "ok", "unclear")


def test_a_judgement_is_stored_with_all_that_it_says() -> None:
    found = judge_measure("rate", RATE, 50).as_dict()
    assert (found["what"], found["answer"], found["allowed"], found["p"]) == ("rate", "ok", 50, None)


GAPS = tuple(Measure(name, "all", 1.0, "points", 60, None, 0.0, 2.0) for name in ("delta", "delta_s"))


SET = Measures(lambda item: (), gated=("delta", "delta_s"))


def entrant(women: int, gaps: tuple[Measure, ...] = GAPS, expected: Gender | None = None) -> Entrant:
    """So many women of ten in each of twelve occupations, half of them in either group; by default the gender is
    open.
    """
    outcomes = Outcomes(SET, paired=True)
    for job in range(12):
        for number in range(10):
            outcome = Outcome(expected, Gender.FEMININE if number < women else Gender.MASCULINE)
            outcomes.add_outcome(Profile((f"group{job % 2}",), str(job), ""), outcome, ids=[f"{job}-{number}"])
    result = Result("set", "en-es", "one", "epicene", "set|es", 120, outcomes.genders(), 0, gaps)
    return Entrant("one", result, outcomes)


def ask(groups: list[str], limits: Limits) -> list[tuple[str, str]]:
    """What is judged of a candidate that writes fewer women than before, by name and group."""
    before, after = entrant(4), entrant(3)
    changes = tuple(replace(change(-10.0), group=name, measure=FEMININE.name) for name in ("group0", "group1"))
    comparison = Comparison("set|es", "one", "two", changes)
    chosen = choose_changes(comparison, after, groups)
    found = judge(before, after, comparison, chosen, limits, groups, ())
    return [(judgement.what, judgement.group) for judgement in found]


@pytest.mark.parametrize(
    ("groups", "asked"),
    [
        ([], [("half", "group0"), ("half", "group1"), ("gap", "delta"), ("gap", "delta_s")]),
        (["group1"], [("half", "group1")]),
        (["delta_s"], [("gap", "delta_s")]),
        (["group0", "delta"], [("half", "group0"), ("gap", "delta")]),
    ],
)
def test_where_the_gender_is_open_groups_and_gaps_are_judged_by_name(
    groups: list[str], asked: list[tuple[str, str]]
) -> None:
    assert ask(groups, Limits(max_gap=5)) == asked


def test_the_rarer_gender_is_judged_in_the_named_groups() -> None:
    assert ask([], Limits(max_drop=2)) == [("rarer", "group0"), ("rarer", "group1")]
    assert ask(["group1"], Limits(max_drop=2)) == [("rarer", "group1")]


def test_a_gate_that_judges_nothing_is_an_error() -> None:
    with pytest.raises(InputError, match="no limit applies to delta"):
        ask(["delta"], Limits(max_drop=2))


def ask_about_right_answers(groups: list[str], limits: Limits) -> list[tuple[str, str, str]]:
    """What is judged of a candidate that gets fewer women right, some of whose sentences leave the gender open."""
    before, after = (entrant(women, expected=Gender.FEMININE) for women in (9, 3))
    tests = [replace(change(-60.0), group=name) for name in ("group0", "group1")]
    comparison = Comparison("set|es", "one", "two", (*tests, replace(tests[0], group="open", measure=FEMININE.name)))
    chosen = choose_changes(comparison, after, groups)
    found = judge(before, after, comparison, chosen, limits, groups, ())
    return [(judgement.what, judgement.group, judgement.answer) for judgement in found]


def test_right_answers_are_judged_by_what_was_lost_and_what_is_left() -> None:
    assert ask_about_right_answers(["group0"], Limits(max_drop=2)) == [("drop", "group0", "regression")]
    assert ask_about_right_answers([], Limits(min_rate=10)) == [("rate", "group0", "ok"), ("rate", "group1", "ok")]
    assert ask_about_right_answers([], Limits(max_undetected=8)) == [("undetected", "all", "ok")]
    assert [what for what, *_ in ask_about_right_answers([], Limits(max_gap=5))] == ["gap", "gap"]
    assert ask_about_right_answers(["group1"], Limits(max_drop=90, max_gap=5, min_rate=60)) == [
        ("drop", "group1", "ok"),
        ("rate", "group1", "regression"),
        ("gap", "delta", "ok"),
        ("gap", "delta_s", "ok"),
    ]


def test_changes_of_women_count_only_where_no_answer_can_be_right() -> None:
    with pytest.raises(InputError, match=r"no group open in set\|es; known: group0, group1, delta, delta_s"):
        ask_about_right_answers(["open"], Limits(max_drop=2))


def test_a_gap_that_the_set_has_not_cannot_be_asked_for() -> None:
    bare = entrant(9, gaps=(), expected=Gender.FEMININE)
    comparison = Comparison("set|es", "one", "two", (change(0.0),))
    with pytest.raises(InputError, match=r"set\|es has no gap between groups"):
        judge(bare, bare, comparison, [], Limits(max_gap=5), [], ())
    with pytest.raises(InputError, match="no limit applies to"):
        judge(bare, bare, comparison, [], Limits(min_rate=5), [], ())
    women = entrant(9, gaps=())
    opened = replace(comparison, changes=(replace(change(0.0), group="group0", measure=FEMININE.name),))
    (half,) = judge(women, women, opened, opened.changes, Limits(max_gap=5), [], ())
    assert (half.what, half.group) == ("half", "group0")


@pytest.mark.parametrize(("least", "gap"), [(40.0, "10"), (60.0, "0")])
def test_a_rate_where_no_answer_is_right_names_the_limits_to_ask_for_instead(least: float, gap: str) -> None:
    with pytest.raises(InputError, match=f"set has none; max-gap = {gap} asks how far the share of women"):
        ask([], Limits(min_rate=least))


def test_quality_is_judged_by_its_fall_and_by_its_floor() -> None:
    text = "the nurse left the hospital early in the morning"
    segments = tuple(Segment(str(unit), text, text, (text,), str(unit)) for unit in range(12))
    without, scored = entrant(9), replace(entrant(9), segments=segments)
    fall = QualityChange("bleu", "BLEU", 12, 30.0, 29.0, None, "signature", -3.0, -1.5)
    plain = Comparison("set|es", "one", "two", ())
    compared = replace(plain, quality=(fall,))

    def asked(after: Entrant, comparison: Comparison, limits: Limits) -> list[tuple[str, str, str]]:
        found = judge(without, after, comparison, [], limits, [], ["bleu"])
        return [(judgement.what, judgement.group, judgement.answer) for judgement in found]

    assert asked(scored, compared, Limits(max_quality_drop=1)) == [("quality-drop", "BLEU", "regression")]
    assert asked(scored, plain, Limits(min_quality=90)) == [("quality", "BLEU", "ok")]
    assert asked(scored, compared, Limits(max_quality_drop=1, min_quality=90)) == [
        ("quality-drop", "BLEU", "regression"),
        ("quality", "BLEU", "ok"),
    ]
    for after, comparison, limits in (
        (without, compared, Limits(max_quality_drop=1)),
        (scored, plain, Limits(max_quality_drop=1)),
        (without, plain, Limits(min_quality=90)),
    ):
        with pytest.raises(InputError, match="set has no references to measure quality by"):
            asked(after, comparison, limits)
