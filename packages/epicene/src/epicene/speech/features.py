"""Log-mel features: what a direct speech translator hears of a recording, the same in training and in use."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from epicene.errors import InputError

Floats = np.ndarray[Any, np.dtype[np.float32]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]

RATE = 16_000
BANDS = 80
HOP = 320  # samples: 20 ms
PER_SECOND = RATE // HOP
_WINDOW = 400  # samples: 25 ms
_FFT = 512
_LOWEST, _HIGHEST = 20.0, 7_600.0  # Hz; above, most voices are silent
_FLOOR = 1e-6  # of the loudest band: 60 dB below it all is silence, the perfect one of synthetic voices too
_LEAST = 0.5  # the least spread that a band is brought to 1 from: a band without speech is not blown up
STEPS = 32  # steps of a byte for a spread of 1: a byte reaches from -4 to 4
CENTRE = 128  # the byte of 0


def log_mel(samples: Floats, rate: int = RATE) -> Floats:
    """The logarithm of 80 mel bands' energy, 50 times a second, each band with mean 0 and variance 1: [80, frames]."""
    if rate != RATE:
        raise InputError(f"features of sound at {rate} Hz; expected {RATE}: resample it first")
    if samples.ndim != 1 or not len(samples):
        raise InputError(f"features of samples of shape {samples.shape}; expected one channel of at least one sample")
    count = -(-len(samples) // HOP)
    before = (_WINDOW - HOP) // 2
    padded = np.zeros((count - 1) * HOP + _WINDOW, np.float32)
    padded[before : before + len(samples)] = samples[: len(padded) - before]
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::HOP]
    power = np.abs(np.fft.rfft(frames * _window(), _FFT)) ** 2
    energy = power.astype(np.float32) @ _bands().T
    logs = np.log(np.maximum(energy, max(float(energy.max()) * _FLOOR, 1e-20)))
    spread = np.maximum(logs.std(axis=0), _LEAST)
    return np.ascontiguousarray(((logs - logs.mean(axis=0)) / spread).T, dtype=np.float32)


def pack(features: Floats) -> Bytes:
    """Features in a byte each, as they are stored for training."""
    return np.clip(np.round(features * STEPS) + CENTRE, 0, 255).astype(np.uint8)


def unpack(stored: Bytes) -> Floats:
    """Features from their bytes, to within 1/64 between -4 and 4."""
    return np.asarray((stored.astype(np.float32) - CENTRE) / STEPS, dtype=np.float32)


@cache
def _window() -> Floats:
    return np.hanning(_WINDOW + 1)[:-1].astype(np.float32)


@cache
def _bands() -> Floats:
    """Triangles that are evenly wide on the mel scale, one row a band."""

    def mel(hertz: Any) -> Any:
        return 2595 * np.log10(1 + hertz / 700)

    lines = mel(np.arange(_FFT // 2 + 1) * RATE / _FFT)
    edges = np.linspace(mel(_LOWEST), mel(_HIGHEST), BANDS + 2)
    width = edges[1] - edges[0]
    bands = np.maximum(0, 1 - np.abs(lines[None, :] - edges[1:-1, None]) / width)
    # Low bands are narrower than the distance between two lines of the spectrum: each hears the nearest one.
    for band in np.flatnonzero(bands.max(axis=1) < 0.25):
        bands[band, np.abs(lines - edges[band + 1]).argmin()] = 1.0
    return np.asarray(bands, dtype=np.float32)
