"""Each recording is heard once, whatever happens in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from epicene.errors import InputError, SystemFailure
from epicene.flow import ask, hear
from epicene.speech import audio, manifest
from epicene.speech.manifest import Clip
from epicene.store.cache import Cache


def recordings(folder: Path, lengths: Sequence[int]) -> list[Clip]:
    """Tones of so many hundredths of a second."""
    clips = []
    for number, length in enumerate(lengths):
        path = folder / "voice" / f"{number}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(audio.encode(np.float32(0.2) * np.sin(np.arange(160 * length) / 8).astype(np.float32)))
        clips.append(
            Clip(str(number), path, str(length), "voice", "unknown", length / 100, manifest.checksum(path) or "")
        )
    manifest.write(folder, clips)
    return clips


class Noting:
    """Hears how long a recording lasts."""

    identity = "noting"
    batch_size: int | None = 2

    def __init__(self) -> None:
        self.heard: list[int] = []

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        for clip in clips:
            length = len(audio.load(clip)) // 160
            self.heard.append(length)
            yield f"it  lasts {length}\n"


def test_answers_are_in_order_and_each_distinct_recording_is_heard_once(tmp_path: Path) -> None:
    clips, recogniser = recordings(tmp_path, [30, 20, 30, 10]), Noting()
    pace = hear.Pace()
    assert hear.transcribe(recogniser, clips, pace=pace) == [
        "it lasts 30",
        "it lasts 20",
        "it lasts 30",
        "it lasts 10",
    ]
    assert sorted(recogniser.heard) == [10, 20, 30]
    assert (pace.clips, pace.sound) == (3, pytest.approx(0.6))
    assert pace.factor == pace.seconds / pace.sound


def test_what_was_heard_before_is_not_heard_again_wherever_it_lies_now(tmp_path: Path) -> None:
    cache, recogniser = Cache(tmp_path / "cache.sqlite"), Noting()
    hear.transcribe(recogniser, recordings(tmp_path / "a", [30, 20]), cache)
    again = hear.Pace()
    moved = recordings(tmp_path / "b", [20, 10, 30])
    assert hear.transcribe(recogniser, moved, cache, pace=again) == ["it lasts 20", "it lasts 10", "it lasts 30"]
    assert recogniser.heard == [30, 20, 10]
    assert again.clips == 1
    assert hear.Pace().factor is None


def test_a_recording_that_was_changed_or_lost_is_refused_before_it_is_heard(tmp_path: Path) -> None:
    clips, recogniser = recordings(tmp_path, [10, 20]), Noting()
    clips[1].path.write_bytes(clips[0].path.read_bytes())
    with pytest.raises(InputError, match=r"not the recording that manifest\.jsonl lists"):
        hear.transcribe(recogniser, clips)
    clips[1].path.unlink()
    with pytest.raises(InputError, match=r"listed in manifest\.jsonl but not there"):
        hear.transcribe(recogniser, clips)
    assert recogniser.heard == []


def test_no_recording_is_heard_before_all_are_looked_at(tmp_path: Path) -> None:
    clips, recogniser = recordings(tmp_path, [10, 20, 30, 40, 50]), Noting()
    assert recogniser.batch_size == 2
    clips[4].path.unlink()
    with pytest.raises(InputError, match=r"listed in manifest\.jsonl but not there"):
        hear.transcribe(recogniser, clips)
    assert recogniser.heard == []


def test_a_recording_that_was_changed_since_it_was_heard_is_refused_and_one_that_went_away_is_not(
    tmp_path: Path,
) -> None:
    cache, recogniser = Cache(tmp_path / "cache.sqlite"), Noting()
    clips = recordings(tmp_path, [10, 20])
    hear.transcribe(recogniser, clips, cache)
    clips[0].path.unlink()
    assert hear.transcribe(recogniser, clips, cache) == ["it lasts 10", "it lasts 20"]
    clips[1].path.write_bytes(audio.encode(np.full(16000, 0.5, dtype=np.float32)))
    with pytest.raises(InputError, match=r"not the recording that manifest\.jsonl lists"):
        hear.transcribe(recogniser, clips, cache)


def test_what_no_recogniser_should_be_given_is_refused_and_the_rest_warned_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (clip,) = recordings(tmp_path, [40])
    clip.path.write_bytes(audio.encode(audio.load(clip.path), rate=8000))
    telephone = replace(clip, sha256=manifest.checksum(clip.path) or "")
    recogniser = Noting()
    with pytest.raises(InputError, match="8 kHz, 16 bit, mono; expected at least 16 kHz"):
        hear.transcribe(recogniser, [telephone])
    assert recogniser.heard == []
    clip.path.write_bytes(audio.encode(np.ones(16000, dtype=np.float32)))
    loud = replace(clip, sha256=manifest.checksum(clip.path) or "")
    hear.transcribe(recogniser, [loud])
    softer = f"warning: {clip.path}: clipped: the sound reaches full scale; record it softer"
    assert [record.getMessage() for record in caplog.records] == [softer]


class Deaf(Noting):
    """Hears nothing."""

    identity = "deaf"

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        return iter([" "] * len(clips))


class Mute(Noting):
    """Does not even answer."""

    identity = "mute"

    def transcribe(self, clips: Sequence[Path]) -> Iterator[str]:
        return iter(())


def test_a_recogniser_that_hears_nothing_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    clips, cache = recordings(tmp_path, [10, 20, 30, 40]), Cache(tmp_path / "cache.sqlite")
    with pytest.raises(SystemFailure, match="deaf heard nothing in any of the 4 recordings; check its model"):
        hear.transcribe(Deaf(), clips, cache)
    with pytest.raises(ask.MiscountError, match="mute answered 0 lines for the 2 it was given"):
        hear.transcribe(Mute(), clips, cache)
    for identity in ("deaf", "mute"):
        assert cache.known(identity, hear.PAIR, [clip.sha256 for clip in clips]) == {}


def test_one_recording_without_words_is_an_empty_answer(tmp_path: Path) -> None:
    assert hear.transcribe(Deaf(), recordings(tmp_path, [10])) == [""]


def test_a_recogniser_of_transcripts_does_not_meet_translations(tmp_path: Path) -> None:
    from epicene.types import Pair

    cache = Cache(tmp_path / "cache.sqlite")
    clips = recordings(tmp_path, [10])
    cache.add("noting", Pair("en", "de"), [(clips[0].sha256, "a translation")])
    assert hear.transcribe(Noting(), clips, cache) == ["it lasts 10"]
