"""MT-GenEval's contextual part: both sentences or one, and the gender that the first one tells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from epicene.sets import load
from epicene.types import Gender, Pair
from tests.sets.conftest import measure

NAME = "mt-geneval-context"
SHE, HE = re.compile(r"\b(?:she|her|herself)\b", re.I), re.compile(r"\b(?:he|his|him|himself)\b", re.I)


@pytest.mark.parametrize("target", ["ar", "de", "es", "fr", "hi", "it", "nl", "pt", "ru"])
def test_the_gender_fits_the_sentence_before(added: Path, target: str) -> None:
    items = load("mt-geneval-context").items(Pair("en", target))
    assert 1078 <= len(items) <= 1100
    told = {}
    for item in items:
        she, he = (len(pattern.findall(" ".join(item.context))) for pattern in (SHE, HE))
        if she != he:
            told[item.id] = item.expected is (Gender.FEMININE if she > he else Gender.MASCULINE)
        assert item.source.startswith(" ".join(item.context))
    assert len(told) > 900 and sum(told.values()) / len(told) > 0.98


def test_the_sentence_alone_is_the_end_of_both(added: Path) -> None:
    both, alone = (load(f"mt-geneval-context:{mode}").items(Pair("en", "de")) for mode in ("joined", "none"))
    for first, second in zip(both, alone, strict=True):
        assert first.source.endswith(second.source) and first.references == second.references
        assert first.person.text == second.person.text


@pytest.mark.parametrize("target", ["de", "nl"])
def test_right_and_wrong_references_are_told_apart(added: Path, target: str) -> None:
    items = load("mt-geneval-context:none").items(Pair("en", target))
    right, wrong = ([item.references[n].text for item in items] for n in (0, 1))
    assert (measure("mt-geneval-context:none", f"en-{target}", right)["accuracy", "all"].value or 0) > 99
    assert (measure("mt-geneval-context:none", f"en-{target}", wrong)["wrong", "all"].value or 0) > 99
