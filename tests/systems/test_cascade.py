"""Cascades: a recogniser and a translator by one name; speech and text are never mixed up."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from epicene import api, systems
from epicene.errors import InputError
from epicene.speech import audio, manifest
from epicene.systems.local.cascade import Cascade
from tests.recordings import SENTENCES, answering, asked, custom, recorded


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
    found = systems.load_for_speech(spec)
    assert isinstance(found, Cascade)
    assert found.identity == f"cascade:{recogniser}+{translator}"


@pytest.mark.parametrize("spec", ["cascade:", "cascade:pocketsphinx", "cascade:+bundled", "cascade:oracle+nothing"])
def test_half_a_cascade_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match=r"expected RECOGNISER\+SYSTEM"):
        systems.load_for_speech(spec)


def test_a_file_of_translations_cannot_translate_transcripts() -> None:
    with pytest.raises(InputError, match="translates nothing new"):
        systems.load_for_speech("cascade:oracle+file:hyp.es")


def test_text_systems_never_get_speech_nor_speech_systems_text(tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    with pytest.raises(InputError, match=r"cascade:pocketsphinx\+echo.*cascade:oracle\+echo"):
        api.audit([spoken], ["en-es"], ["echo"])
    for spec in ("cascade:oracle+echo", "command-speech:cat"):
        with pytest.raises(InputError, match="translates speech, not text"):
            api.audit(["simplegen"], ["en-es"], [spec])


def test_the_oracle_translates_what_was_said(tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    (result,) = api.audit([spoken], ["en-es"], ["cascade:oracle+echo"]).results
    assert [verdict.output.text for verdict in result.verdicts[::2]] == list(SENTENCES.values())
    assert result["wer"].value == 0


def test_a_program_interprets_recordings_and_is_asked_once_for_each(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "audio")
    command = answering(
        tmp_path, "interpreter", {"1": "La carpintera", "2": "El enfermero", "3": "", "rms/4": "El cocinero"}
    )
    spoken, system = f"spoken:{custom(tmp_path)}@{folder}", f"command-speech:{command}"
    (result,) = api.audit([spoken], ["en-es"], [system]).results
    texts = {verdict.output.item.id: verdict.output.text for verdict in result.verdicts}
    assert texts["1/slt"] == texts["1/rms"] == "La carpintera"
    assert (texts["4/rms"], texts["4/slt"]) == ("El cocinero", "")
    assert result.decoding
    assert result.decoding.sentences == 8
    assert not any(measure.name == "wer" for measure in result.measures)
    assert {measure.group for measure in result.measures if measure.name == "speaker_gap"} == {"accuracy"}
    before = asked(tmp_path, "interpreter")
    again = folder.rename(tmp_path / "moved")
    (second,) = api.audit([f"spoken:{custom(tmp_path)}@{again}"], ["en-es"], [system]).results
    assert asked(tmp_path, "interpreter") == before
    assert second.measures == result.measures


def test_a_recording_that_was_changed_or_lost_is_refused(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "audio")
    system = f"command-speech:{answering(tmp_path, 'interpreter', {})}"
    (folder / "slt" / "2.wav").write_bytes((folder / "slt" / "1.wav").read_bytes())
    with pytest.raises(InputError, match=r"not the recording that manifest\.jsonl lists"):
        api.audit([f"spoken:{custom(tmp_path)}@{folder}"], ["en-es"], [system])
    (folder / "slt" / "2.wav").unlink()
    with pytest.raises(InputError, match=r"listed in manifest\.jsonl but not there"):
        api.audit([f"spoken:{custom(tmp_path)}@{folder}"], ["en-es"], [system])
    assert asked(tmp_path, "interpreter") == []


def test_what_cannot_be_heard_is_refused_before_a_program_gets_it(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "audio")
    system = f"command-speech:{answering(tmp_path, 'interpreter', {})}"
    clips = manifest.read(folder)
    clips[-1].path.write_bytes(audio.encode(audio.load(clips[-1].path), rate=8000))
    manifest.write(folder, [*clips[:-1], replace(clips[-1], sha256=manifest.checksum(clips[-1].path) or "")])
    with pytest.raises(InputError, match="8 kHz, 16 bit, mono; expected at least 16 kHz"):
        api.audit([f"spoken:{custom(tmp_path)}@{folder}"], ["en-es"], [system])
    assert asked(tmp_path, "interpreter") == []


def test_a_program_gets_whole_paths_wherever_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(tmp_path / "audio")
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "elsewhere.py"
    program.write_text(
        "import os, sys\nos.chdir('/')\nfor line in sys.stdin: print(os.path.isfile(line.strip()))", encoding="utf-8"
    )
    system = f"command-speech:{sys.executable} {program}"
    (result,) = api.audit([f"spoken:{custom(tmp_path)}@audio"], ["en-es"], [system]).results
    assert {verdict.output.text for verdict in result.verdicts} == {"True"}


def test_a_command_that_no_shell_could_split_is_refused(tmp_path: Path) -> None:
    spoken = f"spoken:{custom(tmp_path)}@{recorded(tmp_path / 'audio')}"
    with pytest.raises(InputError, match="command-speech:cat 'x: no closing quotation"):
        api.audit([spoken], ["en-es"], ["command-speech:cat 'x"])
