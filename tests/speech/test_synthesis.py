"""Sets read aloud: whole files, a list that grows with them, and the same folder however often the work was killed."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from epicene.errors import InputError, StoreError
from epicene.speech import audio, manifest, synthesis, voices
from tests.conftest import Command
from tests.killing import kill_once, lines

SENTENCES = [(str(number), f"The nurse helped patient number {number}.") for number in range(6)]
# Notes each sentence that is really spoken, then has flite speak it.
NOTING = """#!/bin/sh
case "$1" in -voice) tee -a {log} | exec {flite} "$@" ;; *) exec {flite} "$@" ;; esac
"""


def everything(folder: Path) -> dict[str, str]:
    """Checksums of all files below a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_each_sentence_is_spoken_by_each_voice_and_listed(flite: str, tmp_path: Path) -> None:
    chosen = [voices.load("slt"), voices.load("kal16")]
    seen: list[tuple[int, int]] = []
    assert synthesis.synthesise(SENTENCES, chosen, tmp_path / "a", lambda *step: seen.append(step)) == 12
    clips = manifest.read(tmp_path / "a")
    assert [(clip.voice, clip.id, clip.text) for clip in clips] == [
        (voice, *sentence) for voice in ("slt", "kal16") for sentence in SENTENCES
    ]
    assert {clip.voice: clip.speaker for clip in clips} == {"slt": "female", "kal16": "male"}
    assert seen == [(done, 12) for done in range(13)]
    for clip in clips:
        manifest.verify(clip)
        sound = audio.inspect(clip.path)
        assert sound.form == "16 kHz, 16 bit, mono"
        assert sound.level == pytest.approx(audio.LEVEL, abs=0.2)
        assert sound.lead == pytest.approx(audio.MARGIN, abs=0.011)
        assert sound.trail == pytest.approx(audio.MARGIN, abs=0.011)
        assert sound.seconds == pytest.approx(clip.seconds, abs=0.001)
        assert clip.path == tmp_path / "a" / clip.voice / f"{clip.id}.wav"
    synthesis.synthesise(SENTENCES, chosen, tmp_path / "b", workers=1)
    assert everything(tmp_path / "a") == everything(tmp_path / "b")


def test_what_is_there_is_not_spoken_again_and_what_was_lost_is(flite: str, tmp_path: Path) -> None:
    chosen = [voices.load("kal16")]
    synthesis.synthesise(SENTENCES, chosen, tmp_path)
    before = everything(tmp_path)
    assert synthesis.synthesise(SENTENCES, chosen, tmp_path) == 0
    (tmp_path / "kal16" / "2.wav").unlink()
    damaged = tmp_path / "kal16" / "4.wav"
    damaged.write_bytes(damaged.read_bytes()[:-100])
    assert synthesis.synthesise(SENTENCES, chosen, tmp_path) == 2
    after = everything(tmp_path)
    listed = (json.loads(line) for line in (tmp_path / "manifest.jsonl").read_text().splitlines())
    assert sorted(record["id"] for record in listed) == [key for key, _ in SENTENCES]
    del before["manifest.jsonl"], after["manifest.jsonl"]
    assert after == before
    assert synthesis.synthesise(SENTENCES, [*chosen, voices.load("awb")], tmp_path) == 6


@pytest.mark.parametrize("key", ["../../escaped", "/absolute", "a/b", "..", "-o", "*", "naïve id", "CON:1", "\n"])
def test_an_id_never_becomes_a_path_of_its_own(flite: str, tmp_path: Path, key: str) -> None:
    folder = tmp_path / "folder"
    synthesis.synthesise([(key, "Hello there.")], [voices.load("kal16")], folder)
    (clip,) = manifest.read(folder)
    assert clip.id == key
    assert clip.path.parent == folder / "kal16"
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(
        [clip.path, folder / "manifest.jsonl"]
    )


