"""Log-mel features: tones stand in their bands, level and silence change nothing, bytes keep them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from epicene.errors import InputError
from epicene.speech import audio, features


def tone(hertz: float, seconds: float = 1.0) -> np.ndarray:
    return (0.3 * np.sin(2 * np.pi * hertz * np.arange(round(features.RATE * seconds)) / features.RATE)).astype("f4")


def mel(hertz: float) -> float:
    return 2595 * np.log10(1 + hertz / 700)


@pytest.mark.parametrize("samples", [1, 319, 320, 321, 16_000, 16_001])
def test_fifty_frames_a_second_however_long_the_sound_is(samples: int) -> None:
    found = features.log_mel(np.linspace(-1, 1, samples, dtype=np.float32))
    assert found.shape == (80, -(-samples // 320))
    assert found.dtype == np.float32
    assert np.isfinite(found).all()


def test_a_tone_is_heard_in_its_band_while_it_lasts() -> None:
    width = (mel(7600) - mel(20)) / 81
    for hertz in (200.0, 1000.0, 3000.0, 7000.0):
        # Each band is measured by its own mean, so the band that the second tone raises most is the tone's.
        found = features.log_mel(np.concatenate([tone(500 if hertz != 500 else 900), tone(hertz)]))
        rise = found[:, 55:95].mean(axis=1) - found[:, 5:45].mean(axis=1)
        expected = (mel(hertz) - mel(20)) / width - 1
        loud = np.flatnonzero(rise > 1.9)
        assert loud.min() - 1 <= expected <= loud.max() + 1
        assert rise[round(expected)] > 1.9


def test_bands_have_mean_0_and_variance_1_whatever_the_level(spoken: Path) -> None:
    samples = audio.load(spoken)
    found = features.log_mel(samples)
    assert np.abs(found.mean(axis=1)).max() < 1e-4
    assert found.std(axis=1) == pytest.approx(np.ones(80), abs=1e-3)
    assert features.log_mel(samples * np.float32(0.01)) == pytest.approx(found, abs=2e-3)


def test_perfect_silence_and_a_soft_hiss_are_heard_alike(spoken: Path) -> None:
    samples = np.pad(audio.load(spoken), 1600)
    hiss = np.random.default_rng(1).normal(0, 1e-6, len(samples)).astype(np.float32)
    assert features.log_mel(samples + hiss) == pytest.approx(features.log_mel(samples), abs=0.1)


def test_silence_alone_is_nought_and_no_error() -> None:
    assert np.abs(features.log_mel(np.zeros(8000, np.float32))).max() < 1e-4


def test_bytes_keep_features_to_a_64th(spoken: Path) -> None:
    found = features.log_mel(audio.load(spoken))
    kept = features.unpack(features.pack(found))
    inside = np.abs(found) < 3.9
    assert inside.mean() > 0.999
    assert np.abs(kept - found)[inside].max() <= 1 / 64 + 1e-6
    assert features.unpack(features.pack(np.array([-9.0, 9.0], np.float32))).tolist() == [-4.0, 127 / 32]


def test_other_rates_and_channels_are_refused_in_a_line() -> None:
    with pytest.raises(InputError, match=r"features of sound at 8000 Hz; expected 16000: resample it first"):
        features.log_mel(tone(440), 8000)
    for wrong in (np.zeros((2, 100), np.float32), np.zeros(0, np.float32)):
        with pytest.raises(InputError, match="expected one channel of at least one sample"):
            features.log_mel(wrong)
