"""Recognisers answer each recording, in order, the same each time, and say what is wrong when they cannot."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.io import wavfile

from epicene.errors import InputError, SystemFailure, UnknownNameError
from epicene.speech import audio, manifest, recognisers, voices
from epicene.speech.manifest import Clip
from epicene.speech.recognisers import RECOGNISERS, pocketsphinx
from tests.conftest import Command
from tests.speech.conftest import SENTENCE
from tests.speech.models import converted, tiny_wav2vec, tiny_whisper

WORDS = "the developer argued with the designer because she did not like the design"
SAYING = {"slt": "She did not like the design.", "rms": "The nurse helped him.", "kal16": "The doctor was late."}


@pytest.fixture(scope="session")
def clips(flite: str, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three short recordings by different voices."""
    folder = tmp_path_factory.mktemp("clips")
    for name, text in SAYING.items():
        (folder / f"{name}.wav").write_bytes(audio.encode(audio.normalise(*voices.load(name).speak(text))))
    return [folder / f"{name}.wav" for name in SAYING]


def test_every_recogniser_can_be_found_and_says_what_it_is() -> None:
    assert RECOGNISERS.names() == ["command", "direct", "faster-whisper", "huggingface", "pocketsphinx"]
    for name in RECOGNISERS.names():
        assert RECOGNISERS.find(name).usage.startswith(name)
    with pytest.raises(UnknownNameError, match=r"unknown recogniser 'pocketsphin'\. Did you mean 'pocketsphinx'"):
        recognisers.load("pocketsphin")
    with pytest.raises(InputError, match="recogniser pocketsphinx has no option beam; it knows: workers"):
        recognisers.load("pocketsphinx?beam=3")
    for spec in ("huggingface:", "faster-whisper", "command:", "pocketsphinx:model"):
        with pytest.raises(InputError, match=spec.partition(":")[0]):
            recognisers.load(spec)


class TestPocketSphinx:
    def test_it_hears_the_words_of_a_clear_voice(self, spoken: Path) -> None:
        (heard,) = recognisers.load("pocketsphinx").transcribe([spoken])
        assert heard == WORDS

    def test_order_and_workers_change_nothing(self, clips: list[Path]) -> None:
        forth = list(recognisers.load("pocketsphinx?workers=2").transcribe(clips))
        back = list(recognisers.load("pocketsphinx?workers=1").transcribe(clips[::-1]))
        assert forth == back[::-1]
        assert len(set(forth)) == len(clips)
        assert recognisers.load("pocketsphinx?workers=1").identity == recognisers.load("pocketsphinx").identity

    def test_what_was_heard_before_does_not_change_even_the_score(self, clips: list[Path]) -> None:
        used, fresh = pocketsphinx.open_decoder(), pocketsphinx.open_decoder()
        for before in clips[1:]:
            pocketsphinx.words(used, before)
        assert pocketsphinx.words(used, clips[0]) == pocketsphinx.words(fresh, clips[0])
        assert used.hyp().best_score == fresh.hyp().best_score

    def test_sound_beyond_full_scale_does_not_turn_over(self, clips: list[Path], tmp_path: Path) -> None:
        """Floating samples, and those of a clipped recording at another rate, may pass full scale."""
        rate, data = wavfile.read(clips[0])
        loud = (data / np.abs(data).max() * 1.4).astype(np.float32)
        wavfile.write(tmp_path / "loud.wav", rate, loud)
        decoder = Mock()
        pocketsphinx.words(decoder, tmp_path / "loud.wav")
        given = np.frombuffer(decoder.process_raw.call_args.args[0], dtype=np.int16)
        assert (np.sign(given) * np.sign(loud) >= 0).all()

    def test_a_bad_recording_is_refused_before_it_is_heard(self, clips: list[Path], tmp_path: Path) -> None:
        (tmp_path / "bad.wav").write_bytes(clips[0].read_bytes()[:5000])
        with pytest.raises(InputError, match=r"bad\.wav: cut off"):
            list(recognisers.load("pocketsphinx").transcribe([tmp_path / "bad.wav"]))

    def test_a_decoder_that_breaks_is_quoted_in_one_line(
        self, program: Command, clips: list[Path], tmp_path: Path
    ) -> None:
        folder = tmp_path / "folder"
        (folder / "slt").mkdir(parents=True)
        path = folder / "slt" / "1.wav"
        path.write_bytes(clips[0].read_bytes())
        manifest.write(folder, [Clip("1", path, SENTENCE, "slt", "female", 2.0, manifest.checksum(path) or "")])
        (tmp_path / "pocketsphinx.py").write_text("raise ImportError('no decoder here')", encoding="utf-8")
        search = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
        done = program("speech", "transcribe", folder, "-r", "pocketsphinx", PYTHONPATH=search)
        assert done.returncode == 4
        assert done.stderr == f"epicene: pocketsphinx stopped with code 1 at {path}: ImportError: no decoder here\n"

    def test_it_leaves_no_process_behind_when_it_is_killed(self, clips: list[Path]) -> None:
        code = (
            "import sys, pathlib; from epicene.speech import recognisers\n"
            "heard = recognisers.load('pocketsphinx').transcribe([pathlib.Path(sys.argv[1])] * 50)\n"
            "print(next(heard), flush=True); next(heard); list(heard)"
        )
        process = subprocess.Popen([sys.executable, "-c", code, str(clips[0])], stdout=subprocess.PIPE, text=True)
        assert process.stdout
        assert "design" in process.stdout.readline()
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert children
        process.kill()
        process.wait()
        patience = time.monotonic() + 300
        while any(Path(f"/proc/{child}/stat").exists() and _alive(child) for child in children):
            assert time.monotonic() < patience
            time.sleep(0.05)


