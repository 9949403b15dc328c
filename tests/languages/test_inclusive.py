"""Inclusive spellings that a language says stand within a word are found word by word as well as in the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from epicene.languages import LANGUAGES, folder
from epicene.languages.language import Inclusive

WITHIN = [
    pytest.param(each, id=f"{code}-{number}")
    for code in LANGUAGES.names()
    for number, each in enumerate(folder.load(code).inclusive)
    if each.in_one_word
]


@pytest.mark.parametrize("spelling", WITHIN)
@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
def test_a_spelling_within_a_word_is_found_word_by_word(spelling: Inclusive, data: st.DataObject) -> None:
    parts = st.one_of(st.from_regex(spelling.pattern), st.text("aeinrsxIX.-/(*: \u00a0", max_size=8))
    text = " ".join(data.draw(st.lists(parts, min_size=1, max_size=3)))
    assert any(map(spelling.pattern.search, text.split())) == bool(spelling.pattern.search(text))


def test_german_spellings_are_looked_for_within_words_but_those_with_articles() -> None:
    assert [each.in_one_word for each in folder.load("de").inclusive].count(False) == 4


PATTERNS = [
    pytest.param(spelling["pattern"], id=f"{code}-{number}")
    for code in LANGUAGES.names()
    for number, spelling in enumerate(folder._config(code).get("inclusive", ()))
    if folder._from_word_start(spelling["pattern"]).pattern != spelling["pattern"]
]


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
def test_a_spelling_tried_where_words_begin_is_found_as_anywhere(pattern: str, data: st.DataObject) -> None:
    parts = st.one_of(st.from_regex(pattern), st.text("aeinrsxIX_.-/(*: \u00a0", max_size=8))
    text = "".join(data.draw(st.lists(parts, min_size=1, max_size=3)))
    matches = [(match.span(), match.groups()) for match in re.finditer(pattern, text)]
    assert [(match.span(), match.groups()) for match in folder._from_word_start(pattern).finditer(text)] == matches
