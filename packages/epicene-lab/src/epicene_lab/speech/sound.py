"""Training speech made unlike itself: other rates, noise and silence, with numpy alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene.speech import audio, wav

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float32]]


def read(content: bytes) -> tuple[Floats, int]:
    """The samples between -1 and 1 of a WAV file of one channel, as the programs write it, and their rate."""
    recording = wav.decode(content)
    return recording.samples[:, 0], recording.rate


def resampled(samples: Floats, ratio: float) -> Floats:
    """As many samples more as the ratio says, by the spectrum: what the new rate cannot hold is cut off."""
    import numpy as np

    if ratio == 1 or not len(samples):
        return samples
    size = _smooth(len(samples))
    spectrum = np.fft.rfft(samples, size)
    wanted = round(size * ratio)
    kept = np.zeros(wanted // 2 + 1, spectrum.dtype)
    most = min(len(kept), len(spectrum))
    kept[:most] = spectrum[:most]
    found = np.fft.irfft(kept, wanted) * (wanted / size)
    return np.asarray(found[: round(len(samples) * ratio)], dtype=np.float32)


def noisy(samples: Floats, ratio: float, pink: bool, seed: int) -> Floats:
    """With noise that is softer than the speech by a ratio in dB."""
    import numpy as np

    noise = np.random.default_rng(seed).standard_normal(len(samples), dtype=np.float32)
    if pink:
        size = _smooth(len(noise))
        spectrum = np.fft.rfft(noise, size)
        spectrum /= np.sqrt(np.arange(1, len(spectrum) + 1))
        noise = np.fft.irfft(spectrum, size)[: len(samples)].astype(np.float32)
    gain = np.sqrt(np.mean(np.square(samples)) / np.mean(np.square(noise))) * 10 ** (-ratio / 20)
    return np.asarray(samples + noise * np.float32(gain), dtype=np.float32)


def framed(samples: Floats, lead: float, trail: float, where: str) -> Floats:
    """Speech at 16 kHz at the level of recordings, with so many seconds of silence before and after it."""
    import numpy as np

    if not len(samples):
        raise InputError(f"{where}: silent")
    body = audio.normalise(samples, audio.RATE, where)
    before, after = (round((seconds - audio.MARGIN) * audio.RATE) for seconds in (lead, trail))
    body = body[max(0, -before) : len(body) + min(0, after)]
    return np.pad(body, (max(0, before), max(0, after)))


def _smooth(least: int) -> int:
    """The least size from ``least`` on whose only prime factors are 2, 3 and 5: its spectrum is quickly computed."""
    best = 1 << (least - 1).bit_length()
    five = 1
    while five < best:
        three = five
        while three < best:
            two = three
            while two < least:
                two *= 2
            best = min(best, two)
            three *= 3
        five *= 5
    return best
