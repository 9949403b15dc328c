"""MT-GenEval from its published files: the sentences, their people, and input that is not what it should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene import score
from epicene.errors import EvidenceError, InputError
from epicene.sets import load
from epicene.types import Gender, Kind, Pair

NAME = "mt-geneval"
GERMAN = Pair("en", "de")


def test_every_sentence_stands_there_about_a_woman_and_a_man(added: Path) -> None:
    challenge = load("mt-geneval")
    for target in challenge.about.targets:
        items = challenge.items(Pair("en", target))
        assert len(items) == 600
        for woman, man in zip(items[:300], items[300:], strict=True):
            assert (woman.expected, man.expected) == (Gender.FEMININE, Gender.MASCULINE)
            assert woman.unit == man.unit == woman.labels["pair"]
            assert woman.references == man.references


def test_the_person_is_the_first_word_that_tells_the_gender(added: Path) -> None:
    items = {item.id: item for item in load("mt-geneval").items(GERMAN)}
    assert (items["f0"].person.text, items["m0"].person.text) == ("her", "his")
    assert items["f0"].person.kind is Kind.PRONOUN
    assert items["f2"].person.text == "ladylike"
    kinds = [item.person.kind for item in items.values()]
    assert kinds.count(Kind.PRONOUN) == 373


def halves(added: Path) -> tuple[list[str], list[str]]:
    items = load("mt-geneval").items(GERMAN)
    own = [next(text for text, gender in item.references if gender is item.expected) for item in items]
    return own[:300], own[300:]


def test_references_are_right_and_pairs_are_counted(added: Path) -> None:
    women, men = halves(added)
    result = score("mt-geneval", "en-de", [*women, *men])
    assert (result["accuracy"].value or 0) > 99
    assert (result["both_right", "pairs"].value or 0) > 98
    assert result["chrf", "feminine"].value == pytest.approx(100)
    assert result["wrong"].count == 0


def test_swapped_halves_are_refused(added: Path) -> None:
    women, men = halves(added)
    with pytest.raises(EvidenceError, match="as if the two halves were swapped; expected the feminine sentences first"):
        score("mt-geneval", "en-de", [*men, *women])
    with pytest.raises(EvidenceError, match="300 of 300 pairs have one translation for the woman and the man"):
        score("mt-geneval", "en-de", [*men, *men])


def test_one_gender_alone_is_refused(added: Path) -> None:
    with pytest.raises(InputError, match="has 300 lines, the set has 600 sentences, of which one gender has half"):
        score("mt-geneval", "en-de", halves(added)[0])
