"""Recordings are measured as other tools measure them, and refused with the reason."""

from __future__ import annotations

import struct
import sys
import wave
from collections.abc import Callable
from math import gcd
from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile
from scipy.signal import resample_poly

from epicene.errors import InputError, MissingExtraError
from epicene.speech import audio
from epicene.speech.recordings import list_recordings


def test_what_a_recording_is_agrees_with_the_standard_library(spoken: Path) -> None:
    sound = audio.inspect(spoken)
    with wave.open(str(spoken)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2") / 32768
        assert (sound.rate, sound.channels, sound.width) == (file.getframerate(), 1, 2)
        assert sound.frames == file.getnframes()
    assert sound.form == "16 kHz, 16 bit, mono"
    assert sound.peak == pytest.approx(20 * np.log10(np.abs(samples).max()), abs=0.01)
    assert sound.rms == pytest.approx(10 * np.log10(np.mean(samples**2)), abs=0.01)
    assert sound.seconds == pytest.approx(len(samples) / 16000)
    assert not sound.clipped


def test_a_tone_of_known_level_between_known_silences(tmp_path: Path) -> None:
    rate = 48000
    tone = 0.1 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate)  # RMS 0.1 / √2: 23.01 dB below full scale
    whole = np.concatenate([np.zeros(rate // 2), tone, np.zeros(rate // 4)])
    wavfile.write(tmp_path / "tone.wav", rate, (whole * 32767).astype(np.int16))
    sound = audio.inspect(tmp_path / "tone.wav")
    assert sound.peak == pytest.approx(-20, abs=0.05)
    assert sound.level == pytest.approx(-23.01, abs=0.05)
    assert (sound.lead, sound.trail) == (0.5, 0.25)
    samples = audio.load(tmp_path / "tone.wav")
    assert len(samples) == 28000  # 1.75 s at 16 kHz
    spectrum = np.abs(np.fft.rfft(samples[8000:24000]))
    assert spectrum.argmax() == 440


def test_normalised_speech_has_one_rate_level_and_silence_whatever_came_in(spoken: Path, tmp_path: Path) -> None:
    rate, data = wavfile.read(spoken)
    soft = np.concatenate([np.zeros(rate), data / 32768 * 0.05, np.zeros(2 * rate)]).astype(np.float32)
    loud = audio.resample((data / 32768 * 1.5).astype(np.float32), rate, 44100)
    close = (data / 32768)[3200:-2500].astype(np.float32)  # the words begin and end with the recording
    for number, (samples, given) in enumerate([(soft, rate), (loud, 44100), (close, rate)]):
        path = tmp_path / f"{number}.wav"
        path.write_bytes(audio.encode(audio.normalise(samples, given)))
        sound = audio.inspect(path)
        assert sound.form == "16 kHz, 16 bit, mono"
        assert sound.level == pytest.approx(audio.LEVEL, abs=0.2)
        assert sound.lead == pytest.approx(audio.MARGIN, abs=0.011)
        assert sound.trail == pytest.approx(audio.MARGIN, abs=0.011)
        assert sound.peak <= audio.CEILING


def test_a_peaky_sound_is_kept_below_the_ceiling_rather_than_clipped(tmp_path: Path) -> None:
    clicks = np.zeros(16000, dtype=np.float32)
    clicks[::400] = 0.9
    result = audio.normalise(clicks, 16000)
    assert np.abs(result).max() == pytest.approx(10 ** (audio.CEILING / 20), abs=1e-4)


def test_normalising_twice_changes_nothing_more(spoken: Path) -> None:
    once = audio.normalise(audio.load(spoken), 16000)
    assert np.abs(audio.normalise(once, 16000) - once).max() < 1e-5


def truncated(whole: bytes) -> bytes:
    return whole[: len(whole) // 2]


def silent(whole: bytes) -> bytes:
    return whole[:44] + bytes(len(whole) - 44)


def hardly_there(whole: bytes) -> bytes:
    return audio.encode(np.full(16000, 0.0004, dtype=np.float32))


def stereo(whole: bytes) -> bytes:
    return _written(16000, np.stack([_samples(whole)] * 2, axis=1))


def telephone(whole: bytes) -> bytes:
    return _written(8000, _samples(whole)[::2])


def mp3(whole: bytes) -> bytes:
    return b"\xff\xfb\x90\x64" + bytes(4000)


def mp3_with_title(whole: bytes) -> bytes:
    return b"ID3\x04\x00\x00\x00\x00\x00\x00" + bytes(4000)


def mp3_inside_of_wav(whole: bytes) -> bytes:
    return whole[:20] + b"\x55\x00" + whole[22:]


def header_of_a_quarter(whole: bytes) -> bytes:
    return whole[:40] + struct.pack("<I", (len(whole) - 44) // 4) + whole[44:]


def header_of_twice(whole: bytes) -> bytes:
    """As a cut file whose first length was mended, or a whole one of which half was lost on the way."""
    return whole[:40] + struct.pack("<I", 2 * (len(whole) - 44)) + whole[44:]


def written_to_a_pipe(whole: bytes) -> bytes:
    return whole[:4] + b"\xff" * 4 + whole[8:40] + b"\xff" * 4 + whole[44:]


def _samples(whole: bytes) -> np.ndarray:
    return np.frombuffer(whole[44:], dtype="<i2")


def _written(rate: int, samples: np.ndarray) -> bytes:
    import io

    buffer = io.BytesIO()
    wavfile.write(buffer, rate, samples)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (truncated, "cut off"),
        (header_of_a_quarter, r"its header tells of \d+ bytes of sound, but \d+ more follow"),
        (header_of_twice, r"cut off \(its header tells of \d+ bytes of sound, \d+ are there\)"),
        (written_to_a_pipe, "cut off"),
        (lambda whole: whole[:40] + bytes(4) + whole[44:], "its header tells of 0 bytes of sound, but"),
        (lambda whole: whole[:12] + whole[36:], "no readable WAV file: its header is broken"),
        (lambda whole: audio.encode(np.full(3, 0.5, dtype=np.float32)), r"lasts 0\.19 ms, too short for a word"),
        (silent, "silent"),
        (hardly_there, r"silent \(loudest sample -68 dB"),
        (stereo, "16 kHz, 16 bit, stereo; expected one channel"),
        (telephone, "8 kHz, 16 bit, mono; expected at least 16 kHz"),
        (mp3, "no readable MP3 file"),
        (mp3_with_title, "no readable MP3 file"),
        (lambda whole: b"#!AMR" + whole, "holds AMR sound, which cannot be read; convert it"),
        (mp3_inside_of_wav, r"its sound is packed or of an unknown kind \(format 0x0055, 16 bit\); convert it"),
        (lambda whole: b"", r"empty \(0 bytes\)"),
        (lambda whole: whole[:3], "no WAV file"),
        (lambda whole: whole[:20], "no readable WAV file"),
        (lambda whole: audio.encode(np.zeros(0, dtype=np.float32)), r"holds no sound \(0 samples\)"),
        (lambda whole: b"The doctor came in.", "no WAV file"),
        (lambda whole: b"OggS" + whole, "no readable Ogg file"),
    ],
)
def test_a_bad_recording_is_refused_with_the_reason(
    spoken: Path, tmp_path: Path, spoil: Callable[[bytes], bytes], says: str
) -> None:
    path = tmp_path / "bad.wav"
    path.write_bytes(spoil(spoken.read_bytes()))
    with pytest.raises(InputError, match=says) as caught:
        audio.load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "rest",
    [b"LIST\x04\x00\x00\x00INFO", b"bext" + struct.pack("<I", 8000) + bytes(8000), b"TAG" + b"x" * 125, bytes(40000)],
)
def test_what_stands_behind_the_sound_changes_nothing(spoken: Path, tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "more.wav"
    path.write_bytes(spoken.read_bytes() + rest)
    assert np.array_equal(audio.load(path), audio.load(spoken))


def test_the_length_of_the_whole_file_may_be_wrong_as_long_as_the_sounds_is_right(spoken: Path, tmp_path: Path) -> None:
    whole, path = spoken.read_bytes(), tmp_path / "wrong.wav"
    for length in (0, 1000, 10 * len(whole)):
        path.write_bytes(whole[:4] + struct.pack("<I", length) + whole[8:])
        assert np.array_equal(audio.load(path), audio.load(spoken))


def test_sound_of_24_bits_is_named_so_and_heard_as_it_is(spoken: Path, tmp_path: Path) -> None:
    path = tmp_path / "studio.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 3, 16000, 0, "NONE", ""))
        file.writeframes(b"".join(struct.pack("<i", int(each) << 8)[:3] for each in _samples(spoken.read_bytes())))
    assert audio.inspect(path).form == "16 kHz, 24 bit, mono"
    assert np.array_equal(audio.load(path), audio.load(spoken))


def test_what_passes_full_scale_stands_at_it_instead_of_turning_over() -> None:
    loud = np.array([-1.5, -1.0, 0.0, 1.0, 1.2], dtype=np.float32)
    assert audio.whole(loud).tolist() == [-32767, -32767, 0, 32767, 32767]


@pytest.mark.parametrize("name", ["nothing.wav", "folder", "a\x00b.wav"])
def test_what_cannot_be_opened_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot read"):
        audio.inspect(tmp_path / name)


def test_every_place_where_a_file_may_be_cut_is_refused_or_read_whole(spoken: Path, tmp_path: Path) -> None:
    whole, path = spoken.read_bytes(), tmp_path / "cut.wav"
    for end in [*range(0, 64), *range(64, len(whole), 9973)]:
        path.write_bytes(whole[:end])
        with pytest.raises(InputError):
            audio.inspect(path)


def test_a_damaged_header_never_ends_in_a_traceback(spoken: Path, tmp_path: Path) -> None:
    whole, path = bytearray(spoken.read_bytes()), tmp_path / "damaged.wav"
    for place in range(44):
        for value in (0, 1, 0x7F, 0xFF):
            damaged = whole.copy()
            damaged[place] = value
            path.write_bytes(damaged)
            try:
                audio.load(path)
            except InputError as error:
                assert "\n" not in str(error)


def test_clipped_sound_is_read_with_a_warning(spoken: Path, tmp_path: Path) -> None:
    path = tmp_path / "clipped.wav"
    samples = np.clip(_samples(spoken.read_bytes()).astype(np.int32) * 12, -32768, 32767).astype(np.int16)
    wavfile.write(path, 16000, samples)
    sound = audio.inspect(path)
    assert sound.clipped
    assert audio.check(path, sound) == [f"{path}: clipped: the sound reaches full scale; record it softer"]
    assert audio.check(spoken, audio.inspect(spoken)) == []


@pytest.mark.parametrize("given", [8000, 22050, 24000, 44100, 48000, 16001])
@pytest.mark.parametrize("length", [1, 1000, 30011])
def test_resampled_sound_is_scipys_to_the_last_bit(given: int, length: int) -> None:
    samples = np.random.default_rng(length).normal(size=length)
    common = gcd(given, 16000)
    for kind, most in ((np.float64, 1e-12), (np.float32, 0)):
        wanted = resample_poly(samples.astype(kind), 16000 // common, given // common)
        assert np.abs(audio.resample(samples.astype(kind), given, 16000) - wanted).max() <= most


def test_a_written_file_is_scipys_byte_for_byte() -> None:
    samples = np.random.default_rng(1).integers(-32767, 32768, 1001).astype(np.int16)
    assert audio.encode((samples / 32767).astype(np.float32)) == _written(16000, samples)


@pytest.mark.parametrize("kind", ["i2", "i4", "f4", "f8"])
def test_what_other_tools_write_is_read_as_scipy_reads_it(tmp_path: Path, kind: str) -> None:
    tone = 0.5 * np.sin(np.arange(16000) / 10)
    scale = 2 ** (8 * int(kind[1]) - 1) if kind[0] == "i" else 1
    path = tmp_path / "tone.wav"
    wavfile.write(path, 16000, np.array(tone * scale, dtype=kind))
    assert np.array_equal(audio.load(path), (wavfile.read(path)[1] / scale).astype(np.float32))


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int32, np.float32])
def test_every_width_gives_the_same_sound(tmp_path: Path, kind: type) -> None:
    tone = 0.5 * np.sin(np.arange(16000) / 10)
    scaled = {
        np.uint8: tone * 127 + 128,
        np.int16: tone * 32767,
        np.int32: tone * 2147483647,
        np.float32: tone,
    }[kind]
    wavfile.write(tmp_path / "tone.wav", 16000, scaled.astype(kind))
    assert np.abs(audio.load(tmp_path / "tone.wav") - tone).max() < 0.02


@pytest.mark.parametrize("kind", ["flac", "ogg", "mp3", "aiff"])
def test_packed_recordings_are_read_as_the_wav_files_that_they_were(spoken: Path, tmp_path: Path, kind: str) -> None:
    soundfile = pytest.importorskip("soundfile")
    samples, rate = soundfile.read(spoken)
    path = tmp_path / f"spoken.{kind}"
    soundfile.write(path, samples, rate)
    sound, known = audio.inspect(path), audio.inspect(spoken)
    assert sound.rate == known.rate
    assert sound.seconds == pytest.approx(known.seconds, abs=0.1)
    assert sound.level == pytest.approx(known.level, abs=0.5)
    assert list_recordings(tmp_path.iterdir()) == [path]


def test_packed_recordings_need_an_extra(spoken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "spoken.flac"
    path.write_bytes(b"fLaC" + spoken.read_bytes())
    monkeypatch.setitem(sys.modules, "soundfile", None)
    with pytest.raises(MissingExtraError, match=r"FLAC sound.*pip install 'epicene\[speech\]'"):
        audio.load(path)
