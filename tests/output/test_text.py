"""Words from outside are shown as text, to the last character."""

from __future__ import annotations

import pytest

from epicene.text import LONGEST, clip, cut_pieces, mark_spans, visible
from epicene.types import Evidence


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\0b", "a␀b"),
        ("\x1b[31m", "␛[31m"),
        ("right \u202e to left", "right ␦ to left"),
        ("\u2066isolated\u2069", "␦isolated␦"),
        ("broken \ud800 half", "broken � half"),
        ("Ärztin 👩🏽‍🚀 רופאה", "Ärztin 👩🏽‍🚀 רופאה"),
    ],
)
def test_what_cannot_be_seen_is_shown_by_one_sign_each(text: str, seen: str) -> None:
    assert visible(text) == seen
    assert len(visible(text)) == len(text)
    visible(text).encode("utf-8")


def test_a_long_line_is_cut_and_says_so() -> None:
    text, cut = clip("x" * 10_000)
    assert (len(text), cut) == (LONGEST, 10_000 - LONGEST)


def test_marks_stand_where_the_evidence_is() -> None:
    evidence = (Evidence("La", 0, 2), Evidence("enfermera", 9, 18))
    found = cut_pieces("La buena enfermera.", mark_spans(evidence))
    assert [piece for piece, decided in found if decided] == ["La", "enfermera"]
    assert "".join(piece for piece, _ in found) == "La buena enfermera."


def test_marks_that_overlap_or_lie_past_the_cut_are_mended() -> None:
    evidence = (Evidence("bcd", 1, 4), Evidence("cde", 2, 5), Evidence("z", LONGEST + 5, LONGEST + 6))
    assert mark_spans(evidence) == [(1, 4), (4, 5)]
