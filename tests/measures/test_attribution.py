"""A wrong verdict on a cascade is attributed to where the gender was lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from epicene.measures.attribution import attribute
from epicene.tables import rows
from epicene.types import Gender, Hearing, Item, Origin, Person

PATH = Path(__file__).parent / "cases" / "attribution.tsv"
CASES = list(rows(PATH.read_text(encoding="utf-8"), PATH.name))


def _item(case: dict[str, str]) -> Item:
    focus = Person(case["person"], case["sentence"].index(case["person"]), case["person"])
    return Item("1", case["sentence"], focus, Gender(case["expected"]))


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_attributed_as_by_hand(case: dict[str, str]) -> None:
    found = attribute(_item(case), case["transcript"], Gender(case["spoken"]), Gender(case["written"]))
    assert (found.origin, found.cue) == (Origin(case["origin"]), Hearing(case["cue"]))
    assert found.written is Gender(case["written"])


def test_cases_cover_every_origin_and_cue() -> None:
    assert len(CASES) >= 60
    origins = Counter(case["origin"] for case in CASES)
    assert origins.keys() == set(Origin)
    assert sum(origins[name] for name in ("recognition", "translation", "both")) >= 50
    assert {case["cue"] for case in CASES} == set(Hearing)


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("spoken", list(Gender))
@pytest.mark.parametrize("written", list(Gender))
def test_every_verdict_has_one_origin_and_only_right_ones_are_right(
    kept: bool, spoken: Gender, written: Gender
) -> None:
    case = {"sentence": "The roofer ate her lunch.", "person": "roofer", "expected": "feminine"}
    transcript = "the roofer ate her lunch" if kept else "the roofer ate a lunch"
    origin = attribute(_item(case), transcript, spoken, written).origin
    assert (origin in (Origin.RIGHT, Origin.LUCK)) == (spoken is Gender.FEMININE)
    assert origin is not Origin.RECOGNITION or not kept
