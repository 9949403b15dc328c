"""Sound in files: read and refused with reasons, brought to one rate, one loudness and one length of silence."""

from __future__ import annotations

import io
from dataclasses import dataclass
from math import gcd, log10
from pathlib import Path
from typing import Any

import numpy as np

from epicene.errors import InputError, MissingExtraError
from epicene.speech import wav

Samples = np.ndarray[Any, np.dtype[np.float32]]

RATE = 16_000  # what recognisers hear
LEVEL = -23.0  # dB below full scale, of the frames in which somebody speaks
CEILING = -1.0  # dB below full scale, which no sample passes
MARGIN = 0.1  # seconds of silence before and after the words
_SILENT = -60.0  # dB below full scale: a recording whose loudest sample is below holds nothing
_QUIET = 40.0  # dB below the loudest frame: softer frames at either end are silence
_FRAME = 0.01  # seconds
_CLIPPED = 3  # samples in a row at full scale
_REACH = 10  # samples of the slower rate on either side that resampling looks at
_SHORTEST = 0.02  # seconds; no word is shorter
_LARGEST = 500_000_000  # bytes; a recording holds a sentence
_CONVERT = "convert it, for example with: ffmpeg -i IN -ac 1 -ar 16000 -c:a pcm_s16le OUT.wav"
# How files of other kinds begin.
_KINDS = (
    (b"ID3", "MP3"),
    (b"OggS", "Ogg"),
    (b"fLaC", "FLAC"),
    (b"FORM", "AIFF"),
    (b"\x1aE\xdf\xa3", "WebM"),
    (b"#!AMR", "AMR"),
)


@dataclass(frozen=True, slots=True)
class Sound:
    """What a recording is: its form, its level and the silence around its words."""

    rate: int  # samples a second
    channels: int
    width: int  # bytes of a sample
    frames: int
    peak: float  # dB below full scale
    rms: float  # dB below full scale, over all of it
    level: float  # dB below full scale, over the frames in which somebody speaks
    lead: float  # seconds of silence before the words
    trail: float  # seconds of silence after them
    clipped: bool  # several samples in a row stand at full scale

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.frames / self.rate

    @property
    def form(self) -> str:
        """Rate, width and channels in words."""
        heard = {1: "mono", 2: "stereo"}.get(self.channels, f"{self.channels} channels")
        return f"{self.rate / 1000:g} kHz, {8 * self.width} bit, {heard}"


def inspect(path: Path) -> Sound:
    """What a recording is; a file that is missing, cut off, empty, silent or no WAV is refused."""
    return _measure(path, _read(path))


def check(path: Path, sound: Sound) -> list[str]:
    """Refuse what no recogniser should be given; the warnings about the rest."""
    if sound.channels != 1:
        raise InputError(f"{path}: {sound.form}; expected one channel, since two may say different things; {_CONVERT}")
    if sound.rate < RATE:
        raise InputError(
            f"{path}: {sound.form}; expected at least {RATE / 1000:g} kHz, since telephone sound is recognised worse"
        )
    return [f"{path}: clipped: the sound reaches full scale; record it softer"] if sound.clipped else []


def load(path: Path, rate: int = RATE) -> Samples:
    """The samples of a recording between -1 and 1, one channel, at a rate; what ``check`` refuses is refused."""
    recording = _read(path)
    check(path, _measure(path, recording))
    return resample(recording.samples[:, 0], recording.rate, rate)


