"""Who says a sentence of the training, and how: drawn by the sentence's own seed, so that it can be repeated."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from epicene.errors import InputError, SystemFailure
from epicene.speech import audio, features
from epicene_lab.speech.recipe import SpeakPlan
from epicene_lab.tables import table

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float32]]


def read(content: bytes) -> tuple[Floats, int]:
    """The samples between -1 and 1 of a WAV file of one channel, as the programs write it, and their rate."""
    recording = audio.decode_wav(content)
    return recording.samples[:, 0], recording.rate


def resample(samples: Floats, ratio: float) -> Floats:
    """As many samples more as the ratio says, by the spectrum: what the new rate cannot hold is cut off."""
    import numpy as np
    from scipy.fft import next_fast_len

    if ratio == 1 or not len(samples):
        return samples
    size = next_fast_len(len(samples), real=True)
    spectrum = np.fft.rfft(samples, size)
    wanted = round(size * ratio)
    low = np.zeros(wanted // 2 + 1, spectrum.dtype)
    most = min(len(low), len(spectrum))
    low[:most] = spectrum[:most]
    resampled = np.fft.irfft(low, wanted) * (wanted / size)
    return np.asarray(resampled[: round(len(samples) * ratio)], dtype=np.float32)


def add_noise(samples: Floats, ratio: float, pink: bool, seed: int) -> Floats:
    """With noise that is softer than the speech by a ratio in dB."""
    import numpy as np
    from scipy.fft import next_fast_len

    noise = np.random.default_rng(seed).standard_normal(len(samples), dtype=np.float32)
    if pink:
        size = next_fast_len(len(noise), real=True)
        spectrum = np.fft.rfft(noise, size)
        spectrum /= np.sqrt(np.arange(1, len(spectrum) + 1))
        noise = np.fft.irfft(spectrum, size)[: len(samples)].astype(np.float32)
    gain = np.sqrt(np.mean(np.square(samples)) / np.mean(np.square(noise))) * 10 ** (-ratio / 20)
    return np.asarray(samples + noise * np.float32(gain), dtype=np.float32)


def frame(samples: Floats, lead: float, trail: float, where: str) -> Floats:
    """Speech at 16 kHz at the level of recordings, with so many seconds of silence before and after it."""
    import numpy as np

    if not len(samples):
        raise InputError(f"{where}: silent")
    body = audio.normalise(samples, audio.RATE, where)
    before, after = (round((seconds - audio.MARGIN) * audio.RATE) for seconds in (lead, trail))
    body = body[max(0, -before) : len(body) + min(0, after)]
    return np.pad(body, (max(0, before), max(0, after)))


_WORDS_A_MINUTE = 175  # espeak-ng's own pace
_PITCH = 50  # espeak-ng's own, of 100
_SECONDS = 60  # for a sentence
_ONE_MARGIN = 0.1  # seconds, of recordings that are not varied


class Voice(NamedTuple):
    """A voice of training speech."""

    program: str
    voice: str
    share: float

    @property
    def name(self) -> str:
        """Program and voice, as model folders name those that were heard in training."""
        return f"{self.program}:{self.voice}"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a sentence is spoken."""

    voice: int  # its place among the voices
    pace: float = 1.0  # how long it takes, beside the voice's own
    pitch: float = 1.0
    warp: float = 1.0  # the throat's length, beside the voice's own
    ratio: float | None = None  # dB that it is louder than noise; None: no noise
    pink: bool = False
    lead: float = _ONE_MARGIN  # seconds of silence
    trail: float = _ONE_MARGIN
    seed: int = 0  # of the noise


def list_voices() -> list[Voice]:
    """All voices of the table; those with a share of 0 are never trained on."""
    return [Voice(row["program"], row["voice"], float(row["share"])) for row in table("speech", "voices.tsv")]


def draw(plan: SpeakPlan, known: Sequence[Voice], sentence: int, turn: int) -> Manner:
    """The manner in which a sentence is said in a turn."""
    generator = random.Random(f"{plan.seed}/{turn}/{sentence}")
    (voice,) = generator.choices(range(len(known)), [entry.share for entry in known])
    noisy = generator.random() < plan.noisy
    return Manner(
        voice,
        pace=generator.uniform(1 - plan.pace, 1 + plan.pace),
        pitch=generator.uniform(0.8, 1.25),
        warp=generator.uniform(1 - plan.warp, 1 + plan.warp),
        ratio=generator.uniform(plan.loudest, plan.quietest) if noisy else None,
        pink=generator.random() < 0.5,
        lead=generator.uniform(0, plan.margin),
        trail=generator.uniform(0, plan.margin),
        seed=generator.getrandbits(32),
    )


class Mouth:
    """Speaks sentences one after the other through a file of its own."""

    def __init__(self, known: Sequence[Voice], scratch: Path) -> None:
        self._programs = {name: shutil.which(name) or name for name in {voice.program for voice in known}}
        self._known = known
        self._file = scratch / "spoken.wav"

    def features(self, text: str, manner: Manner) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """What a model hears of a sentence, in bytes: [frames, 80]."""
        voice = self._known[manner.voice]
        samples, rate = self._spoken(text, voice, manner)
        # A longer throat, and all else of the voice with it: the same sound at a lower rate.
        samples = resample(samples, features.RATE * manner.warp / rate)
        samples = frame(samples, manner.lead, manner.trail, f"voice {voice.name}, {text!r}")
        if manner.ratio is not None:
            samples = add_noise(samples, manner.ratio, manner.pink, manner.seed)
        return features.pack(features.log_mel(samples)).T

    def _spoken(self, text: str, voice: Voice, manner: Manner) -> tuple[np.ndarray[Any, np.dtype[np.float32]], int]:
        words = [self._programs[voice.program], *_options(voice, manner, self._file)]
        self._file.unlink(missing_ok=True)
        try:
            done = subprocess.run(words, input=f"{text}\n".encode(), capture_output=True, timeout=_SECONDS, check=False)
            return read(self._file.read_bytes())
        except FileNotFoundError:
            if not Path(words[0]).exists():
                raise SystemFailure(f"cannot start {words[0]}: there is no such program") from None
            last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise InputError(f"voice {voice.name} made no sound of {text!r}: {last or 'it said nothing'}") from None
        except subprocess.TimeoutExpired:
            raise InputError(f"voice {voice.name} took longer than {_SECONDS} s for {text!r}") from None
        except (OSError, ValueError) as error:
            raise SystemFailure(f"voice {voice.name}: {error}") from None


def _options(voice: Voice, manner: Manner, path: Path) -> list[str]:
    """Pace and pitch are asked for so that they are as drawn once the warp has changed them too."""
    pace, pitch = manner.pace / manner.warp, manner.pitch * manner.warp
    if voice.program == "flite":
        drawn_ones = ["--setf", f"duration_stretch={pace:.3f}", "--setf", f"f0_shift={pitch:.3f}"]
        return [
            "-voice",
            voice.voice,
            *(drawn_ones if pace != 1 or pitch != 1 else []),
            "-f",
            "/dev/stdin",
            "-o",
            str(path),
        ]
    steps = [] if pace == pitch == 1 else ["-s", str(round(_WORDS_A_MINUTE / pace)), "-p", str(_higher(pitch))]
    return ["-v", voice.voice, *steps, "-w", str(path), "--stdin"]


def _higher(pitch: float) -> int:
    """Espeak-ng's pitch: from 50, half the way to 99 is about a quarter more."""
    return min(99, max(0, round(_PITCH + (pitch - 1) * 2 * _PITCH)))
