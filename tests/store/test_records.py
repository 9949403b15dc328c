"""What is written of items, outputs and verdicts is read back as it was, by this version and from older ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import epicene
from epicene.errors import InputError
from epicene.store.records import decode, encode, output_line, parse, read_output, read_verdict, verdict_line
from epicene.types import (
    Accepted,
    Attribution,
    ErrorSource,
    Evidence,
    Gender,
    Hearing,
    Item,
    Kind,
    Measure,
    Output,
    Person,
    Transcription,
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
OUTPUTS = [Output(FULL, "s", "he", "נהגת \u202e", Transcription("the truck", "הנהגת")), Output(PLAIN, "s", "en", "")]


@pytest.mark.parametrize("output", OUTPUTS)
def test_an_output_comes_back_whole(output: Output) -> None:
    assert read_output(json.loads(json.dumps(output_line(output))), "here") == output


def test_a_verdict_comes_back_whole() -> None:
    cause = Attribution(ErrorSource.BOTH, Hearing.LOST, Gender.MASCULINE)
    against = (Evidence("er", 5, 7),)
    verdict = Verdict(OUTPUTS[0], Gender.FEMININE, "lexicon", (Evidence("נהגת", 0, 4),), cause, 0.75, against)
    assert read_verdict(json.loads(json.dumps(verdict_line(verdict))), "here") == verdict


def test_an_origin_that_0_2_called_unread_is_undetected() -> None:
    assert decode(Attribution, {"origin": "unread", "cue": "kept", "written": "unknown"}, "here") == Attribution(
        ErrorSource.UNDETECTED, Hearing.KEPT, Gender.UNKNOWN
    )


def test_a_run_folder_of_0_1_0_still_opens() -> None:
    (result,) = epicene.open_run(OLD).results
    first = result.verdicts[0]
    assert result.signature.endswith("v:0.1.0")
    assert (first.output.item.person.text, first.gender, first.step) == ("doctor", Gender.FEMININE, "lexicon")
    assert replace(first.output.item, labels={}).others == ()


def test_what_is_written_is_what_a_record_holds_and_nothing_that_is_empty() -> None:
    assert encode(Measure("wer", "all", None, "%", 3, why="too few")) == {
        "name": "wer", "group": "all", "value": None, "unit": "%", "n": 3, "why": "too few"
    }  # fmt: skip
    assert encode(Measure("wer", "all", float("nan"), "%", 3))["value"] is None


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        (Measure, [], r"it is \[\]; expected an object"),
        (Measure, {"name": "a", "group": "b", "value": 1, "unit": "%"}, "no n$"),
        (Measure, {"name": "a", "group": "b", "value": "1", "unit": "%", "n": 1}, 'value is "1"; expected a number'),
        (
            Measure,
            {"name": "a", "group": "b", "value": 1, "unit": "%", "n": True},
            "n is true; expected a whole number",
        ),
        (Measure, {"name": "a", "group": "b", "value": 1, "unit": "%", "n": 2**60}, "expected a whole number"),
        (Item, {"id": "1", "source": "a", "person": {"text": "a", "start": 0}, "expected": None}, "no person.concept"),
        (Item, {"id": "1", "source": "a", "person": {}, "expected": "she"}, "no person.text"),
        (Verdict, {"gender": "she"}, "no output"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(kind: type, data: object, says: str) -> None:
    with pytest.raises(InputError, match=f"^file:3: .*{says}"):
        decode(kind, data, "file:3")


@pytest.mark.parametrize("text", ["{", "NaN", '"\\ud800"', "[" * 100_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="file:3: not JSON"):
        parse(text, "file:3")


def test_places_within_lists_are_named() -> None:
    line = verdict_line(Verdict(OUTPUTS[0], Gender.FEMININE, "lexicon", (Evidence("a", 0, 1),)))
    line["evidence"][0][1] = "x"
    with pytest.raises(InputError, match=r'here: evidence\[0\]\.start is "x"; expected a whole number'):
        read_verdict(line, "here")
    line["gender"] = "she"
    with pytest.raises(InputError, match='gender is "she"; expected one of feminine'):
        read_verdict(line, "here")


def test_lines_of_older_formats_are_brought_up_to_date_one_step_after_the_other() -> None:
    verdict = Verdict(OUTPUTS[0], Gender.FEMININE, "lexicon", (Evidence("a", 0, 1),))
    line = verdict_line(verdict)
    del line["step"]
    assert read_verdict(line, "here", written_in=2) == verdict
    line["focus"] = line.pop("person")
    assert read_verdict(line, "here", written_in=1) == verdict
    with pytest.raises(InputError, match="here: no person"):
        read_verdict(line, "here")