def resample(samples: Samples, rate: int, wanted: int) -> Samples:
    """Samples at another rate, by a polyphase filter; what ``scipy.signal.resample_poly`` makes of them."""
    if rate == wanted:
        return samples
    common = gcd(rate, wanted)
    up, down = wanted // common, rate // common
    reach = _REACH * max(up, down)
    taps = _low_pass(reach, max(up, down)).astype(samples.dtype) * samples.dtype.type(up)
    count = -(-len(samples) * up // down)
    places = np.arange(count) * down + reach  # in a signal with up - 1 zeros between samples, which nobody adds up
    newest, phase = np.divmod(places, up)
    around = -(-len(taps) // up)
    padded = np.pad(samples, (around, around + int(newest[-1]) + 1 - len(samples) if count else around))
    filled = np.pad(taps, (0, around * up - len(taps)))
    result = np.zeros(count, dtype=samples.dtype)
    for back in reversed(range(around)):  # the oldest first
        result += padded[newest - back + around] * filled[phase + back * up]
    return result


def _low_pass(reach: int, limit: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A filter that lets the frequencies below 1 / limit of the highest pass: a sinc under Kaiser's window."""

    taps = np.sinc(np.arange(-reach, reach + 1) / limit) / limit * np.kaiser(2 * reach + 1, 5.0)
    return np.asarray(taps / taps.sum())


def normalise(samples: Samples, rate: int, where: str = "sound") -> Samples:
    """Speech at 16 kHz, at ``LEVEL`` without passing ``CEILING``, with ``MARGIN`` seconds of silence at both ends."""
    samples = resample(samples, rate, RATE)
    powers = _powers(samples, RATE)
    speaking = _speaking(powers)
    if speaking is None:
        raise InputError(f"{where}: silent")
    step, margin = round(RATE * _FRAME), round(RATE * MARGIN)
    start, end = speaking[0] * step - margin, (speaking[1] + 1) * step + margin
    body = samples[max(0, start) : end]
    body = np.pad(body, (max(0, -start), max(0, end - len(samples))))
    gain = 10 ** ((LEVEL - _level(powers)) / 20)
    loudest = float(np.abs(body).max()) * gain
    gain *= min(1.0, 10 ** (CEILING / 20) / loudest)
    return np.asarray(body * np.float32(gain), dtype=np.float32)


def encode(samples: Samples, rate: int = RATE) -> bytes:
    """A 16-bit mono WAV file."""
    return wav.encode(whole(samples), rate)


def whole(samples: Samples) -> np.ndarray[Any, np.dtype[np.int16]]:
    """Samples as numbers of 16 bits; what passes full scale stands at it, instead of turning over."""
    return np.round(np.clip(samples, -1, 1) * 32767).astype(np.int16)


def _read(path: Path) -> wav.Recording:
    try:
        with path.open("rb") as stream:
            size, head = path.stat().st_size, stream.read(12)
            kind = _recognise(path, size, head)
            content = head + stream.read()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    try:
        recording = _decode_other(content, kind, path) if kind else wav.decode(content)
    except wav.LyingHeaderError as error:
        raise InputError(f"{path}: {error}; make or copy it again") from None
    except ValueError as error:
        raise InputError(f"{path}: no readable {kind or 'WAV'} file: {error}; {_CONVERT}") from None
    _check_samples(path, recording)
    return recording


def _decode_other(content: bytes, kind: str, path: Path) -> wav.Recording:
    """The sound of a file that is no WAV, by libsndfile."""
    try:
        import soundfile
    except ImportError:
        raise MissingExtraError(f"{path}: {kind} sound", "speech") from None
    try:
        with soundfile.SoundFile(io.BytesIO(content)) as file:
            if file.frames * file.channels * 4 > _LARGEST:
                raise ValueError("it is longer than a sentence")
            return wav.Recording(file.samplerate, 2, file.read(dtype="float32", always_2d=True))
    except soundfile.LibsndfileError as error:
        raise ValueError(str(error)) from None


def _recognise(path: Path, size: int, head: bytes) -> str:
    """The kind of a file that soundfile reads; nothing where it is a WAV."""
    if size == 0:
        raise InputError(f"{path}: empty (0 bytes); expected a WAV recording")
    if size > _LARGEST:
        raise InputError(f"{path}: {size / 1e6:.0f} MB; expected a recording of one sentence")
    mp3 = len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0
    kind = "MP3" if mp3 else next((name for start, name in _KINDS if head.startswith(start)), None)
    if kind in ("WebM", "AMR"):
        raise InputError(f"{path}: holds {kind} sound, which cannot be read; {_CONVERT}")
    if kind:
        return kind
    if head[:4] != b"RIFF" or head[8:12] != b"WAVE"[: max(0, len(head) - 8)]:
        raise InputError(f"{path}: no WAV file (it does not begin with RIFF … WAVE); {_CONVERT}")
    return ""


def _check_samples(path: Path, recording: wav.Recording) -> None:
    count, rate = len(recording.samples), recording.rate
    if count == 0 or rate <= 0:
        raise InputError(f"{path}: holds no sound (0 samples); make or copy it again")
    if count < _SHORTEST * rate:
        raise InputError(f"{path}: lasts {1000 * count / rate:.2g} ms, too short for a word; record it again")
    if not np.isfinite(recording.samples).all():
        raise InputError(f"{path}: holds samples that are no numbers; make or copy it again")


def _measure(path: Path, recording: wav.Recording) -> Sound:
    rate, width, samples = recording
    peak = _decibel(float(np.abs(samples).max()) ** 2)
    mono = samples.mean(axis=1)
    powers = _powers(mono, rate)
    speaking = _speaking(powers)
    if peak < _SILENT or speaking is None:
        raise InputError(f"{path}: silent (loudest sample {max(peak, -120):.0f} dB below full scale); record it again")
    full = np.abs(samples).max(axis=1) >= 1 - 2.0 ** (1 - 8 * min(width, 2))
    clipped = len(full) >= _CLIPPED and bool(np.convolve(full, np.ones(_CLIPPED), "valid").max() >= _CLIPPED)
    return Sound(
        rate=rate,
        channels=samples.shape[1],
        width=width,
        frames=len(samples),
        peak=round(peak, 2),
        rms=round(_decibel(float(np.square(mono, dtype=np.float64).mean())), 2),
        level=round(_level(powers), 2),
        lead=round(speaking[0] * _FRAME, 3),
        trail=round(max(0.0, len(mono) / rate - (speaking[1] + 1) * _FRAME), 3),
        clipped=clipped,
    )


def _powers(mono: Samples, rate: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The mean square of each frame."""
    step = max(1, round(rate * _FRAME))
    squares = np.square(mono, dtype=np.float64)
    padded = np.pad(squares, (0, -len(squares) % step))
    return np.asarray(padded.reshape(-1, step).mean(axis=1))


def _speaking(powers: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[int, int] | None:
    """The first and the last frame in which somebody speaks."""

    loud = np.flatnonzero(powers > powers.max() * 10 ** (-_QUIET / 10))
    return (int(loud[0]), int(loud[-1])) if len(loud) else None


def _level(powers: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """The mean level of the frames in which somebody speaks, in dB below full scale."""
    return _decibel(float(powers[powers > powers.max() * 10 ** (-_QUIET / 10)].mean()))


def _decibel(power: float) -> float:
    return 10 * log10(max(power, 1e-20))
