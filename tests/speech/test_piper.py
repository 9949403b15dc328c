"""Piper is started once for each worker, speaks line by line, and leaves nothing behind."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from epicene.errors import InputError, SystemFailure
from epicene.speech import manifest, synthesis, voices
from tests.killing import lines
from tests.speech.models import tiny_piper

SENTENCES = [(str(number), f"the nurse helped {'abcdefgh'[number % 8]} {'xyz'[number % 3]}.") for number in range(12)]
# Notes each start, and each line that Piper is given.
NOTING = """#!/bin/sh
echo start $$ >> {log}
tee -a {log} | exec {python} -m piper "$@"
"""
# Piper in C++ as its source has it: the path of each file on standard output once it is whole, a log on standard error.
OLDER = """#!{python}
import sys, time, wave
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
assert words.keys() == {{"--model", "--output_dir", "--noise_scale", "--noise_w", "--speaker"}}, words
print("[piper] [info] Output directory:", words["--output_dir"], file=sys.stderr, flush=True)
for number, line in enumerate(sys.stdin):
    if "{ends}" in line:
        sys.exit("terminate called after throwing an instance of 'std::bad_alloc'")
    if "{hangs}" in line:
        time.sleep(1000)
    path = f"{{words['--output_dir']}}/{{time.time_ns()}}.wav"
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, 22050, 0, "NONE", ""))
        file.writeframes(bytes([0, 64, 0, 192]) * 500 * len(line))
    print(path, flush=True)
    print("[piper] [info] Real-time factor: 0.1", file=sys.stderr, flush=True)
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A voice that hums."""
    return tiny_piper(tmp_path)


@pytest.fixture
def noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The real Piper, and what it was told."""
    if importlib.util.find_spec("piper") is None:
        pytest.skip("piper-tts is not installed")
    log = tmp_path / "piper.log"
    _installed(tmp_path, NOTING.format(log=log, python=sys.executable), monkeypatch)
    return log


