"""Numbered lines: all come back in their places, or the answer is refused; and what is cleaned off an answer."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from epicene.errors import RefusedError
from epicene.systems.network import chat as _chat
from epicene.types import Pair

PAIR = Pair("en", "de")
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no news
LINE = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1).filter(str.strip)
LINES = st.lists(LINE, min_size=2, max_size=12)


def lines(sources: list[str], texts: list[str]) -> list[str]:
    """What a model answers that copies each number."""
    numbers = [line.partition(".")[0] for line in _chat.number_lines(sources).split("\n")]
    return [f"{number}. {text}" for number, text in zip(numbers, texts, strict=True)]


@patient
@given(LINES, st.randoms())
def test_lines_come_back_in_their_places_whatever_their_order(texts: list[str], chance: Random) -> None:
    answer = lines(texts, texts)
    chance.shuffle(answer)
    assert _chat.read_numbered("\n".join(answer), len(texts)) == [text.strip() for text in texts]


@patient
@given(LINES, st.data())
def test_an_answer_with_a_line_too_few_or_too_many_is_refused(texts: list[str], data: st.DataObject) -> None:
    answer = lines(texts, texts)
    place = data.draw(st.integers(0, len(texts) - 1))
    skipped = answer[:place] + answer[place + 1 :]
    twice = [*answer, answer[place]]
    for spoilt in (skipped, twice):
        with pytest.raises(RefusedError):
            _chat.read_numbered("\n".join(spoilt), len(texts))


@patient
@given(LINES)
def test_a_model_that_counts_by_itself_is_found_out(texts: list[str]) -> None:
    for first in (0, 1, 11):
        counted = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, first))
        with pytest.raises(RefusedError):
            _chat.read_numbered(counted, len(texts))


@patient
@given(LINES, st.data())
def test_a_model_that_joins_lines_and_counts_on_is_found_out(texts: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(texts) - 2))
    joined = [*texts[:place], f"{texts[place]} {texts[place + 1]}", *texts[place + 2 :]]
    answer = lines(joined, joined)  # the right numbers, of one line fewer
    with pytest.raises(RefusedError):
        _chat.read_numbered("\n".join(answer), len(texts))


@patient
@given(LINE)
def test_a_sentence_is_sent_as_one_line_and_else_as_it_is(text: str) -> None:
    (line,) = _chat.number_lines([text]).split("\n")
    assert line.partition(". ")[2] == text.strip()


@patient
@given(LINE.filter(lambda text: not text.lstrip().startswith(("<think", "```"))))
def test_an_answer_like_its_source_stays_as_it_is(text: str) -> None:
    assert _chat.clean_answer(text, text, PAIR) == text.strip()


def test_words_before_and_after_the_lines_are_passed_over() -> None:
    answer = "\n".join(lines(["a", "b"], ["A", "B"]))
    assert _chat.read_numbered(f"Here are the translations:\n\n{answer}\n\nNote: all is well.", 2) == ["A", "B"]
    for spoilt in (f"{answer}\nSure:", f"Sure\n{answer}", answer.replace("\n", "\nand\n")):
        with pytest.raises(RefusedError, match="a line without a number"):
            _chat.read_numbered(spoilt, 2)


def test_line_breaks_within_a_sentence_become_spaces() -> None:
    assert re.sub(r"\d+", "#", _chat.number_lines(["one\r\n two", "three\u2028four"])) == "#. one two\n#. three four"


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
