"""``epicene speech`` as a user types it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from epicene.speech import audio, manifest
from tests.browser import missing
from tests.conftest import Command


@pytest.fixture
def table(tmp_path: Path) -> str:
    """A set of two sentences."""
    if shutil.which("flite") is None:
        missing("flite")
    path = tmp_path / "set.tsv"
    rows = ("a\tThe nurse said that he was late.\tnurse\tmasculine", "b\tThe doctor knew her house.\tdoctor\tfeminine")
    path.write_text("\n".join(["id\tsource\tfocus\texpected", *rows]) + "\n", encoding="utf-8")
    return f"custom:{path}"


def test_a_set_is_spoken_by_two_voices_and_written_down(epicene: Command, table: str, tmp_path: Path) -> None:
    folder = tmp_path / "spoken"
    words = ("speech", "synthesize", "-t", table, "--voice", "slt", "--voice", "rms", "-o", folder)
    done = epicene(*words)
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()
    assert first[0].startswith("slt          female   2 recordings, 0.00 h, flite-")
    assert first[-1] == f"4 spoken now; listed in {folder / 'manifest.jsonl'}"
    assert epicene(*words).stdout.splitlines()[-1].startswith("0 spoken now")
    done = epicene("speech", "transcribe", folder, "-r", "pocketsphinx", "-o", tmp_path / "heard.tsv")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "4 recognised now" in done.stderr
    assert "real-time factor" in done.stderr
    rows = [line.split("\t") for line in (tmp_path / "heard.tsv").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["id", "voice", "speaker", "text", "transcript"]
    assert [row[:3] for row in rows[1:]] == [
        [key, voice, speaker] for voice, speaker in (("slt", "female"), ("rms", "male")) for key in "ab"
    ]
    assert "late" in rows[1][4]
    done = epicene("speech", "transcribe", folder, "-r", "pocketsphinx")
    assert done.stdout == (tmp_path / "heard.tsv").read_text(encoding="utf-8")
    assert "0 recognised now" in done.stderr
    assert "4 stored before" in done.stderr


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda clip: clip.path.unlink(), "listed in manifest.jsonl but not there"),
        (
            lambda clip: clip.path.write_bytes(clip.path.read_bytes()[:3000]),
            "not the recording that manifest.jsonl lists",
        ),
    ],
)
def test_a_recording_that_is_not_the_one_listed(epicene: Command, table: str, tmp_path: Path, spoil, says: str) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "spoken"
    epicene("speech", "synthesize", "-t", table, "--voice", "kal16", "-o", folder)
    spoil(manifest.read(folder)[1])
    done = epicene("speech", "transcribe", folder, "-r", "pocketsphinx", "-o", tmp_path / "heard.tsv")
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "heard.tsv").exists()


def test_a_clipped_recording_is_written_down_with_a_warning(epicene: Command, table: str, tmp_path: Path) -> None:
    folder = tmp_path / "spoken"
    epicene("speech", "synthesize", "-t", table, "--voice", "kal16", "-o", folder)
    clips = manifest.read(folder)
    clips[0].path.write_bytes(audio.encode(audio.load(clips[0].path) * 40))
    changed = [replace(clip, sha256=manifest.checksum(clip.path) or "") for clip in clips]
    manifest.write(folder, changed)
    done = epicene("speech", "transcribe", folder, "-r", "pocketsphinx")
    assert done.returncode == 0
    assert f"{clips[0].path}: clipped" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["transcribe", "nowhere", "-r", "pocketsphinx"],
            "nowhere holds no manifest.jsonl; make recordings with: epicene",
        ),
        (["transcribe", ".", "-r", "sphinx"], "unknown recogniser 'sphinx'"),
        (["synthesize", "-t", "simplgen", "--voice", "slt", "-o", "x"], "Did you mean 'simplegen'?"),
        (["synthesize", "-t", "simplegen", "--voice", "slr", "-o", "x"], "unknown voice 'slr'. Did you mean 'slt'?"),
        (["synthesize", "-t", "occupations", "-l", "hu-en", "--voice", "slt", "-o", "x"], "voice slt speaks en"),
    ],
)
def test_one_line_and_exit_code_2(epicene: Command, table: str, arguments: list[str], says: str) -> None:
    done = epicene("speech", *arguments)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_spoken_set_is_not_spoken_again(epicene: Command, table: str, tmp_path: Path) -> None:
    epicene("speech", "synthesize", "-t", table, "--voice", "kal16", "-o", tmp_path / "spoken")
    words = ("speech", "synthesize", "-t", f"spoken:{table}@{tmp_path / 'spoken'}", "--voice", "slt")
    done = epicene(*words, "-o", tmp_path / "again")
    assert done.returncode == 2
    assert "has recordings already; use its text, as in -t winomt" in done.stderr
    assert not (tmp_path / "again").exists()


def test_a_list_of_nothing_is_no_table_of_transcripts(epicene: Command, tmp_path: Path) -> None:
    (tmp_path / "manifest.jsonl").touch()
    done = epicene("speech", "transcribe", tmp_path, "-r", "pocketsphinx", "-o", tmp_path / "heard.tsv")
    assert done.returncode == 2
    assert "lists no recording" in done.stderr
    assert not (tmp_path / "heard.tsv").exists()


def test_what_cannot_be_downloaded_says_where_it_is(epicene: Command) -> None:
    done = epicene("data", "get", "winost")
    assert done.returncode == 2
    assert "(doi 10.5281/zenodo.4139080); fetch it, then run: epicene data add winost DIR" in done.stderr