def _installed(folder: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "bin" / "piper"
    path.parent.mkdir()
    path.write_text(program, encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(path.parent), prepend=os.pathsep)


def _older(folder: Path, monkeypatch: pytest.MonkeyPatch, ends: str = "END", hangs: str = "HANG") -> None:
    _installed(folder, OLDER.format(python=sys.executable, ends=ends, hangs=hangs), monkeypatch)


def _starts(log: Path) -> list[str]:
    return [line.split()[1] for line in lines(log) if line.startswith("start ")]


def _told(log: Path) -> list[str]:
    return [line for line in lines(log) if not line.startswith("start ")]


def _everything(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_it_is_started_once_for_each_worker_and_says_each_sentence_as_if_it_were_the_first(
    model: Path, noted: Path, tmp_path: Path
) -> None:
    voice = voices.load(f"piper:{model}?speaker=female")
    synthesis.synthesise(SENTENCES, [voice], tmp_path / "two", workers=2)
    assert 1 <= len(_starts(noted)) <= 2
    assert sorted(_told(noted)) == sorted(text for _, text in SENTENCES)
    synthesis.synthesise(SENTENCES, [voice], tmp_path / "one", workers=1)
    assert _everything(tmp_path / "one") == _everything(tmp_path / "two")
    samples, rate = voice.speak(SENTENCES[-1][1])
    speaker = voice.start()
    try:
        for _, text in reversed(SENTENCES):
            again, _ = speaker.speak(text)
            assert (text != SENTENCES[-1][1]) or np.array_equal(samples, again)
    finally:
        speaker.close()
    assert rate == 22050


def test_a_worker_that_goes_on_to_the_next_voice_ends_the_last(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_now: set[str] = set()
    most = 0

    class Counted(voices.Piper):
        def __init__(self, name: str, words: list[str]) -> None:
            nonlocal most
            super().__init__(name, words)
            open_now.add(name)
            most = max(most, len(open_now))

        def close(self) -> None:
            super().close()
            open_now.discard(self._name)

    _older(tmp_path, monkeypatch)
    monkeypatch.setattr(voices, "Piper", Counted)
    other = model.with_name("en_US-other-low.onnx")
    other.write_bytes(model.read_bytes())
    Path(f"{other}.json").write_bytes(Path(f"{model}.json").read_bytes())
    both = [voices.load(f"piper:{each}") for each in (model, other)]
    synthesis.synthesise(SENTENCES, both, tmp_path / "folder", workers=1)
    assert most == 1
    assert not open_now


def test_the_older_program_is_understood(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _older(tmp_path, monkeypatch)
    voice = voices.load(f"piper:{model}?speaker=male")
    assert synthesis.synthesise(SENTENCES, [voice], tmp_path / "folder") == len(SENTENCES)
    assert len(manifest.read(tmp_path / "folder")) == len(SENTENCES)
    speaker = voice.start()
    try:
        for text in ("one", "and three"):
            samples, rate = speaker.speak(text)
            assert (len(samples), rate) == (1000 * len(f"{text}\n"), 22050)
    finally:
        speaker.close()


def test_another_model_by_the_same_name_is_not_taken_for_the_first(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _older(tmp_path, monkeypatch)
    folder = tmp_path / "folder"
    synthesis.synthesise(SENTENCES[:2], [voices.load(f"piper:{model}")], folder)
    before = _everything(folder)
    with model.open("ab") as stream:
        stream.write(b"trained anew")
    with pytest.raises(InputError, match=r"its en_US-hum-low is piper:en_US-hum-low\.onnx@\w+\?id=0, not piper:"):
        synthesis.synthesise(SENTENCES, [voices.load(f"piper:{model}")], folder)
    assert _everything(folder) == before


def test_a_program_that_ends_or_hangs_is_quoted_and_leaves_no_half_recording(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _older(tmp_path, monkeypatch, ends="helped d", hangs="helped g")
    voice, folder = voices.load(f"piper:{model}"), tmp_path / "folder"
    with pytest.raises(
        SystemFailure, match=r"made no sound of 'the nurse helped d x\.' and ended with code 1; .*bad_all"
    ):
        synthesis.synthesise(SENTENCES, [voice], folder, workers=1)
    assert [clip.id for clip in manifest.read(folder)] == ["0", "1", "2"]
    for clip in manifest.read(folder):
        manifest.verify(clip)
    monkeypatch.setattr(voices, "_SECONDS", 0.5)
    with pytest.raises(
        SystemFailure, match=r"voice en_US-hum-low gave no answer for 0\.5 s to 'the nurse helped g y\.'"
    ):
        voice.speak("the nurse helped g y.")


def test_a_program_that_cannot_start(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _installed(tmp_path, "#!/nowhere/python", monkeypatch)
    with pytest.raises(SystemFailure, match="voice en_US-hum-low: cannot start"):
        voices.load(f"piper:{model}").speak("Hello.")


def test_a_speaker_that_the_model_has_not(model: Path) -> None:
    with pytest.raises(InputError, match=r"voice piper: id=3; the speakers of en_US-hum-low\.onnx are 0 to 0"):
        voices.load(f"piper:{model}?id=3")


def test_kills_at_random_moments_leave_the_folder_of_one_clean_run_and_no_piper(
    model: Path, noted: Path, tmp_path: Path
) -> None:
    table = tmp_path / "set.tsv"
    rows = [f"{key}\t{text}\tnurse\tfeminine" for key, text in SENTENCES]
    table.write_text("\n".join(["id\tsource\tfocus\texpected", *rows]) + "\n", encoding="utf-8")

    def command(folder: Path) -> list[str]:
        words = [sys.executable, "-m", "epicene", "speech", "synthesize", "-t", f"custom:{table}", "-o", str(folder)]
        return [*words, "--voice", f"piper:{model}"]

    clean, killed = tmp_path / "clean", tmp_path / "killed"
    subprocess.run(command(clean), check=True, capture_output=True)
    chance = random.Random(3)
    for _ in range(3):
        target = len(_told(noted)) + chance.randint(1, 3)
        process = subprocess.Popen(command(killed), stdout=subprocess.DEVNULL)
        _wait(lambda target=target, process=process: len(_told(noted)) >= target or process.poll() is not None)
        process.send_signal(signal.SIGKILL)  # Piper itself is not killed: it must end because nobody speaks to it
        process.wait()
        _wait(lambda: not any(Path(f"/proc/{each}").exists() for each in _starts(noted)))
        for clip in manifest.mend(killed) if (killed / manifest.NAME).exists() else []:
            manifest.verify(clip)
    subprocess.run(command(killed), check=True, capture_output=True)
    assert _everything(killed) == _everything(clean)


def _wait(happened: Callable[[], bool]) -> None:
    patience = time.monotonic() + 300
    while not happened():
        assert time.monotonic() < patience
        time.sleep(0.005)
