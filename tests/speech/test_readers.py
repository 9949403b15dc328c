"""People who read a set aloud: what they recorded is listed, and what is unfit is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from epicene.errors import InputError
from epicene.speech import manifest, readers
from tests.conftest import Command
from tests.speech.test_recordings import SENTENCES, filled


def test_own_recordings_are_listed_beside_those_of_other_voices(studio: Path, tmp_path: Path) -> None:
    filled(tmp_path, studio, [*(f"anna/{key}.wav" for key, _ in SENTENCES), "ben/3.wav", "ben/11.wav"])
    assert len(readers.take(tmp_path, SENTENCES, "anna", "female").clips) == 12
    readers.take(tmp_path, SENTENCES, "ben", "male")
    readers.take(tmp_path, SENTENCES, "anna", "female")
    clips = manifest.read(tmp_path)
    assert [(clip.voice, clip.speaker, clip.id) for clip in clips] == [
        ("ben", "male", "3"),
        ("ben", "male", "11"),
        *(("anna", "female", key) for key, _ in SENTENCES),
    ]
    for clip in clips:
        manifest.verify(clip)
        assert clip.text == dict(SENTENCES)[clip.id]


def test_own_recordings_are_seen_whatever_the_case_of_their_ending(studio: Path, tmp_path: Path) -> None:
    filled(tmp_path, studio, ["anna/1.wav", "anna/2.WAV"])
    assert [clip.id for clip in readers.take(tmp_path, SENTENCES, "anna", "female").clips] == ["1", "2"]
    filled(tmp_path, studio, ["anna/2.wav"])
    with pytest.raises(InputError, match=r"2\.wav and .*2\.WAV both are sentence 2; remove one"):
        readers.take(tmp_path, SENTENCES, "anna", "female")


def test_a_list_is_not_changed_while_another_run_adds_to_it(studio: Path, tmp_path: Path) -> None:
    filled(tmp_path, studio, ["anna/1.wav"])
    with manifest.hold(tmp_path), pytest.raises(InputError, match="another run is speaking into"):
        readers.take(tmp_path, SENTENCES, "anna", "female")
    assert not (tmp_path / "manifest.jsonl").exists()


@pytest.mark.parametrize(
    ("files", "voice", "speaker", "says"),
    [
        (["anna/12.wav"], "anna", "female", "the set has no sentence '12'"),
        ([], "anna", "female", "holds no WAV files; expected"),
        (["anna/1.wav"], "../anna", "female", "voice '../anna'; expected a name of letters"),
        (["anna/1.wav"], "anna", "woman", "speaker 'woman'; known: female, male, unknown"),
    ],
)
def test_own_recordings_that_cannot_be_listed(
    studio: Path, tmp_path: Path, files: list[str], voice: str, speaker: str, says: str
) -> None:
    filled(tmp_path, studio, files)
    with pytest.raises(InputError, match=says):
        readers.take(tmp_path, SENTENCES, voice, speaker)
    assert not (tmp_path / "manifest.jsonl").exists()


def test_own_recordings_of_another_set_are_not_mixed_in(
    studio: Path, spoken: Path, tmp_path: Path, epicene: Command
) -> None:
    filled(tmp_path, studio, ["anna/1.wav"])
    filled(tmp_path, spoken, ["ben/1.wav"])
    readers.take(tmp_path, SENTENCES, "anna", "female")
    done = epicene("speech", "add", tmp_path, "-t", "simplegen", "--voice", "ben")
    assert done.returncode == 2
    assert "its sentence 1 is 'Sentence number 1.', of another set" in done.stderr
    (tmp_path / "manifest.jsonl").unlink()
    done = epicene("speech", "add", tmp_path, "-t", "simplegen", "--voice", "ben", "--speaker", "male")
    assert (done.returncode, done.stdout) == (0, f"ben: 1 recordings, listed in {tmp_path / 'manifest.jsonl'}\n")
    assert done.stderr == "2,663 of 2,664 sentences have no recording by ben: 0, 2, 3 …\n"


def test_each_unfit_recording_is_told_in_a_line_and_the_rest_goes_on(
    studio: Path, tmp_path: Path, epicene: Command
) -> None:
    table = tmp_path / "set.tsv"
    rows = [f"{key}\tThe nurse said {text}\tnurse\tfeminine" for key, text in SENTENCES]
    table.write_text("\n".join(["id\tsource\tfocus\texpected", *rows]) + "\n", encoding="utf-8")
    folder = tmp_path / "read"
    rate, data = wavfile.read(studio)
    speech = np.tile(data, 4)
    (folder / "anna").mkdir(parents=True)
    for key, _ in SENTENCES[:-1]:
        wavfile.write(folder / "anna" / f"{key}.wav", rate, speech)
    wavfile.write(folder / "anna" / "1.wav", rate, speech * 0)
    wavfile.write(folder / "anna" / "2.wav", 8000, speech[::6])
    wavfile.write(folder / "anna" / "3.wav", rate, np.stack([speech, speech], axis=1))
    wavfile.write(folder / "anna" / "4.wav", rate, speech[: len(speech) // 3])
    whole = (folder / "anna" / "5.wav").read_bytes()
    (folder / "anna" / "5.wav").write_bytes(whole[: len(whole) // 2])
    done = epicene("speech", "add", folder, "-t", f"custom:{table}", "--voice", "anna", "--speaker", "female")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"anna: 6 recordings, listed in {folder / 'manifest.jsonl'}\n"
    *lines, last = done.stderr.splitlines()
    told = dict(line.removeprefix(f"left out: {folder}/anna/").split(".wav: ", 1) for line in lines)
    assert told.keys() == {"1", "2", "3", "4", "5"}
    assert told["1"].startswith("silent")
    assert told["2"].startswith("8 kHz, 16 bit, mono; expected at least 16 kHz")
    assert told["3"].startswith("48 kHz, 16 bit, stereo; expected one channel")
    assert "are usual; cut short? Record it again" in told["4"]
    assert "make or copy it again" in told["5"]
    assert last == "6 of 12 sentences have no recording by anna: 1, 2, 3 …"
    assert [clip.id for clip in manifest.read(folder)] == ["0", "6", "7", "8", "9", "10"]


def test_files_of_any_name_are_listed_by_a_table_or_by_lines(studio: Path, tmp_path: Path) -> None:
    filled(tmp_path, studio, ["takes/a.wav", "takes/b.wav", "anna/1.wav", "anna/12.wav"])
    table = tmp_path / "files.tsv"
    table.write_text("path\ttext\ntakes/b.wav\tSentence number 3.\ntakes/a.wav\tSentence number 7.\n", encoding="utf-8")
    taken = readers.take(tmp_path, SENTENCES, "ben", "male", table=table)
    assert [(clip.id, clip.path.name) for clip in taken.clips] == [("3", "b.wav"), ("7", "a.wav")]
    by_line = readers.take(tmp_path, SENTENCES, "anna", "female", lines=True)
    assert [clip.id for clip in by_line.clips] == ["0", "11"]
    # A file that is missing is told, and the others are listed.
    table.write_text("path\tid\ntakes/b.wav\t3\ntakes/c.wav\t4\n../b.wav\t5\n", encoding="utf-8")
    taken = readers.take(tmp_path, SENTENCES, "ben", "male", table=table)
    assert [clip.id for clip in taken.clips] == ["3"]
    assert [why.partition(": ")[0] for why in taken.left_out] == [
        f"cannot read {tmp_path / 'takes' / 'c.wav'}",
        str(tmp_path / "../b.wav"),
    ]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("path\tid\ntakes/a.wav\t99\n", r"files.tsv:2: the set has no sentence '99'"),
        ("path\tid\ntakes/a.wav\t1\ntakes/b.wav\t1\n", r"files.tsv:3: sentence 1 is there already"),
        ("file\tid\n", r"files.tsv: columns file, id; expected path, and id or text"),
        ("path\tid\n", r"files.tsv lists no recording"),
        ("path\tid\ntakes/no.wav\t1\n", r"no recording of ben is fit to be heard: cannot read"),
    ],
)
def test_a_table_of_recordings_that_cannot_be_read(studio: Path, tmp_path: Path, rows: str, says: str) -> None:
    filled(tmp_path, studio, ["takes/a.wav", "takes/b.wav"])
    (tmp_path / "files.tsv").write_text(rows, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        readers.take(tmp_path, SENTENCES, "ben", "male", table=tmp_path / "files.tsv")
    assert not (tmp_path / "manifest.jsonl").exists()
