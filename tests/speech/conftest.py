"""Speech for tests: sentences that flite really speaks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.browser import missing

SENTENCE = "The developer argued with the designer because she did not like the design."


@pytest.fixture(scope="session")
def flite() -> str:
    """The program, which the tests need."""
    return shutil.which("flite") or missing("flite")


@pytest.fixture(scope="session")
def spoken(flite: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording as flite makes it: 16 kHz, 16 bit, mono."""
    from epicene.speech import audio, voices

    path = tmp_path_factory.mktemp("spoken") / "spoken.wav"
    path.write_bytes(audio.encode(*voices.load("slt").speak(SENTENCE)))
    return path


@pytest.fixture(scope="session")
def studio(flite: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording in the form of the published ones."""
    from epicene.speech import audio, voices

    path = tmp_path_factory.mktemp("studio") / "studio.wav"
    samples, rate = voices.load("slt").speak("Yes.")
    path.write_bytes(audio.encode(audio.resample(audio.normalise(samples, rate), audio.RATE, 48000), 48000))
    return path
