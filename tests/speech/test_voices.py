"""Voices say what they are told, however it is written, and nothing of a text is ever run."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import numpy as np
import pytest

from epicene.errors import InputError, SystemFailure, UnknownNameError
from epicene.speech import audio, voices
from tests.browser import missing
from tests.conftest import Command
from tests.speech.conftest import SENTENCE
from tests.speech.models import tiny_piper


def pitch(samples: np.ndarray, rate: int) -> float:
    """The median frequency of the voice, by autocorrelation of its loud frames."""
    found = []
    step = rate // 20
    for start in range(0, len(samples) - step, step):
        frame = samples[start : start + step] - samples[start : start + step].mean()
        if np.sqrt((frame**2).mean()) < 0.03:
            continue
        echo = np.correlate(frame, frame, "full")[step - 1 :]
        low, high = rate // 350, rate // 60
        best = low + int(echo[low:high].argmax())
        if echo[best] > 0.5 * echo[0]:
            found.append(rate / best)
    return float(np.median(found))


@pytest.mark.parametrize("name", ["slt", "rms", "awb", "kal16"])
def test_flite_voices_speak_a_sentence_and_always_the_same(flite: str, name: str) -> None:
    voice = voices.load(name)
    samples, rate = voice.speak(SENTENCE)
    assert rate == 16000
    assert 3 < len(samples) / rate < 6  # 13 words
    again, _ = voice.speak(SENTENCE)
    assert np.array_equal(samples, again)
    assert voice.identity.startswith("flite-2")
    assert voice.identity.endswith(f":{name}")


def test_the_woman_speaks_higher_than_the_men(flite: str) -> None:
    heard = {name: pitch(*voices.load(name).speak(SENTENCE)) for name in ("slt", "rms", "kal16", "awb")}
    assert {voices.load(name).speaker for name in ("rms", "kal16", "awb")} == {"male"}
    assert voices.load("slt").speaker == "female"
    assert heard["slt"] > 150 > max(heard[name] for name in ("rms", "kal16", "awb")), heard


def test_espeak_voices_of_two_genders() -> None:
    if shutil.which("espeak-ng") is None:
        missing("espeak-ng")
    high, low = (voices.load(name) for name in ("espeak-f", "espeak-m"))
    assert (high.speaker, low.speaker) == ("female", "male")
    assert pitch(*high.speak(SENTENCE)) > pitch(*low.speak(SENTENCE))


@pytest.mark.parametrize("name", ["slt", "espeak-m"])
@pytest.mark.parametrize(
    "text",
    [
        "-voice rms",
        "--help",
        "-o {mark} hello",
        "$(touch {mark}) hello",
        "`touch {mark}` hello",
        "hello; touch {mark}",
        "hello | touch {mark} && touch {mark}",
        "hello\n; touch {mark}\n",
        "'\"\\ hello",
        "<audio src='file:///etc/passwd'/> hello",
    ],
)
def test_a_text_is_spoken_and_never_run_nor_taken_for_an_option(
    flite: str, tmp_path: Path, name: str, text: str
) -> None:
    mark = tmp_path / "mark"
    samples, rate = voices.load(name).speak(text.replace("{mark}", str(mark)))
    assert len(samples) / rate > 0.3
    assert not mark.exists()


def test_an_option_in_the_text_changes_no_voice(flite: str) -> None:
    slt, rms = voices.load("slt"), voices.load("rms")
    text = "-voice rms"
    assert not np.array_equal(slt.speak(text)[0], rms.speak(text)[0])
    assert pitch(*slt.speak(f"{text}. {SENTENCE}")) > 150


@pytest.mark.parametrize("name", ["slt", "espeak-m"])
def test_a_genitive_that_stands_apart_is_not_spelt(flite: str, name: str) -> None:
    voice = voices.load(name)
    apart, _ = voice.speak("The auditor 's visit was short.")
    assert np.array_equal(apart, voice.speak("The auditor's visit was short.")[0])


@pytest.mark.parametrize(("text", "says"), [("  ", "a blank text"), ("a\x00b", "a NUL in the text")])
def test_what_cannot_be_spoken_is_refused(flite: str, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        voices.load("slt").speak(text)


def test_an_unknown_voice_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown voice 'slr'\. Did you mean 'slt'"):
        voices.load("slr")


def test_a_voice_that_is_not_installed_says_how_to_install_it(epicene: Command, tmp_path: Path) -> None:
    for voice, command in (("slt", "apt-get install flite"), ("espeak-f", "apt-get install espeak-ng")):
        done = epicene(
            "speech", "synthesize", "-t", "simplegen", "--voice", voice, "-o", tmp_path / "x", PATH=str(tmp_path)
        )
        assert done.returncode == 2
        assert f"run: {command}" in done.stderr
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "x").exists()
    shown = epicene("speech", "voices", PATH=str(tmp_path)).stdout
    assert "slt          female   not here  a woman, American English (CMU ARCTIC)\n" in shown
    assert "for slt, rms, awb, kal16 run: apt-get install flite\n" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_program_that_fails_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "flite"
    program.write_text("#!/bin/sh\nif [ $1 = -lv ]; then echo Voices: slt; else echo no licence >&2; exit 3; fi\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(
        SystemFailure, match=r"voice slt: .*flite made no sound of 'hello' and ended with code 3; it said: no licence"
    ):
        voices.load("slt").speak("hello")


def test_sound_that_found_no_room_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """flite notices nothing when the folder for its sound is full."""
    program = tmp_path / "flite"
    program.write_text(
        "#!/bin/sh\ncase $1 in -lv) echo Voices: slt ;; --version) echo 2.2 ;; "
        '*) for last; do :; done; echo RIFF > "$last" ;; esac\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(SystemFailure, match=r"voice slt: .*flite made no sound that can be read; is there room in /"):
        voices.load("slt").speak("hello")


def test_piper_runs_a_voice_that_it_is_given(tmp_path: Path) -> None:
    if importlib.util.find_spec("piper") is None:
        pytest.skip("piper-tts is not installed")
    path = tiny_piper(tmp_path)
    voice = voices.load(f"piper:{path}?speaker=female")
    assert (voice.name, voice.speaker, voice.language) == ("en_US-hum-low", "female", "en")
    samples, rate = voice.speak("The nurse came.")
    assert rate == 22050
    # Each letter is hummed for 800 samples; Piper puts marks of its own around and between them.
    assert len(samples) % 800 == 0
    assert len(samples) / 800 >= len("The nurse came.")
    again, _ = voice.speak("The nurse came.")
    assert np.array_equal(samples, again)
    assert audio.normalise(samples, rate).max() > 0.05


def test_a_piper_voice_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"piper:nowhere\.onnx: no such file; expected the \.onnx file of a voice"):
        voices.load("piper:nowhere.onnx")
    (tmp_path / "voice.onnx").write_bytes(b"")
    with pytest.raises(InputError, match="a Piper voice is two files"):
        voices.load(f"piper:{tmp_path / 'voice.onnx'}")
    (tmp_path / "voice.onnx.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="speaker='woman'; known: female, male, unknown"):
        voices.load(f"piper:{tmp_path / 'voice.onnx'}?speaker=woman")
    with pytest.raises(InputError, match="voice piper has no option pitch"):
        voices.load(f"piper:{tmp_path / 'voice.onnx'}?pitch=3")
