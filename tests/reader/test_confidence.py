"""A verdict's confidence says how often verdicts like it are right; what found nothing has none."""

from __future__ import annotations

import math
import tomllib

import pytest

from epicene.flow.explain import explain
from epicene.languages import LANGUAGES
from epicene.reader.confidence import calibrate, describe
from epicene.tables import resource
from epicene.types import Gender, Verdict

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
