"""Inclusive spellings are found word by word, and where words begin alone, as well as anywhere in the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from epicene.languages import LANGUAGES, folder
from epicene.languages.language import Inclusive

SPELLINGS = [
    pytest.param(spelling, row["pattern"], id=f"{code}-{number}")
    for code in LANGUAGES.names()
    for number, (spelling, row) in enumerate(
        zip(folder.load(code).inclusive, folder._config(code).get("inclusive", ()), strict=True)
    )
    if spelling.in_one_word or spelling.pattern.pattern != row["pattern"]
]


@pytest.mark.parametrize(("spelling", "pattern"), SPELLINGS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
def test_a_spelling_is_found_word_by_word_and_where_words_begin_as_anywhere(
    spelling: Inclusive, pattern: str, data: st.DataObject
) -> None:
    choice = st.one_of(st.from_regex(pattern), st.text("aeinrsxIX_.-/(*: \u00a0", max_size=8))
    parts = data.draw(st.lists(choice, min_size=1, max_size=3))
    if spelling.in_one_word:
        text = " ".join(parts)
        assert any(map(spelling.pattern.search, text.split())) == bool(spelling.pattern.search(text))
    text = "".join(parts)
    matches = [(match.span(), match.groups()) for match in re.finditer(pattern, text)]
    assert [(match.span(), match.groups()) for match in spelling.pattern.finditer(text)] == matches


def test_german_spellings_are_looked_for_within_words_but_those_with_articles() -> None:
    assert [each.in_one_word for each in folder.load("de").inclusive].count(False) == 4
