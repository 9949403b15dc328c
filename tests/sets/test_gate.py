"""GATE from its published files: people of open gender, their variants, and rewriters."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene import score
from epicene.sets import load
from epicene.sets.gate import rows
from epicene.store.hypotheses import group_by_line
from epicene.types import Gender, Pair
from tests.sets.conftest import measure

NAME = "gate"
SIZES = {"es": (1824, 2170), "fr": (1994, 2438), "it": (1684, 2280)}  # sentences and people


@pytest.mark.parametrize("target", SIZES)
def test_every_person_is_an_item_and_those_of_a_sentence_share_its_line(added: Path, target: str) -> None:
    items = load("gate").items(Pair("en", target))
    lines = list(group_by_line(items))
    assert (len(lines), len(items)) == SIZES[target]
    for sharing in lines:
        assert len({item.source for item in sharing}) == 1
        for item in sharing:
            assert {gender for _, gender in item.references} == {Gender.FEMININE, Gender.MASCULINE}
            assert len(item.references) == 2 ** len(sharing)


def test_the_person_is_the_head_of_the_key_words(added: Path) -> None:
    items = load("gate").items(Pair("en", "es"))
    named = {item.id: item.person.text for item in items}
    assert named["0-0"] == "boss" and named["1-0"] == "workers"
    assert [item.person.text for item in items if item.source.startswith("Your doctor works with you")] == [
        "doctor",
        "you",
    ]


@pytest.mark.parametrize(("letter", "gender"), [("f", "feminine"), ("m", "masculine")])
def test_variants_are_read_as_what_they_are(added: Path, letter: str, gender: str) -> None:
    lines = [next(text for letters, text in row.variants.items() if set(letters) == {letter}) for row in rows("es")]
    result = measure("gate", "en-es", lines)
    other = {"feminine": "masculine", "masculine": "feminine"}[gender]
    assert (result[gender, "all"].value or 0) > 97
    assert (result[other, "all"].value or 0) < 0.5
    assert result["mixed", "sentences"].value == pytest.approx(0, abs=1)


def test_two_people_of_different_gender_are_mixed(added: Path) -> None:
    lines = [max(row.variants.items(), key=lambda each: len(set(each[0])))[1] for row in rows("es")]
    result = measure("gate", "en-es", lines)
    assert (result["mixed", "sentences"].value or 0) > 85


def test_rewriters_are_scored_as_published(added: Path) -> None:
    right = [row.variants["f"] for row in rows("es", size=2)]
    wrong = [row.variants["m"] for row in rows("es", size=2)]
    lines = ["" if n % 5 == 0 else right[n] if n % 5 < 4 else wrong[n] for n in range(len(right))]
    match = sum(line.strip() == want.strip() for line, want in zip(lines, right, strict=True))
    precision, recall = match / sum(map(bool, lines)), match / len(lines)
    result = score("gate:to-feminine", "en-es", lines)
    assert result["precision", "all"].value == pytest.approx(100 * precision)
    assert result["recall", "all"].value == pytest.approx(100 * recall)
    assert result["f0.5", "all"].value == pytest.approx(100 * 1.25 * precision * recall / (0.25 * precision + recall))
    own = [n for n, row in enumerate(rows("es", size=2)) if "FAM" in row.labels]
    assert result["recall", "FAM"].value == pytest.approx(100 * sum(lines[n] == right[n] for n in own) / len(own))
