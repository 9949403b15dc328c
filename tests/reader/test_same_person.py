"""A noun tells the gender of a pronoun that means the same person, if it is read surely enough."""

from __future__ import annotations

import pytest

from epicene.languages.folder import load
from epicene.reader.mentions import Text, Texts
from epicene.reader.reader import Reader as WholeReader
from epicene.reader.words import Decision
from epicene.types import Gender, Kind, Person

DOCTOR, NURSE = Person("doctor", 4, "doctor"), Person("nurse", 20, "nurse")

TEXT = Texts(load("es")).of("…")


class Reader(WholeReader):
    """Reads what it is told to."""

    def __init__(self, **readings: Decision) -> None:
        self._readings = readings

    def _read_any(self, source: str, person: Person, text: Text) -> Decision:
        return self._readings[person.text]


def told(**readings: tuple[Gender, float]) -> Decision | None:
    reader = Reader(**{name: Decision(gender, "noun", confidence=sure) for name, (gender, sure) in readings.items()})
    people = tuple(person for person in (DOCTOR, NURSE) if person.text in readings)
    return reader._told("The doctor said she …", people, TEXT)


@pytest.mark.parametrize(("confidence", "counts"), [(0.4, False), (0.41, True), (0.6, True), (0.89, True)])
def test_a_noun_tells_it_from_a_confidence_of_two_fifths(confidence: float, counts: bool) -> None:
    found = told(doctor=(Gender.FEMININE, confidence))
    assert (found is not None) is counts
    if found:
        assert (found.gender, found.confidence) == (Gender.FEMININE, pytest.approx(0.9 * confidence))
        assert found.step == "same person: noun"


def test_nouns_that_disagree_tell_nothing() -> None:
    assert told(doctor=(Gender.FEMININE, 0.8), nurse=(Gender.MASCULINE, 0.7)) is None
    assert told(doctor=(Gender.FEMININE, 0.8), nurse=(Gender.MASCULINE, 0.3)) is not None
    assert told(doctor=(Gender.NEUTRAL, 0.8)) is None
    best = told(doctor=(Gender.FEMININE, 0.5), nurse=(Gender.FEMININE, 0.7))
    assert best is not None and best.confidence == pytest.approx(0.63)


def test_a_name_whose_form_alone_shows_a_gender_tells_nothing() -> None:
    reader = Reader(Anna=Decision(Gender.FEMININE, "name form", confidence=0.9))
    name = Person("Anna", 0, "anna", kind=Kind.NAME)
    assert reader._told("Anna said she …", (name,), TEXT) is None
