"""Cascades: a recogniser and a translator by one name; speech and text are never mixed up."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

import epicene
from epicene.errors import InputError
from epicene.speech import audio, manifest
from epicene.systems.local.cascade import Cascade
from tests.recordings import SENTENCES, answering, asked, custom, recorded
from tests.systems.speech import open_speech


@pytest.mark.parametrize(
    ("spec", "recogniser", "translator"),
    [
        ("cascade:command:hear+echo", "command:hear", "echo"),
        ("cascade:command:hear++ -x+echo", "command:hear++ -x", "echo"),
        ("cascade:command:a+echo+command:b+c", "command:a+echo", "command:b+c"),
        ("cascade:oracle+command:turn a+b c", "oracle", "command:turn a+b c"),
    ],
)
def test_the_name_is_cut_where_a_system_begins(spec: str, recogniser: str, translator: str) -> None:
    found = open_speech(spec)
    assert isinstance(found, Cascade)
    assert found.identity == f"cascade:{recogniser}+{translator}"


@pytest.mark.parametrize("spec", ["cascade:", "cascade:pocketsphinx", "cascade:+bundled", "cascade:oracle+nothing"])
def test_half_a_cascade_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match=r"expected RECOGNISER\+SYSTEM"):
        open_speech(spec)


def test_a_file_of_translations_cannot_translate_transcripts() -> None:
    with pytest.raises(InputError, match="translates nothing new"):
        open_speech("cascade:oracle+file:hyp.es")


def test_text_systems_never_get_speech_nor_speech_systems_text(tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    with pytest.raises(InputError, match=r"cascade:pocketsphinx\+echo.*cascade:oracle\+echo"):
        epicene.audit([spoken], ["en-es"], ["echo"])
    for spec in ("cascade:oracle+echo", "command-speech:cat"):
        with pytest.raises(InputError, match="translates speech, not text"):
            epicene.audit(["simplegen"], ["en-es"], [spec])


def test_the_oracle_translates_what_was_said(tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    (result,) = epicene.audit([spoken], ["en-es"], ["cascade:oracle+echo"]).results
    assert [verdict.output.text for verdict in result.verdicts[::2]] == list(SENTENCES.values())
    assert result["wer"].value == 0


def test_a_program_interprets_recordings_and_is_asked_once_for_each(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "audio")
    command = answering(
        tmp_path, "interpreter", {"1": "La carpintera", "2": "El enfermero", "3": "", "rms/4": "El cocinero"}
    )
    spoken, system = f"spoken:{custom(tmp_path)}@{folder}", f"command-speech:{command}"
    (result,) = epicene.audit([spoken], ["en-es"], [system], anyway=True).results
    texts = {verdict.output.item.id: verdict.output.text for verdict in result.verdicts}
    assert texts["1/slt"] == texts["1/rms"] == "La carpintera"
    assert (texts["4/rms"], texts["4/slt"]) == ("El cocinero", "")
    assert result.decoding
    assert result.decoding.sentences == 8
    assert not any(measure.name == "wer" for measure in result.measures)
    assert {measure.group for measure in result.measures if measure.name == "speaker_gap"} == {"accuracy"}
    before = asked(tmp_path, "interpreter")
    again = folder.rename(tmp_path / "moved")
    (second,) = epicene.audit([f"spoken:{custom(tmp_path)}@{again}"], ["en-es"], [system], anyway=True).results
    assert asked(tmp_path, "interpreter") == before
    assert second.measures == result.measures


def _spoil(path: Path, how: str) -> None:
    """Make a recording one that nobody can hear."""
    import numpy as np

    if how == "lost":
        path.unlink()
    elif how == "changed":
        path.write_bytes(path.with_name("1.wav").read_bytes())
    elif how == "cut short":
        path.write_bytes(path.read_bytes()[:-2000])
    elif how == "silent":
        path.write_bytes(audio.encode(np.zeros(audio.RATE, np.float32)))
    else:
        path.write_bytes(audio.encode(audio.load(path), rate=8000))


@pytest.mark.parametrize(
    ("how", "says", "listed"),
    [
        ("lost", "slt/2.wav: listed in manifest.jsonl but not there", False),
        ("changed", "slt/2.wav: not the recording that manifest.jsonl lists", False),
        ("cut short", "slt/2.wav: cut off", True),
        ("silent", "slt/2.wav: silent", True),
        ("of a telephone", "slt/2.wav: 8 kHz, 16 bit, mono; expected at least 16 kHz", True),
    ],
)
@pytest.mark.parametrize("kind", ["command-speech:{}", "cascade:command:{}+echo"])
def test_a_recording_that_cannot_be_heard_is_told_of_and_the_rest_goes_on(
    how: str, says: str, listed: bool, kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = recorded(tmp_path / "audio")
    texts = {"1": "La carpintera", "2": "El enfermero", "3": "La fontanera", "4": "El cocinero"}
    # A command of a cascade is cut at a plus sign, which no path here has.
    system = kind.format(answering(tmp_path, "interpreter", texts))
    _spoil(folder / "slt" / "2.wav", how)
    if listed:
        clips = manifest.read(folder)
        manifest.write(folder, [replace(clip, sha256=manifest.checksum(clip.path) or "") for clip in clips])
    (result,) = epicene.audit([f"spoken:{custom(tmp_path)}@{folder}"], ["en-es"], [system], anyway=True).results
    assert [record.getMessage() for record in caplog.records if says in record.getMessage()]
    found = {verdict.output.item.id: verdict.output for verdict in result.verdicts}
    assert (found["2/slt"].text, found["2/rms"].text) == ("", "El enfermero")
    assert says in found["2/slt"].refused
    assert (len(found), result.refused) == (8, 1)
    assert "slt/2" not in asked(tmp_path, "interpreter")


def test_a_folder_of_which_nothing_can_be_heard_is_refused(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "audio")
    system = f"command-speech:{answering(tmp_path, 'interpreter', {})}"
    for path in folder.glob("*/*.wav"):
        path.unlink()
    with pytest.raises(InputError, match=r"none of the 8 recordings can be heard: .*listed in manifest\.jsonl but not"):
        epicene.audit([f"spoken:{custom(tmp_path)}@{folder}"], ["en-es"], [system])
    assert asked(tmp_path, "interpreter") == []


def test_a_program_gets_whole_paths_wherever_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(tmp_path / "audio")
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "elsewhere.py"
    program.write_text(
        "import os, sys\nos.chdir('/')\nfor line in sys.stdin: print(os.path.isfile(line.strip()))", encoding="utf-8"
    )
    system = f"command-speech:{sys.executable} {program}"
    (result,) = epicene.audit([f"spoken:{custom(tmp_path)}@audio"], ["en-es"], [system]).results
    assert {verdict.output.text for verdict in result.verdicts} == {"True"}


def test_a_command_that_no_shell_could_split_is_refused(tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    with pytest.raises(InputError, match="command-speech:cat 'x: no closing quotation"):
        epicene.audit([spoken], ["en-es"], ["command-speech:cat 'x"])
