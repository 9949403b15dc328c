"""Spoken sets: a set's sentences with the recordings of a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from epicene import sets
from epicene.errors import DataMissingError, InputError
from epicene.speech import manifest
from epicene.types import Gender, Pair
from tests.recordings import SENTENCES, custom, recorded

PAIR = Pair("en", "es")


@pytest.fixture
def spoken(tmp_path: Path) -> str:
    return f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"


def _change(folder: Path, line: int, **values: str) -> None:
    path = folder / manifest.NAME
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | values)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_each_sentence_by_each_voice_in_the_order_of_the_set(spoken: str, tmp_path: Path) -> None:
    items = list(sets.load(spoken).items(PAIR))
    assert [item.id for item in items] == [f"{key}/{voice}" for key in SENTENCES for voice in ("rms", "slt")]
    first = items[0]
    assert (first.source, first.expected, first.person.text) == (SENTENCES["1"], Gender.FEMININE, "carpenter")
    assert first.audio == tmp_path / "audio" / "rms" / "1.wav"
    assert first.labels["speaker"] == "male"
    assert first.labels["sha256"] == manifest.checksum(first.audio)


def test_a_part_of_a_set_may_be_spoken(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "audio", {"3": SENTENCES["3"]}, ["slt"])
    assert [item.id for item in sets.load(f"spoken:{custom(tmp_path)}@{folder}").items(PAIR)] == ["3/slt"]


def test_the_version_follows_the_recordings(spoken: str, tmp_path: Path) -> None:
    before = sets.load(spoken).version()
    _change(tmp_path / "audio", 0, sha256="0" * 64)
    assert sets.load(spoken).version() != before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": "9", "text": "The carpenter slept."}, "sentence '9' is not in custom, which has 4"),
        ({"text": "The carpenter slept."}, "but the recording says 'The carpenter slept.'"),
    ],
)
def test_recordings_of_other_sentences_are_left_out_and_told_with_their_line(
    spoken: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, change: dict[str, str], told: str
) -> None:
    _change(tmp_path / "audio", 2, **change)
    assert len(list(sets.load(spoken).items(PAIR))) == 7
    (warning,) = caplog.messages
    assert warning.startswith("warning: 1 of 8 recordings are left out")
    assert f"{manifest.NAME}:3: " in warning
    assert told in warning


def test_a_folder_of_another_set_alone_is_refused(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "audio", {"1": "The carpenter slept.", "9": "The nurse slept."})
    with pytest.raises(InputError, match=r"manifest\.jsonl:1: .* For those of any set: -t spoken:SET@DIR"):
        list(sets.load(f"spoken:{custom(tmp_path)}@{folder}").items(PAIR))


def test_sentences_that_another_set_numbers_otherwise_are_found_by_their_text(tmp_path: Path) -> None:
    other = {"a": SENTENCES["3"], "1": SENTENCES["2"].replace("his bus", "his  bus"), "4": SENTENCES["4"]}
    folder = recorded(tmp_path / "audio", other, ["slt"])
    items = list(sets.load(f"spoken:{custom(tmp_path)}@{folder}").items(PAIR))
    assert [(item.id, item.audio and item.audio.name) for item in items] == [
        ("2/slt", "1.wav"),
        ("3/slt", "a.wav"),
        ("4/slt", "4.wav"),
    ]
    assert items[0].source == SENTENCES["2"]


def test_no_manifest_an_empty_one_and_no_folder(tmp_path: Path) -> None:
    table = custom(tmp_path)
    with pytest.raises(DataMissingError, match="epicene speech synthesize"):
        list(sets.load(f"spoken:{table}@{tmp_path}").items(PAIR))
    (tmp_path / manifest.NAME).touch()
    with pytest.raises(InputError, match="lists no recording"):
        list(sets.load(f"spoken:{table}@{tmp_path}").items(PAIR))
    with pytest.raises(InputError, match="expected a set and a folder"):
        list(sets.load("spoken:simplegen").items(PAIR))


def test_references_for_bleu_lie_beside_the_manifest(spoken: str, tmp_path: Path) -> None:
    path = tmp_path / "audio" / "references.es.tsv"
    path.write_text("2\tEl enfermero.\n", encoding="utf-8")
    found = {item.id: item.labels.get("translation") for item in sets.load(spoken).items(PAIR)}
    assert found["2/slt"] == "El enfermero."
    assert found["1/slt"] is None
    path.write_text("2 El enfermero.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"references\.es\.tsv:1: expected"):
        list(sets.load(spoken).items(PAIR))
    path.write_text("2\tEl enfermero.\n7\tLa jueza.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"references\.es\.tsv:2: the set has no sentence '7'"):
        list(sets.load(spoken).items(PAIR))


def test_the_measures_of_a_spoken_set_are_those_of_the_set(spoken: str) -> None:
    assert sets.of_result("spoken:custom").measures is sets.load(spoken).measures is sets.plain("custom").measures
    assert sets.of_result("spoken:simplegen").measures is sets.load("simplegen").measures
    assert sets.of_result("winost").measures is sets.plain("winomt").measures


def test_winost_is_known_without_its_recordings_and_says_how_to_get_them() -> None:
    challenge = sets.load("winost")
    assert challenge.about.title.startswith("WinoST")
    with pytest.raises(DataMissingError, match="epicene data add winost"):
        list(challenge.items(PAIR))


@pytest.mark.data
def test_winost_of_a_folder_is_winomt_read_aloud(published: Path, tmp_path: Path) -> None:
    from epicene.sets.files import add

    add("winomt", published / "winomt")
    sentences = {item.id: item.source for item in list(sets.load("winomt").items(PAIR))[:3]}
    items = list(sets.load(f"winost:{recorded(tmp_path, sentences)}").items(PAIR))
    assert [item.labels["sentence"] for item in items] == ["0", "0", "1", "1", "2", "2"]
    assert {item.labels["subset"] for item in items} <= {"pro", "anti", "winogender"}
