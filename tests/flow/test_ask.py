"""The local engine sends each distinct sentence once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from epicene import systems
from epicene.flow import ask as local
from epicene.store.cache import Cache
from epicene.store.spool import Spool
from epicene.types import Pair

PAIR = Pair("en", "de")


class Noting:
    """Notes what it is sent."""

    identity = "noting"
    batch_size = 3

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def translate(self, sources: Sequence[str], pair: Pair) -> list[str]:
        self.batches.append(list(sources))
        return [source.upper() for source in sources]


def test_sentences_are_deduplicated_and_batched_by_length() -> None:
    system = Noting()
    sources = ["long sentence", "a", "", "bb", "a", "  ", "ccc", "dddd"]
    assert local.translate(system, sources, PAIR) == ["LONG SENTENCE", "A", "", "BB", "A", "", "CCC", "DDDD"]
    assert system.batches == [["a", "bb", "ccc"], ["dddd", "long sentence"]]


def test_what_is_in_the_cache_is_not_sent(tmp_path: Path) -> None:
    cache, system = Cache(tmp_path / "cache.sqlite"), Noting()
    local.translate(system, ["a", "b"], PAIR, cache)
    local.translate(system, ["b", "c"], PAIR, cache)
    assert system.batches == [["a", "b"], ["c"]]


def test_another_identity_or_pair_is_another_translation(tmp_path: Path) -> None:
    cache, system = Cache(tmp_path / "cache.sqlite"), Noting()
    local.translate(system, ["a"], PAIR, cache)
    local.translate(system, ["a"], Pair("en", "es"), cache)
    system.identity = "noting?beam=1"  # type: ignore[misc]
    local.translate(system, ["a"], PAIR, cache)
    assert system.batches == [["a"], ["a"], ["a"]]


def test_progress_counts_what_is_done_of_all(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    local.translate(Noting(), ["a", "b", "b"], PAIR, None, lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 2)
    assert seen[-1] == (2, 2)


def lines_of(count: int) -> list[str]:
    return ["", *(f"{number % 70} {'word ' * (number % 13)}" for number in range(count))]


@pytest.mark.parametrize("look", [1, 7, 10_000])
def test_a_stream_is_what_a_list_is_batch_by_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look: int) -> None:
    monkeypatch.setattr(local, "_LOOK", look)
    lines, systems, caches = lines_of(500), (Noting(), Noting()), (Cache(tmp_path / "a"), Cache(tmp_path / "b"))
    for cache in caches:
        cache.add("noting", PAIR, [("3 ", "kept")])
    expected = local.translate(systems[0], lines, PAIR, caches[0])
    with closing(Spool()) as spool:
        assert list(local.streamed(systems[1], iter(lines), PAIR, caches[1], spool)) == expected
    assert systems[1].batches == systems[0].batches
    assert "kept" in expected


def test_a_stream_tells_what_is_left_of_what_was_missing(tmp_path: Path) -> None:
    cache, seen = Cache(tmp_path / "cache.sqlite"), list[tuple[int, int]]()
    cache.add("noting", PAIR, [("a", "A")])
    with closing(Spool()) as spool:
        local.streamed(Noting(), ["a", "b", "b", "c"], PAIR, cache, spool, lambda *each: seen.append(each))
    assert seen == [(1, 2), (2, 2)]


STATUS = Path("/proc/self/status")
PEAK = f"""
import pathlib, sys
from epicene.api import translate_file
translate_file(sys.argv[1], "en-de", "echo", sys.argv[2])
print(pathlib.Path("{STATUS}").read_text().partition("VmHWM:")[2].split()[0])  # KiB at most
"""


@pytest.mark.skipif(not STATUS.exists(), reason="the system does not tell how much memory a process had at most")
def test_memory_does_not_grow_with_the_text(tmp_path: Path) -> None:
    peaks = []
    for count in (50_000, 200_000):
        text, made = tmp_path / f"{count}.en", tmp_path / f"{count}.de"
        # Two texts that share no sentence, so that neither is read from the cache.
        sentences = (f"This is sentence {each} of the text of {count}.\n" for each in range(count))
        text.write_text("".join(sentences), encoding="utf-8")
        done = subprocess.run([sys.executable, "-c", PEAK, text, made], capture_output=True, check=True)
        assert made.read_bytes() == text.read_bytes()
        peaks.append(int(done.stdout))
    assert peaks[1] - peaks[0] < 2_000  # KiB; the text alone grew by 5,500


@pytest.mark.parametrize("streamed", [False, True])
def test_answers_from_the_cache_are_announced_with_their_dates(
    streamed: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache, system, today = Cache(tmp_path / "c.sqlite"), systems.load("echo"), datetime.now(UTC).date().isoformat()
    cache.add("echo", PAIR, [("a", "A")])
    if streamed:
        with closing(Spool()) as spool:
            assert list(local.streamed(system, ["a", "b", "a"], PAIR, cache, spool)) == ["A", "b", "A"]
    else:
        assert local.translate(system, ["a", "b", "a"], PAIR, cache) == ["A", "b", "A"]
    assert caplog.messages == [f"echo en-de: 1 of 2 answers come from the cache, given {today}"]
