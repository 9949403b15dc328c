"""Forms of occupations, looked up by the first word."""

from __future__ import annotations

from typing import Any

from epicene.languages import folder


class Uncut(str):
    """A word that must not be cut, as each of its ends would be."""

    def __getitem__(self, place: Any) -> str:
        raise AssertionError(place)


def test_a_word_longer_than_any_form_is_not_cut_up() -> None:
    """A German output of 10,000 letters without a blank once took a minute to read."""
    lexicon = folder.load("de").lexicon
    longest = max(len(form.words[0]) for form in lexicon.forms())
    assert lexicon.find(Uncut("x" * (longest + 1))) == ()
    assert all(lexicon.find(form.words[0]) for form in lexicon.forms())
