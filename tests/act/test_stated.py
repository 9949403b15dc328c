"""What an English sentence states of the gender of its people, and of whom it does not say so."""

from __future__ import annotations

import pytest

from epicene.act.stated import find_stated


def said(source: str) -> list[str]:
    return [f"{'' if each.sure else '? '}{each}" for each in find_stated(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("The carpenter screamed when she saw the mouse.", ["carpenter: feminine (she)"]),
        ("My sister is a carpenter.", ["carpenter: feminine (sister)"]),
        ("Alex's brother became a nurse.", ["nurse: masculine (brother)"]),
        ("Female truck drivers earn less.", ["truck drivers: feminine (Female)"]),
        ("As a nurse, he is very competent.", ["nurse: masculine (he)"]),
        ("I talked to her, she is a plumber.", ["plumber: feminine (she)"]),
        ("Though she argued, the carpenter was always respectful.", ["carpenter: feminine (she)"]),
        ("The carpenters with the highest rate, were women.", ["carpenters: feminine (women)"]),
        # An object is not the subject of its clause.
        ("The chief thanked the cook and hugged her.", ["cook: feminine (her)"]),
        ("The doctor asked the nurse to help her.", ["doctor: feminine (her)"]),
        # Either may be meant, and only the world would tell who.
        ("The guard called the clerk because she was late.", ["? guard or clerk: feminine (she)"]),
    ],
)
def test_a_sentence_states_the_gender_of(source: str, expected: list[str]) -> None:
    assert said(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "The doctor met the nurse.",
        "The patient said that they were tired.",
        "The plumber saw him.",  # somebody else
        "She helped the nurse.",  # somebody else
        "It rained.",
        "",
    ],
)
def test_nothing_is_stated_of_anybody(source: str) -> None:
    assert said(source) == []


def test_somebody_elses_sister_tells_nothing_of_the_nurse() -> None:
    assert said("The nurse met his sister.") == ["nurse: masculine (his)"]
