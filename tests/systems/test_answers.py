"""Answers that belong to other sentences are seen where the service tells the length of its sources."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epicene.errors import RefusedError, TryLaterError
from epicene.systems.network.answers import match_answers, mix_lengths
from epicene.systems.network.service import Answer

SOURCES = st.lists(st.text("abc ", min_size=1, max_size=40), min_size=2, max_size=30, unique_by=len)


@given(SOURCES, st.randoms())
def test_no_other_order_passes_for_sources_of_different_lengths(sources: list[str], chance) -> None:
    answers = [Answer(source.upper(), "", len(source)) for source in sources]
    moved = answers.copy()
    chance.shuffle(moved)
    if moved == answers:
        assert [source for source, _ in match_answers("s", sources, moved)] == sources
    else:
        with pytest.raises(TryLaterError, match="another order"):
            match_answers("s", sources, moved)


@given(SOURCES, st.integers(1, 9))
def test_a_service_that_counts_otherwise_is_let_be(sources: list[str], more: int) -> None:
    answers = [Answer(f"{number} {source}", "", len(source) + more) for number, source in enumerate(sources)]
    assert len(match_answers("s", sources, answers)) == len(sources)


@given(st.lists(st.text("ab", max_size=9)))
def test_mixing_loses_nothing_and_keeps_lengths_apart(sources: list[str]) -> None:
    found = mix_lengths(sources)
    assert sorted(found) == sorted(sources)
    distinct = len({len(source) for source in sources})
    assert len({len(source) for source in found[:distinct]}) == distinct


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_count_is_refused(count: int) -> None:
    with pytest.raises(TryLaterError, match=f"{count} answers to 2 sentences"):
        match_answers("s", ["a", "bb"], [Answer("x")] * count)


def test_one_answer_to_all_is_refused_but_to_two_it_may_be_right() -> None:
    with pytest.raises(TryLaterError, match="one answer to 4"):
        match_answers("s", ["a", "b", "c", "d"], [Answer("x")] * 4)
    lengths = [Answer("x", "", number) for number in range(1, 5)]
    assert len(match_answers("s", ["a", "bb", "ccc", "dddd"], lengths)) == 4
    with pytest.raises(TryLaterError, match="one answer to 4"):
        match_answers("s", ["a", "bb", "ccc", "dddd"], [answer._replace(text=" ") for answer in lengths])
    # "He is a baker." and "She is a baker." are one sentence in Hungarian.
    assert len(match_answers("s", ["a", "b"], [Answer("x")] * 2)) == 2


@pytest.mark.parametrize(
    ("source", "text", "plain"),
    [
        ("It's a nurse.", "C&#39;est une infirmi&egrave;re.", "C'est une infirmière."),
        ("Write &amp; for &.", "Écris &amp; pour &.", "Écris &amp; pour &."),
        ("R & D", "R & D; F&E;", "R & D; F&E;"),
    ],
)
def test_escapes_are_undone_where_the_source_had_none(source: str, text: str, plain: str) -> None:
    ((_, answer),) = match_answers("s", [source], [Answer(text)])
    assert answer.text == plain


def test_an_answer_far_longer_than_its_source_is_refused() -> None:
    assert match_answers("s", ["She."], [Answer("Sie." * 500)])
    with pytest.raises(RefusedError, match="s answered 4,000,000 characters to 4"):
        match_answers("s", ["She."], [Answer("Sie." * 1_000_000)])


def test_the_name_of_a_model_can_be_shown() -> None:
    ((_, answer),) = match_answers("s", ["She."], [Answer("Sie.", "gpt\x1b[2J\n::error::x" + "y" * 1000)])
    assert answer.model.startswith("gpt\u241b[2J ::error::x")
    assert len(answer.model) == 200