def _alive(child: str) -> bool:
    try:
        return Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class TestCommand:
    def test_a_program_gets_paths_and_answers_lines(self, clips: list[Path], tmp_path: Path) -> None:
        program = tmp_path / "recogniser.py"
        program.write_text("import sys\nfor line in sys.stdin: print(sys.argv[1], line.strip()[-7:])", encoding="utf-8")
        spec = f"command:{sys.executable} {program} 'what? two words'"
        heard = list(recognisers.load(spec).transcribe(clips))
        assert heard == ["what? two words slt.wav", "what? two words rms.wav", "what? two words l16.wav"]

    def test_paths_are_absolute_and_hold_no_line_break(
        self, clips: list[Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(clips[0].parent)
        (heard,) = recognisers.load("command:cat").transcribe([Path(clips[0].name)])
        assert heard == str(clips[0])
        with pytest.raises(InputError, match="a line break in a path"):
            recognisers.load("command:cat").transcribe([Path("a\nb.wav")])

    def test_what_goes_wrong_is_said(self, clips: list[Path]) -> None:
        with pytest.raises(InputError, match="no closing quotation"):
            recognisers.load("command:recognise 'me")
        with pytest.raises(SystemFailure, match="cannot start 'no-such-recogniser'"):
            list(recognisers.load("command:no-such-recogniser").transcribe(clips))


@pytest.fixture(scope="module")
def whisper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Whisper with random weights."""
    pytest.importorskip("transformers", reason="needs the extra huggingface")
    return tiny_whisper(tmp_path_factory.mktemp("models") / "whisper")


@pytest.mark.torch
class TestModels:
    def test_transformers_runs_whisper(self, whisper: Path, clips: list[Path]) -> None:
        self._promises(f"huggingface:{whisper}?max_tokens=24", clips)

    def test_transformers_runs_wav2vec(self, tmp_path: Path, clips: list[Path]) -> None:
        pytest.importorskip("transformers", reason="needs the extra huggingface")
        self._promises(f"huggingface:{tiny_wav2vec(tmp_path / 'wav2vec')}", clips)

    def test_faster_whisper_runs_a_converted_whisper(self, whisper: Path, tmp_path: Path, clips: list[Path]) -> None:
        pytest.importorskip("faster_whisper", reason="needs the extra whisper")
        self._promises(f"faster-whisper:{converted(whisper, tmp_path / 'converted')}?beam=2", clips)

    def _promises(self, spec: str, clips: list[Path]) -> None:
        recogniser = recognisers.load(spec)
        heard = list(recogniser.transcribe(clips))
        assert len(set(heard)) > 1, "different sounds give different words"
        assert all(heard)
        assert list(recognisers.load(spec).transcribe(clips[::-1])) == heard[::-1]
        assert recognisers.load(spec).identity == recogniser.identity
        assert str(clips[0].parent) not in recogniser.identity

    def test_other_weights_or_options_are_another_recogniser(self, whisper: Path, tmp_path: Path) -> None:
        other = tiny_whisper(tmp_path / "whisper", seed=8)
        names = {recognisers.load(f"huggingface:{path}").identity for path in (whisper, other)}
        assert len(names) == 2
        beams = {recognisers.load(f"huggingface:{whisper}?beam={beam}").identity for beam in (1, 2)}
        assert len(beams) == 2

    def test_a_model_that_is_not_there_says_what_to_do(
        self, clips: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with pytest.raises(InputError, match=r"no model\.bin there; expected a Whisper model of CTranslate2"):
            recognisers.load(f"faster-whisper:{tmp_path}")
        with pytest.raises(SystemFailure, match=r"huggingface:.*nowhere"):
            list(recognisers.load(f"huggingface:{tmp_path / 'nowhere'}").transcribe(clips))
        with pytest.raises(SystemFailure, match=r"cannot load the model: .*; name a folder made by"):
            list(recognisers.load("faster-whisper:no-such-size").transcribe(clips))


@pytest.mark.parametrize(
    ("module", "spec", "extra"),
    [("faster_whisper", "faster-whisper:base.en", "whisper"), ("torch", "huggingface:model", "huggingface")],
)
def test_an_extra_that_is_not_installed_says_the_pip_line(
    epicene: Command, spoken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, spec: str, extra: str
) -> None:
    (tmp_path / "slt").mkdir()
    path = tmp_path / "slt" / "1.wav"
    path.write_bytes(spoken.read_bytes())
    manifest.write(tmp_path, [Clip("1", path, SENTENCE, "slt", "female", 4.4, manifest.checksum(path) or "")])
    monkeypatch.setitem(sys.modules, module, None)
    done = epicene("speech", "transcribe", tmp_path, "-r", spec)
    assert done.returncode == 2
    assert f"pip install 'epicene[{extra}]'" in done.stderr
    assert done.stderr.count("\n") == 1