@pytest.mark.parametrize(
    ("sentences", "says"),
    [
        ([("1", "a"), ("1", "b")], "the id '1' stands twice"),
        ([("", "a")], "the id '' is empty"),
        ([("1", " ")], "sentence 1: blank"),
        ([("1", "a\x00b")], "sentence 1: a NUL"),
    ],
)
def test_sentences_that_cannot_be_told_apart_or_spoken(
    flite: str, tmp_path: Path, sentences: list[tuple[str, str]], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        synthesis.synthesise(sentences, [voices.load("slt")], tmp_path / "folder")
    assert not (tmp_path / "folder").exists()


def test_a_folder_of_another_set_is_left_alone(flite: str, tmp_path: Path) -> None:
    chosen = [voices.load("kal16")]
    synthesis.synthesise(SENTENCES[:1], chosen, tmp_path)
    before = everything(tmp_path)
    with pytest.raises(InputError, match=r"its sentence 0 is 'The nurse helped patient number 0\.', not 'Other\.'"):
        synthesis.synthesise([("0", "Other.")], chosen, tmp_path)
    with pytest.raises(InputError, match="the voice kal16 is named twice"):
        synthesis.synthesise(SENTENCES, chosen * 2, tmp_path)
    assert everything(tmp_path) == before


def test_no_more_is_begun_than_is_soon_listed(flite: str, tmp_path: Path) -> None:
    """Sound is streamed: what is finished but not yet listed stays below a bound, whatever the number of sentences."""
    held: list[int] = []

    def look(done: int, total: int) -> None:
        held.append(len(list(tmp_path.glob("kal16/*.wav"))) - done)

    sentences = [(str(number), "Yes.") for number in range(60)]
    synthesis.synthesise(sentences, [voices.load("kal16")], tmp_path, look, workers=2)
    assert max(held) <= 5


def test_a_place_that_cannot_be_written_to_is_said(flite: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot write"):
        synthesis.synthesise(SENTENCES, [voices.load("slt")], tmp_path / "file")


def test_kills_at_random_moments_leave_the_folder_of_one_clean_run(flite: str, tmp_path: Path, own_home: Path) -> None:
    table = tmp_path / "set.tsv"
    rows = [f"{n}\tThe nurse number {n} came in because she was asked.\tnurse\tfeminine" for n in range(30)]
    table.write_text("\n".join(["id\tsource\tfocus\texpected", *rows]) + "\n", encoding="utf-8")
    program, log = tmp_path / "bin" / "flite", tmp_path / "spoken.log"
    program.parent.mkdir()
    program.write_text(NOTING.format(log=log, flite=flite), encoding="utf-8")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}

    def command(folder: Path) -> list[str]:
        words = [sys.executable, "-m", "epicene", "speech", "synthesize", "-t", f"custom:{table}", "-o", str(folder)]
        return [*words, "--voice", "slt", "--voice", "kal16"]

    clean, killed = tmp_path / "clean", tmp_path / "killed"
    subprocess.run(command(clean), check=True, capture_output=True)
    chance, kills = random.Random(5), 0
    while kills < 5:
        listed = _texts(killed)
        already = len(lines(log))
        process = subprocess.Popen(command(killed), env=environment, start_new_session=True, stdout=subprocess.DEVNULL)
        spoken = already + chance.randint(1, 10)
        kill_once(process, lambda: len(lines(log)), spoken, chance.uniform(0, 0.05))
        kills += 1
        for clip in manifest.mend(killed) if (killed / manifest.NAME).exists() else []:
            manifest.verify(clip)  # what is listed is whole
        assert len(_texts(killed)) >= len(listed)
    subprocess.run(command(killed), env=environment, check=True, capture_output=True)
    assert everything(killed) == everything(clean)
    # Nothing was spoken twice but what was under way when a kill came: at most twice the workers, and one each.
    in_flight = 3 * (os.cpu_count() or 1) + 1
    assert 2 * len(rows) <= len(lines(log)) <= 2 * len(rows) + kills * in_flight


def _texts(folder: Path) -> list[str]:
    return lines(folder / manifest.NAME)


def test_a_folder_is_spoken_into_by_one_run_at_a_time(flite: str, tmp_path: Path) -> None:
    chosen = [voices.load("kal16")]
    refused: list[str] = []

    def second(done: int, total: int) -> None:
        with pytest.raises(InputError, match="another run is speaking into") as caught:
            synthesis.synthesise(SENTENCES, chosen, tmp_path)
        refused.append(str(caught.value))

    synthesis.synthesise(SENTENCES, chosen, tmp_path, second)
    assert len(refused) == 1 + len(SENTENCES)
    assert synthesis.synthesise(SENTENCES, chosen, tmp_path) == 0


def test_a_seeded_sample_is_the_same_each_time_and_in_order(flite: str, epicene: Command, tmp_path: Path) -> None:
    def drawn(folder: str, *more: str) -> list[int]:
        words = (
            "speech",
            "synthesize",
            "-t",
            "simplegen",
            "--voice",
            "kal16",
            "-o",
            tmp_path / folder,
            "--sample",
            "5",
        )
        done = epicene(*words, *more)
        assert done.returncode == 0, done.stderr
        assert "5 spoken now" in done.stdout
        return [int(clip.id) for clip in manifest.read(tmp_path / folder)]

    first = drawn("a", "--seed", "3")
    assert first == sorted(first)
    assert len(set(first)) == 5
    assert drawn("b", "--seed", "3") == first
    assert drawn("c", "--seed", "4") != first


def test_a_folder_spoken_by_another_version_is_refused(flite: str, tmp_path: Path) -> None:
    chosen = [voices.load("kal16")]
    synthesis.synthesise(SENTENCES[:3], chosen, tmp_path)
    clips = manifest.read(tmp_path)
    for identity, said in (("", "of another version or a recording of yours"), ("flite-1.9:kal16", "flite-1.9:kal16")):
        manifest.write(tmp_path, [dataclasses.replace(clip, identity=identity) for clip in clips])
        with pytest.raises(InputError, match=f"its kal16 is {said}, not flite-.*; choose another folder with -o"):
            synthesis.synthesise(SENTENCES, chosen, tmp_path)
