"""Training speech: whole shards, the same whenever spoken, by voices that leave two unheard."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.signal import resample_poly

from epicene.errors import InputError, SystemFailure
from epicene.speech import audio, features
from epicene.tables import table as core_table
from epicene_lab.speech import manner, shards, speak
from epicene_lab.speech.recipe import SpeakPlan
from epicene_lab.tables import table

SENTENCES = ["The nurse helped us.", "Was he really a roofer?", "We saw an old house there.", "She sings.", "It rains."]
PLAN = SpeakPlan(passes=2, shard=3)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "text.tsv"
    path.write_text("en\tde\tes\tfr\tit\n" + "".join(f"{line}\tx\t\t\t\n" for line in SENTENCES), encoding="utf-8")
    return path


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_every_sentence_is_spoken_in_every_pass_and_a_kill_costs_one_shard(
    flite: str,
    written: Path,
    tmp_path: Path,
) -> None:
    order = speak.Order(written, tmp_path / "a", PLAN, workers=1)
    said: list[str] = []
    done = speak.speak(order, said.append)
    assert (done.recordings, done.failed) == (10, ())
    assert said[0].endswith("4 shards, 4 to speak")
    assert shards.list_names(order.output) == ["1-0000", "1-0001", "2-0000", "2-0001"]
    heard = shards.read(order.output, shards.list_names(order.output), 3000, len(SENTENCES), said.append)
    assert heard.sentence.tolist() == [0, 1, 2, 3, 4] * 2
    assert heard.frames.sum() == pytest.approx(done.seconds * features.PER_SECOND)
    # Longer sentences last longer, whoever says them.
    assert all(heard.frames[[2, 7]] > heard.frames[[3, 8]])
    names = shards.list_voices(order.output)
    assert {names[voice] for voice in heard.voice} <= {
        row["program"] + ":" + row["voice"] for row in _rows(trained=True)
    }
    before = bytes_of(order.output)
    (order.output / "1-0001.index.npz").unlink()  # as a kill between the two files leaves it
    assert speak.speak(order, said.append).recordings == 2
    assert bytes_of(order.output) == before
    assert speak.speak(order, said.append).recordings == 0
    with pytest.raises(InputError, match=r"spoken with another plan; choose another folder"):
        speak.speak(speak.Order(written, order.output, SpeakPlan(passes=3, shard=3), workers=1), said.append)
    written.write_text(written.read_text(encoding="utf-8").replace("sings", "sang"), encoding="utf-8")
    with pytest.raises(InputError, match=r"spoken with another text; choose another folder"):
        speak.speak(order, said.append)


def test_several_workers_write_what_one_writes_and_minutes_end_it(
    flite: str,
    written: Path,
    tmp_path: Path,
) -> None:
    for workers in (1, 2):
        speak.speak(speak.Order(written, tmp_path / str(workers), PLAN, most=4, workers=workers), lambda _: None)
    assert bytes_of(tmp_path / "1") == bytes_of(tmp_path / "2")
    late = speak.Order(written, tmp_path / "late", PLAN, workers=1, minutes=0.0)
    assert speak.speak(late, lambda _: None).recordings == 0


def test_held_out_sentences_are_said_as_they_are_by_voices_nobody_trains_on(
    flite: str,
    written: Path,
    tmp_path: Path,
) -> None:
    order = speak.Order(written, tmp_path / "held", PLAN, heldout=True, voices=("flite:rms",), most=1, workers=1)
    speak.speak(order, lambda _: None)
    heard = shards.read(order.output, shards.list_names(order.output), 3000, 5, lambda _: None)
    assert [shards.list_voices(order.output)[voice] for voice in heard.voice] == ["flite:rms"]
    spoken = tmp_path / "rms.wav"
    subprocess.run([flite, "-voice", "rms", "-t", SENTENCES[0], "-o", spoken], check=True, stdin=subprocess.DEVNULL)
    samples = audio.normalise(audio.load(spoken), audio.RATE)
    assert np.abs(features.unpack(heard.features).T - np.clip(features.log_mel(samples), -4, 127 / 32)).max() < 0.02
    with pytest.raises(InputError, match=r"voice flite:bob is none of"):
        wrong = speak.Order(written, tmp_path / "wrong", PLAN, heldout=True, voices=("flite:bob",), workers=1)
        speak.speak(wrong, lambda _: None)


def test_voices_are_drawn_by_their_shares_and_two_never() -> None:
    known = manner.list_voices()
    drawn = [manner.draw(SpeakPlan(), known, row, 1) for row in range(4000)]
    counts = Counter(known[each.voice].name for each in drawn)
    assert {row["program"] + ":" + row["voice"] for row in _rows(trained=False)} == {"flite:rms", "espeak-ng:en-us+f3"}
    assert not counts["flite:rms"]
    assert not counts["espeak-ng:en-us+f3"]
    total = sum(each.share for each in known)
    assert counts["flite:slt"] / 4000 == pytest.approx(20 / total, abs=0.03)
    assert sum(each.ratio is not None for each in drawn) / 4000 == pytest.approx(SpeakPlan().noisy, abs=0.03)
    assert all(0.85 <= each.warp <= 1.15 and 0.8 <= each.pace <= 1.2 for each in drawn)
    assert manner.draw(SpeakPlan(), known, 7, 1) == drawn[7] != manner.draw(SpeakPlan(), known, 7, 2)


def test_a_longer_throat_changes_neither_pace_nor_pitch(flite: str, tmp_path: Path) -> None:
    mouth = manner.Mouth(manner.list_voices(), tmp_path)
    plain, warped, slow = (
        len(mouth.features(SENTENCES[2], manner.Manner(0, **how))) for how in ({}, {"warp": 1.12}, {"pace": 1.15})
    )
    assert warped == pytest.approx(plain, rel=0.03)
    assert (slow - 10) / (plain - 10) == pytest.approx(1.15, rel=0.03)  # less the margins of 5 frames each


def test_resampling_agrees_with_scipys() -> None:
    rough = np.random.default_rng(1).normal(size=22_500)
    smooth = np.convolve(rough, np.hanning(25) / 12, "same").astype(np.float32)
    ours, theirs = manner.resample(smooth, 0.72), resample_poly(smooth, 18, 25)
    assert len(ours) == len(theirs) == 16_200
    assert np.abs(ours - theirs)[200:-200].max() < 0.01 * np.abs(theirs).max()
    # Any other length and ratio is met to a hundred thousandth or so.
    tone = np.sin(2 * np.pi * 440 * np.arange(22_051) / 22_050).astype(np.float32)
    found = manner.resample(tone, 16_000 / 22_050)
    assert len(found) == 16_001
    assert np.abs(np.fft.rfft(found)).argmax() == 440


@pytest.mark.parametrize("samples", [16_001, 28_125])  # the spectrum of the second has an odd size
@pytest.mark.parametrize("pink", [False, True])
def test_noise_is_as_loud_as_asked_and_repeats(pink: bool, samples: int) -> None:
    speech = np.sin(np.arange(samples) / 9).astype(np.float32)
    noise = manner.add_noise(speech, 20.0, pink, seed=3) - speech
    assert 10 * np.log10(np.mean(speech**2) / np.mean(noise**2)) == pytest.approx(20, abs=0.1)
    assert (manner.add_noise(speech, 20.0, pink, seed=3) == speech + noise).all()
    low, high = (np.abs(np.fft.rfft(noise)[part]).mean() for part in (slice(50, 500), slice(5000, 8000)))
    assert low > 2 * high if pink else low == pytest.approx(high, rel=0.2)


def test_silence_before_and_after_is_as_long_as_asked() -> None:
    loud = np.pad(np.full(1600, 0.1, np.float32), 4800)
    for lead, trail in ((0.0, 0.3), (0.25, 0.05)):
        found = manner.frame(loud, lead, trail, "x")
        words = np.flatnonzero(found)
        assert words[0] / audio.RATE == pytest.approx(lead, abs=0.01)
        assert (len(found) - 1 - words[-1]) / audio.RATE == pytest.approx(trail, abs=0.01)


def test_a_program_that_is_not_installed_is_told(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemFailure, match=r"cannot start \S+: there is no such program"):
        speak.speak(speak.Order(written, tmp_path / "b", PLAN, workers=1), lambda _: None)


def test_a_sentence_without_sound_is_told_of_and_the_rest_goes_on(
    flite: str,
    written: Path,
    tmp_path: Path,
) -> None:
    written.write_text("en\tde\tes\tfr\tit\n...\tx\nIt rains.\tx\n", encoding="utf-8")
    said: list[str] = []
    done = speak.speak(
        speak.Order(written, tmp_path / "a", PLAN, heldout=True, voices=("flite:kal16",), workers=1), said.append
    )
    assert done.recordings == 1
    assert len(done.failed) == 1
    assert said[-1].startswith("1 sentences could not be spoken; the first: ")


def test_the_voices_of_epicene_are_among_those_heard_or_held_out() -> None:
    ours = {f"{row['program']}:{row['voice']}" for row in core_table("speech/tables/voices.tsv")}
    assert ours <= {each.name for each in manner.list_voices()}


def _rows(trained: bool) -> list[dict[str, str]]:
    return [row for row in table("speech", "voices.tsv") if (float(row["share"]) > 0) is trained]
