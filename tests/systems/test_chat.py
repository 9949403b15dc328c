"""What is cleaned off an answer, and which answers are refused."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from epicene.errors import RefusedError
from epicene.systems.network import chat as _chat
from epicene.types import Pair

PAIR = Pair("en", "de")
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no news
LINE = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1).filter(str.strip)


@patient
@given(LINE.filter(lambda text: not text.lstrip().startswith(("<think", "```"))))
def test_an_answer_like_its_source_stays_as_it_is(text: str) -> None:
    assert _chat.clean_answer(text, text, PAIR) == text.strip()


@pytest.mark.parametrize(
    ("answer", "source", "cleaned"),
    [
        ("Sie ist Ärztin.", "She is a doctor.", "Sie ist Ärztin."),
        ("  Sie ist Ärztin.\n", "She is a doctor.", "Sie ist Ärztin."),
        ('"Sie ist Ärztin."', "She is a doctor.", "Sie ist Ärztin."),
        ("„Sie ist Ärztin.“", "She is a doctor.", "Sie ist Ärztin."),
        ("„Ja“, sagte sie, „nein“", "“Yes,” she said, “no”", "„Ja“, sagte sie, „nein“"),
        ('"Wie geht\'s?"', "How are you?", "Wie geht's?"),
        ("'Wie geht's?'", "How are you?", "Wie geht's?"),
        ("„Sie ist da.“", "“She is here.”", "„Sie ist da.“"),
        ("Translation: Sie ist Ärztin.", "She is a doctor.", "Sie ist Ärztin."),
        ("German: Sie ist Ärztin.", "She is a doctor.", "Sie ist Ärztin."),
        ("German: Deutsch", "German: the language", "German: Deutsch"),
        ("```\nSie ist Ärztin.\n```", "She is a doctor.", "Sie ist Ärztin."),
        ("<think>She → sie</think>\n\nSie ist Ärztin.", "She is a doctor.", "Sie ist Ärztin."),
        ("Sie ist Ärztin.\n\n(Note: the feminine form.)", "She is a doctor.", "Sie ist Ärztin."),
        ("Sie ist da.\nEr auch.", "She is here. He too.", "Sie ist da. Er auch."),
        ("Elle est là\u202f?", "Is she there?", "Elle est là\u202f?"),
    ],
)
def test_only_what_is_surely_no_translation_is_taken_off(answer: str, source: str, cleaned: str) -> None:
    assert _chat.clean_answer(answer, source, PAIR) == cleaned


@pytest.mark.parametrize("answer", ["I'm sorry, but I can't help with that.", "Sorry, I cannot translate this."])
def test_a_refusal_is_set_apart(answer: str) -> None:
    with pytest.raises(RefusedError, match="the model declined"):
        _chat.clean_answer(answer, "She is a doctor.", PAIR)


def test_an_apology_that_was_to_be_translated_is_a_translation() -> None:
    said = "I'm sorry, I can't come."
    assert _chat.clean_answer(said, "Sajnálom, nem tudok jönni.", Pair("hu", "en")) == said
    assert _chat.clean_answer("Es tut mir leid, ich kann nicht.", said, PAIR) == "Es tut mir leid, ich kann nicht."
