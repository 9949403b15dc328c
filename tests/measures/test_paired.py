"""Comparisons count gains and losses, and the gate's three answers follow from them."""

from __future__ import annotations

import pytest

from epicene.measures.paired import Change, Outcome, changes, judge


def outcomes(right: int, n: int, clusters: int = 10) -> dict[str, Outcome]:
    return {str(i): Outcome(i < right, ("all",), str(i % clusters)) for i in range(n)}


def change(before: int, after: int, n: int) -> Change:
    (found,) = changes(outcomes(before, n), outcomes(after, n))
    return found


def test_gains_and_losses_are_counted() -> None:
    found = change(80, 60, 100)
    assert (found.before, found.after, found.gained, found.lost) == (80, 60, 0, 20)
    assert found.difference == -20
    assert found.low < -20 < found.high
    assert found.p == pytest.approx(2 / 2**20)


def test_the_same_system_does_not_regress() -> None:
    assert judge(change(800, 800, 1000), max_drop=1) == "ok"


def test_a_large_drop_is_a_regression() -> None:
    assert judge(change(800, 700, 1000), max_drop=2) == "regression"


def test_a_gain_is_fine() -> None:
    assert judge(change(700, 800, 1000), max_drop=1) == "ok"


def test_ten_sentences_cannot_tell_even_if_nothing_changed() -> None:
    found = change(8, 8, 10)
    assert found.detectable == 30
    assert judge(found, max_drop=2) == "unclear"


def test_a_drop_that_may_be_chance_is_unclear() -> None:
    assert judge(change(8, 7, 10), max_drop=2) == "unclear"


def test_holm_is_over_the_groups() -> None:
    before = {str(i): Outcome(i < 80, ("all", "pro" if i % 2 else "anti"), str(i % 10)) for i in range(100)}
    after = {name: Outcome(int(name) < 70, each.groups, each.cluster) for name, each in before.items()}
    for found in changes(before, after):
        assert found.p_holm >= found.p
