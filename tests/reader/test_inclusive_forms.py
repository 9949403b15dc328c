"""Forms that name everybody are neutral and keep their strategy; people of our own sentences are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.flow.explain import explain
from epicene.reader.reader import build
from epicene.store.records import read_verdict, verdict_line
from epicene.tables import rows
from epicene.types import Item, Output, Person, Verdict
from tests.reader import decide

FOLDER = Path(__file__).parent
FORMS, PEOPLE, BOTH, EVERYDAY = (
    list(rows((FOLDER / name).read_text(encoding="utf-8"), name))
    for name in ("inclusive.tsv", "people.tsv", "both.tsv", "everyday.tsv")
)


def read(row: dict[str, str]) -> Verdict:
    if row["language"] != "en":
        return explain(row["source"], f"en-{row['language']}", row["translation"], row["person"]).verdicts[0]
    item = Item("1", row["source"], Person(row["person"], 0, row["person"]), None, {})
    return next(iter(build("en").detect([Output(item, "own", "en", row["translation"])])))


def share_right(own: list[dict[str, str]]) -> float:
    verdicts = [(row, read(row)) for row in own]
    right = [v.gender == row["gender"] and (v.inclusive or "") == row["inclusive"] for row, v in verdicts]
    return sum(right) / len(own)


@pytest.mark.parametrize("language", sorted({row["language"] for row in FORMS}))
def test_forms_that_name_everybody_are_told_from_others(language: str) -> None:
    assert share_right([row for row in FORMS if row["language"] == language]) > 0.9


@pytest.mark.parametrize("language", sorted({row["language"] for row in PEOPLE}))
def test_people_are_read_in_languages_without_labels_of_others(language: str) -> None:
    assert share_right([row for row in PEOPLE if row["language"] == language]) >= 0.9


@pytest.mark.parametrize("half", ["seen", "kept"])
def test_people_of_everyday_sentences_are_read_whether_the_translation_is_right_or_not(half: str) -> None:
    verdicts = [(row, read(row).gender) for row in EVERYDAY if row["half"] == half]
    wrong = [row for row, gender in verdicts if gender in ("feminine", "masculine") and gender != row["gender"]]
    assert sum(gender == row["gender"] for row, gender in verdicts) >= 0.96 * len(verdicts)
    assert len(wrong) <= (0.03 if half == "kept" else 0.01) * len(verdicts)


@pytest.mark.parametrize("half", ["seen", "kept"])
def test_answers_that_name_both_genders_are_told_from_near_misses(half: str) -> None:
    own = [row | {"translation": row["translation"].replace(r"\n", "\n")} for row in BOTH if row["half"] == half]
    verdicts = [(row["both"], read(row)) for row in own]
    named = [verdict.inclusive is not None and verdict.gender == "neutral" for both, verdict in verdicts if both]
    missed = [verdict.inclusive is not None for both, verdict in verdicts if not both]
    assert (len(named), len(missed)) in ((80, 44), (79, 44))
    assert sum(named) >= 0.97 * len(named)
    assert sum(missed) == 0


def test_a_spelling_may_be_all_that_a_translation_says() -> None:
    (verdict,) = explain("Teachers", "en-de", "Lehrer:innen", "Teachers").verdicts
    assert (verdict.gender, verdict.inclusive) == ("neutral", "colon")


def test_the_same_sentence_gets_the_same_verdict_whatever_was_read_before() -> None:
    sentences = [*FORMS, *PEOPLE, *EVERYDAY]
    build.cache_clear()
    forwards = [read(row) for row in sentences]
    assert forwards == [read(row) for row in sentences]  # by what is remembered
    build.cache_clear()
    assert forwards[::-1] == [read(row) for row in sentences[::-1]]


def test_two_people_are_no_doublet() -> None:
    verdicts = explain("My brother and my sister came.", "en-es", "Mi hermano y mi hermana vinieron.").verdicts
    assert {verdict.inclusive for verdict in verdicts} == {None}


def test_a_strategy_is_explained_and_stored() -> None:
    told = explain("The users log in.", "en-de", "Die Nutzer:innen melden sich an.", "users")
    assert told.records()[0]["inclusive"] == "colon"
    assert read_verdict(told.records()[0], "here").inclusive == "colon"
    assert "inclusive" not in verdict_line(told.verdicts[0]._replace(inclusive=None))


def test_an_ordinary_word_is_no_spelling() -> None:
    read = decide("es", "The father slept.", "father", "El padre durmió.")
    assert (read.gender, read.inclusive) == ("masculine", None)
