"""The detector of protocol ``epicene`` reads what people read, and leaves little unread."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.labels import (
    LABELLED,
    agreement,
    disagreements,
    is_dialogue_right,
    is_passage_right,
    read_dialogues,
    read_passages,
    verdicts,
    without_someone,
)
from epicene.sets import files as store
from epicene.types import Gender

# Agreement with the people who judged WinoMT's translations, on all but someone and child; German and French judgements follow the pronoun there.
PEOPLE = {"es": 97, "it": 93, "ru": 94, "uk": 92, "he": 95, "ar": 93}
# A cleaner who became a thing (للنظافة, for cleanliness): no gender is to be detected, though people call it feminine.
THINGS = {("ar", "1456")}


@pytest.mark.parametrize(("set_name", "langs", "system"), [each for each in LABELLED if each[0] == "simplegen"])
def test_at_least_98_percent_of_the_simplegen_labels(published: Path, set_name: str, langs: str, system: str) -> None:
    n, wrong, unread = disagreements(set_name, langs, system)
    assert n == 300
    assert len(wrong) <= 0.02 * n
    assert unread <= 0.03


@pytest.mark.parametrize("langs", ["en-de", "en-fr"])
def test_at_least_97_percent_of_the_winomt_labels(published: Path, langs: str) -> None:
    parts = [disagreements(*each) for each in LABELLED if each[:2] == ("winomt", langs)]
    assert sum(n for n, _, _ in parts) == 150
    assert sum(len(wrong) for _, wrong, _ in parts) <= 0.03 * 150


@pytest.mark.parametrize("language", PEOPLE)
def test_agreement_with_people(published: Path, language: str) -> None:
    store.add("winomt", published / "winomt")
    labels = verdicts(published, language)
    things = [verdict for _, verdict in labels if (language, verdict.output.item.id) in THINGS]
    assert all(verdict.gender is Gender.UNKNOWN for verdict in things)
    right, n = agreement(without_someone([each for each in labels if each[1] not in things]))
    assert 100 * right / n >= PEOPLE[language]


@pytest.mark.parametrize("language", ["cs", "es"])
def test_at_least_97_percent_of_the_labels_of_dialogues(published: Path, language: str) -> None:
    found = list(read_dialogues(published, language))
    for draw in {each.label.draw for each in found}:
        rows = [each for each in found if each.label.draw == draw]
        assert len(rows) == 200
        assert sum(is_dialogue_right(each.label.agrees, each.agrees) for each in rows) >= 0.97 * len(rows)


def test_at_least_97_percent_of_the_labels_of_passages(published: Path) -> None:
    store.add("mittens", published / "mittens_dataset_v5.csv.gz")
    found = read_passages()
    assert len(found) == 200
    assert sum(is_passage_right(*each) for each in found) >= 0.97 * len(found)
