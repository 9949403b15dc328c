"""A or an is told by sound, not by letter."""

from __future__ import annotations

import pytest

from epicene.languages.english import joined, ready_for, takes_an

AN = "affable alluring arrogant eminent unhappy uninspired unimportant ugly honest hourly heir HR-minded idle older"
A = "sassy united unique usual useful European one-armed once-famous uniform CEO wiry hairy utopian young"


@pytest.mark.parametrize("word", AN.split())
def test_words_that_begin_with_a_vowel_sound_take_an(word: str) -> None:
    assert takes_an(word)


@pytest.mark.parametrize("word", A.split())
def test_words_that_begin_with_a_consonant_sound_take_a(word: str) -> None:
    assert not takes_an(word)


@pytest.mark.parametrize(
    ("before", "word", "after"),
    [
        ("He hired an ", "sassy", "He hired a "),
        ("He hired a ", "eminent", "He hired an "),
        ("A ", "old", "An "),
        ("the ", "old", "the "),
        ("banana ", "old", "banana "),
        ("", "old", ""),
    ],
)
def test_only_an_article_right_before_the_word_is_changed(before: str, word: str, after: str) -> None:
    assert ready_for(before, word) == after


@pytest.mark.parametrize(
    ("apart", "whole"),
    [
        ("the librarian 's room", "the librarian's room"),
        ("the librarian ’s room", "the librarian’s room"),
        ("she did n't and they 're late", "she didn't and they're late"),
        ("he said 'so what' and 'stop'", "he said 'so what' and 'stop'"),
        ("the clerks ' room", "the clerks ' room"),
        ("n't", "n't"),
    ],
)
def test_what_is_said_as_one_word_is_joined(apart: str, whole: str) -> None:
    assert joined(apart) == whole
