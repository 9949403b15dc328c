"""Forms of occupations, looked up by the first word."""

from __future__ import annotations

from typing import Any

from epicene.languages import folder
from epicene.languages.lexicon import Lexicon


class Uncut(str):
    """A word that must not be cut, as each of its ends would be."""

    def __getitem__(self, place: Any) -> str:
        raise AssertionError(place)


def test_a_word_longer_than_any_form_is_not_cut_up() -> None:
    """A German output of 10,000 letters without a blank once took a minute to read."""
    row = {"concept": "clerk", "gender": "feminine", "forms": "Kontorist/in"}
    lexicon = Lexicon([row], {"in": "in innen"}, folder.load("de").writing, "occupations.tsv")
    assert lexicon.find("kontoristin") and lexicon.find("kontoristinnen")
    assert lexicon.find(Uncut("kontoristinnens")) == ()
