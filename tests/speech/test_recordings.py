"""Recordings that users bring: any naming is read, and what is missing is named."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from epicene.errors import DataMissingError, InputError
from epicene.speech import manifest, readers, recordings
from tests.conftest import Command

SENTENCES = [(str(number), f"Sentence number {number}.") for number in range(12)]


def filled(folder: Path, studio: Path, names: Iterable[str]) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.link(studio, folder / name)
    return folder


@pytest.mark.parametrize(
    "name",
    [
        lambda number: f"{number}.wav",
        lambda number: f"{number + 1}.wav",
        lambda number: f"{number + 1:04d}.wav",
        lambda number: f"sentence_{number + 1}.wav",
        lambda number: f"WinoST/audio-{number:05d}.WAV",
        lambda number: f"en2020_{number + 1}_mono.wav",
        lambda number: f"winost-{number + 1}_48kHz_16.wav",
    ],
)
def test_naming_variants_are_read_in_the_order_of_their_numbers(
    studio: Path, tmp_path: Path, name: Callable[[int], str]
) -> None:
    folder = filled(tmp_path / "winost", studio, map(name, range(12)))
    seen: list[tuple[int, int]] = []
    assert recordings.add("winost", folder, SENTENCES, progress=lambda *step: seen.append(step)) == folder
    assert recordings.folder("winost") == folder
    clips = manifest.read(recordings.folder("winost"))
    assert [(clip.id, clip.text) for clip in clips] == SENTENCES
    assert [clip.path for clip in clips] == [folder / name(number) for number in range(12)]
    assert {(clip.voice, clip.speaker) for clip in clips} == {("winost", "female")}
    assert seen[-1] == (12, 12)
    for clip in clips:
        manifest.verify(clip)


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ([*range(1, 7), *range(8, 13)], r"holds 11 WAV files, expected 12; missing: number 7$"),
        ([*range(6), *range(7, 12)], r"missing: number 6$"),
        (range(1, 12), r"missing: number 12 or \(counting from 0\) number 0$"),
        (range(2, 13), r"missing: number 1$"),
        (range(11), r"missing: number 11$"),
        (range(1, 14), r"holds 13 WAV files, expected 12; too many: 13.wav$"),
        (range(1, 4), r"missing: .*number 4, number 5, number 6, number 7, number 8 and 4 more"),
        ([], "holds no WAV files; expected 12"),
    ],
)
def test_a_folder_that_is_not_complete_says_which_is_missing(
    studio: Path, tmp_path: Path, numbers: Iterable[int], says: str
) -> None:
    (tmp_path / "winost").mkdir()
    folder = filled(tmp_path / "winost", studio, (f"{number}.wav" for number in numbers))
    with pytest.raises(InputError, match=says):
        recordings.add("winost", folder, SENTENCES)
    assert not (folder / "manifest.jsonl").exists()
    with pytest.raises(DataMissingError, match="run: epicene data add winost DIR"):
        recordings.folder("winost")


def test_what_macos_puts_beside_each_file_is_no_recording(studio: Path, tmp_path: Path) -> None:
    folder = filled(tmp_path / "winost", studio, (f"{number}.wav" for number in range(12)))
    for beside in (folder / "._1.wav", folder / "__MACOSX" / "._1.wav"):
        beside.parent.mkdir(exist_ok=True)
        beside.write_bytes(b"\x00\x05\x16\x07")
    recordings.add("winost", folder, SENTENCES)
    assert len(manifest.read(folder)) == 12
    (folder / "anna").mkdir()
    (folder / "anna" / "._1.wav").write_bytes(b"\x00\x05\x16\x07")
    os.link(studio, folder / "anna" / "1.wav")
    (folder / "manifest.jsonl").unlink()
    assert len(readers.take(folder, SENTENCES, "anna", "female").clips) == 1


def test_two_files_of_one_number_or_none_are_refused(studio: Path, tmp_path: Path) -> None:
    folder = filled(tmp_path / "a", studio, ["1.wav", "01.wav"])
    with pytest.raises(InputError, match="both are number 1; remove one"):
        recordings.add("winost", folder, SENTENCES)
    folder = filled(tmp_path / "c", studio, ["1.wav", "11.wav", "21.wav"])
    with pytest.raises(InputError, match="holds 3 WAV files, expected 12; missing: number 2, number 3"):
        recordings.add("winost", folder, SENTENCES)
    folder = filled(tmp_path / "b", studio, ["one.wav"])
    with pytest.raises(InputError, match=r"one\.wav: no number in the name"):
        recordings.add("winost", folder, SENTENCES)
    with pytest.raises(InputError, match="is no folder; expected one with 12 WAV files"):
        recordings.add("winost", studio, SENTENCES)


def test_another_form_or_a_broken_file_is_refused_and_nothing_is_kept(studio: Path, tmp_path: Path) -> None:
    folder = filled(tmp_path / "winost", studio, (f"{number}.wav" for number in range(12)))
    rate, data = wavfile.read(studio)
    for samples, says in (
        (data[::3], "5.wav: 16 kHz, 16 bit, mono; the recordings of winost were published as 48 kHz, 16 bit, mono"),
        (np.stack([data, data], axis=1), "48 kHz, 16 bit, stereo"),
        ((data / 32768).astype(np.float32), "48 kHz, 32 bit, mono"),
        (data * 0, "5.wav: silent"),
    ):
        (folder / "5.wav").unlink()
        wavfile.write(folder / "5.wav", 16000 if len(samples) < len(data) else rate, samples)
        with pytest.raises(InputError, match=says):
            recordings.add("winost", folder, SENTENCES)
    assert not (folder / "manifest.jsonl").exists()


def test_recordings_stay_where_they_are_unless_a_copy_is_asked_for(
    studio: Path, tmp_path: Path, own_home: Path
) -> None:
    folder = filled(tmp_path / "winost", studio, (f"{number}.wav" for number in range(12)))
    recordings.add("winost", folder, SENTENCES)
    assert not list(own_home.rglob("*.wav"))
    recordings.add("winost", folder, SENTENCES, copy=True)
    place = recordings.folder("winost")
    assert place.is_relative_to(own_home)
    assert len(manifest.read(place)) == len(list(place.glob("*.wav"))) == 12


def test_a_link_that_leaves_the_folder_is_refused_or_copied(studio: Path, tmp_path: Path) -> None:
    folder = filled(tmp_path / "winost", studio, (f"{number}.wav" for number in range(11)))
    (folder / "11.wav").symlink_to(studio)
    with pytest.raises(InputError, match="a link that leaves the folder; add --copy"):
        recordings.add("winost", folder, SENTENCES)
    recordings.add("winost", folder, SENTENCES, copy=True)
    assert len(manifest.read(recordings.folder("winost"))) == 12


def test_a_folder_that_went_away_is_said(studio: Path, tmp_path: Path) -> None:
    folder = filled(tmp_path / "winost", studio, (f"{number}.wav" for number in range(12)))
    recordings.add("winost", folder, SENTENCES)
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(DataMissingError, match="does not hold the recordings of winost any more"):
        recordings.folder("winost")


def test_all_of_winost_and_all_but_one(studio: Path, published: Path, tmp_path: Path, epicene: Command) -> None:
    folder = filled(tmp_path / "winost", studio, (f"{number}.wav" for number in range(1, 3889)))
    done = epicene("data", "add", "winost", folder)
    assert done.returncode == 2  # nothing can be downloaded here
    assert "epicene: winomt is not on this machine" in done.stderr
    assert "epicene data add winomt PATH" in done.stderr
    assert epicene("data", "add", "winomt", published / "winomt").returncode == 0
    missing = folder / "2711.wav"
    missing.unlink()
    done = epicene("data", "add", "winost", folder)
    assert done.returncode == 2
    assert done.stderr == f"epicene: {folder} holds 3887 WAV files, expected 3888; missing: number 2711\n"
    os.link(studio, missing)
    done = epicene("data", "add", "winost", folder)
    assert (done.returncode, done.stdout.split()) == (0, ["winost:", str(folder)])
    assert re.search(r"^winost +here ", epicene("data", "list").stdout, re.MULTILINE)
    clips = manifest.read(recordings.folder("winost"))
    assert len(clips) == 3888
    assert clips[0].id == "0"
    assert clips[0].path.name == "1.wav"
