"""A verdict's confidence says how often verdicts like it are right; what found nothing has none."""

from __future__ import annotations

import math
import tomllib

import pytest

from epicene.flow.explain import explain
from epicene.languages import LANGUAGES
from epicene.reader.confidence import calibrate, describe
from epicene.tables import resource
from epicene.types import Evidence, Gender, Item, Kind, Output, Person, Verdict

TABLE = tomllib.loads(resource("reader", "confidence.toml").read_text(encoding="utf-8"))


def read(langs: str, source: str, text: str, person: str) -> Verdict:
    (verdict,) = explain(source, langs, text, person)
    return verdict


def test_what_found_nothing_has_no_confidence() -> None:
    verdict = read("en-es", "The astronaut left.", "…", "astronaut")
    assert verdict.gender is Gender.UNKNOWN and verdict.confidence is None


def test_the_confidence_is_the_logistic_function_of_the_weights() -> None:
    verdict = read("en-es", "The nurse left.", "La enfermera se fue.", "nurse")._replace(confidence=None)
    total = sum(TABLE["weights"].get(feature, 0.0) for feature in describe(verdict))
    assert calibrate(verdict).confidence == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-3)


def test_a_contradicted_word_is_less_sure() -> None:
    plain = read("en-fr", "The swimmer won.", "La nageuse a gagné.", "swimmer")
    against = read("en-fr", "The swimmer won.", "Le nageuse a gagné.", "swimmer")
    assert plain.confidence and against.confidence and against.confidence < plain.confidence


def test_a_listed_word_is_surer_than_a_word_at_the_place_alone() -> None:
    listed = read("en-es", "The nurse left.", "La enfermera se fue.", "nurse")
    alone = read("en-es", "The zorblatter left.", "La vecina se fue.", "zorblatter")
    assert listed.confidence and listed.confidence >= 0.95
    assert alone.confidence is None or alone.confidence < listed.confidence


def test_every_language_has_a_family_but_english() -> None:
    codes = {code for codes in TABLE["families"].values() for code in codes.split()}
    assert set(LANGUAGES.names()) - codes == {"en"}


def describes(
    confidence: float | None = 0.5,
    step: str = "translated form",
    gender: Gender = Gender.FEMININE,
    person: str = "astronaut",
    kind: Kind = Kind.NOUN,
    source: str = "The astronaut left.",
    text: str = "La astronauta se fue.",
    word: str = "astronauta",
    others: int = 0,
    plural: bool = False,
    against: bool = False,
) -> list[str]:
    """The features of a verdict on a person of a Spanish translation."""
    somebody = Person(person, source.index(person), person.lower(), plural, kind)
    item = Item("1", source, somebody, None, others=(Person("other", 0, "other"),) * others)
    evidence = Evidence(word, text.index(word), text.index(word) + len(word))
    verdict = Verdict(Output(item, "s", "es", text), gender, step, (evidence,), None, confidence)
    return sorted(describe(verdict._replace(against=(evidence,)) if against else verdict))


PLAIN = ["always", "certainty 1", "distance 0", "family romance", "kind noun", "step form", "step translated"]


def test_a_decision_is_described_by_all_that_tells_how_sure_it_is() -> None:
    assert describes() == PLAIN
    assert describes(gender=Gender.NEUTRAL) == sorted([*PLAIN, "neutral", "neutral form"])
    assert "neutral lexicon" in describes(gender=Gender.NEUTRAL, step="lexicon")
    assert describes(others=1) == describes() and describes(others=2) == sorted([*PLAIN, "several others"])
    assert describes(plural=True) == sorted([*PLAIN, "plural"])
    assert describes(against=True) == sorted([*PLAIN, "contradicted"])
    assert "occupation" in describes(source="The nurse left.", person="nurse")
    assert "listed romance" in describes(None) and "certainty 1" not in describes(None)
    assert "capital" in describes(text="Se fue Astronauta.", word="Astronauta")
    assert "capital" not in describes(text="Astronauta.", word="Astronauta")
    for words, is_long in ((25, False), (26, True)):
        source = "The astronaut" + " left" * (words - 2)
        assert ("long" in describes(source=source, text="x" * 9 + " astronauta" + " y" * 200)) is is_long


@pytest.mark.parametrize(("confidence", "rank"), [(0.39, 0), (0.4, 1), (0.6, 2), (0.75, 3), (0.85, 4), (0.95, 5)])
def test_certainty_is_described_by_its_rank(confidence: float, rank: int) -> None:
    assert f"certainty {rank}" in describes(confidence)


@pytest.mark.parametrize(("before", "rank"), [(9, 0), (11, 1), (24, 1), (26, 2), (70, 2)])
def test_distance_is_described_by_its_rank(before: int, rank: int) -> None:
    text = f"{'-' * before}astronauta".ljust(100, "-")
    assert f"distance {rank}" in describes(source="astronaut left", text=text)


@pytest.mark.parametrize(
    ("person", "kind", "feature"),
    [
        ("She", Kind.PRONOUN, "pronoun 3"),
        ("I", Kind.PRONOUN, "pronoun 1"),
        ("Ann", Kind.NAME, "kind name"),
        ("mother", Kind.NOUN, "kind gendered"),
        ("someone", Kind.NOUN, "kind anybody"),
        ("people", Kind.NOUN, "kind anybody"),
    ],
)
def test_people_are_described_by_what_names_them(person: str, kind: Kind, feature: str) -> None:
    assert feature in describes(source=f"{person} left.", person=person, kind=kind)
