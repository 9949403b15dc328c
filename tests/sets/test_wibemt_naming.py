"""The detector of WiBeMT reads words for the occupation, and calls all else unknown, saying why."""

from __future__ import annotations

import pytest

from epicene.reader.reader import Reader
from epicene.sets.wibemt.detectors import Naming
from epicene.types import Gender
from tests.conftest import output

F, M, N, U = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN


@pytest.mark.parametrize(
    ("focus", "text", "gender", "method"),
    [
        ("nurse", "Die Krankenschwester häkelt.", F, "lexicon"),
        ("clerk", "Der Angestellte häkelt.", M, "agreement"),
        ("cleaner", "Die Reinigungskraft häkelt.", N, "lexicon"),
        ("dancer", "Die Tänzerin oder der Tänzer häkelt.", N, "doublet"),
        ("CTO", "Die CTO häkelt.", F, "agreement"),
        ("sheriff", "Der Sheriff häkelt.", M, "agreement"),
        ("manager", "Die rüstige managerin häkelt.", F, "lexicon"),
        ("mover", "Der Mover häkelt.", U, "untranslated"),
        ("paralegal", "Der Paralegal häkelt.", U, "untranslated"),
        ("driver", "Der Treiber häkelt.", U, "near-word"),
        ("practitioner", "Die Praktizierende häkelt.", U, "near-word"),
        ("mover", "Die Bäckerin häkelt.", U, "other-word"),
        ("mover", "Die Schampusmacherin häkelt.", U, "none"),
        ("mover", "", U, "none"),
    ],
)
def test_only_a_word_for_the_occupation_counts(focus: str, text: str, gender: Gender, method: str) -> None:
    found = output(f"The {focus} crochets.", text, focus, focus.lower())
    (verdict,) = Naming("de").detect([found])
    assert (verdict.gender, verdict.step) == (gender, method)


def test_what_is_set_aside_keeps_its_words_as_evidence() -> None:
    (verdict,) = Naming("de").detect([output("The mover crochets.", "Der Mover häkelt.", "mover")])
    assert "Mover" in [each.text for each in verdict.evidence]


@pytest.mark.parametrize(
    ("target", "text", "gender"),
    [
        ("es", "La doctora teje.", F),
        ("es", "El doctor teje.", M),
        ("fr", "La docteure tricote.", F),
        ("it", "La dottoressa lavora.", F),
        ("ru", "Врач вяжет.", M),
    ],
)
def test_other_languages_are_read_too(target: str, text: str, gender: Gender) -> None:
    (verdict,) = Naming(target).detect([output("The doctor knits.", text, "doctor", target=target)])
    assert verdict.gender is gender


def test_the_identity_tells_it_from_the_cascade() -> None:
    assert Reader("de").identity in Naming("de").identity
    assert Naming("de").identity != Reader("de").identity
