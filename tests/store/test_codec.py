"""What is written of items, outputs and verdicts is read back as it was, by this version and from older ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import epicene
from epicene.store.codec import output_of, output_record, verdict_of, verdict_record
from epicene.types import (
    Accepted,
    Cause,
    Evidence,
    Gender,
    Heard,
    Hearing,
    Item,
    Kind,
    Origin,
    Output,
    Person,
    Verdict,
)

OLD = Path(__file__).parent / "runs" / "format1"
PLAIN = Item("2", "ő egy orvos", Person("orvos", 7, "doctor"), None)
FULL = Item(
    "1/slt",
    "The truck driver told her.",
    Person("truck driver", 4, "truck driver"),
    Gender.FEMININE,
    {"group": "a\tb"},
    Path("/sounds/a.wav"),
    "The …",
    (Person("her", 22, "her", kind=Kind.PRONOUN),),
    ("Mary came.", "She sat down."),
    (Accepted("Die Fahrerin …", Gender.FEMININE), Accepted("Der Fahrer …", Gender.MASCULINE), Accepted("…")),
)
OUTPUTS = [Output(FULL, "s", "he", "נהגת \u202e", Heard("the truck", "הנהגת")), Output(PLAIN, "s", "en", "")]


@pytest.mark.parametrize("output", OUTPUTS)
def test_an_output_comes_back_whole(output: Output) -> None:
    assert output_of(json.loads(json.dumps(output_record(output)))) == output


def test_a_verdict_comes_back_whole() -> None:
    cause = Cause(Origin.BOTH, Hearing.LOST, Gender.MASCULINE)
    against = (Evidence("er", 5, 7),)
    verdict = Verdict(OUTPUTS[0], Gender.FEMININE, "lexicon", (Evidence("נהגת", 0, 4),), cause, 0.75, against)
    assert verdict_of(json.loads(json.dumps(verdict_record(verdict)))) == verdict


def test_a_run_folder_of_0_1_0_still_opens() -> None:
    (result,) = epicene.open_run(OLD).results
    first = result.verdicts[0]
    assert result.signature.endswith("v:0.1.0")
    assert (first.output.item.person.text, first.gender, first.step) == ("doctor", Gender.FEMININE, "lexicon")
    assert replace(first.output.item, labels={}).others == ()
