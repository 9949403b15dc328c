"""The local engine sends each distinct sentence once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from epicene import systems
from epicene.flow import ask
from epicene.store.cache import Cache
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
    assert ask.translate(system, sources, PAIR) == ["LONG SENTENCE", "A", "", "BB", "A", "", "CCC", "DDDD"]
    assert system.batches == [["a", "bb", "ccc"], ["dddd", "long sentence"]]


def test_what_is_in_the_cache_is_not_sent(tmp_path: Path) -> None:
    cache, system = Cache(tmp_path / "cache.sqlite"), Noting()
    ask.translate(system, ["a", "b"], PAIR, cache)
    ask.translate(system, ["b", "c"], PAIR, cache)
    assert system.batches == [["a", "b"], ["c"]]


def test_another_identity_or_pair_is_another_translation(tmp_path: Path) -> None:
    cache, system = Cache(tmp_path / "cache.sqlite"), Noting()
    ask.translate(system, ["a"], PAIR, cache)
    ask.translate(system, ["a"], Pair("en", "es"), cache)
    system.identity = "noting?beam=1"  # type: ignore[misc]
    ask.translate(system, ["a"], PAIR, cache)
    assert system.batches == [["a"], ["a"], ["a"]]


def test_progress_counts_what_is_done_of_all(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    ask.translate(Noting(), ["a", "b", "b"], PAIR, None, lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 2)
    assert seen[-1] == (2, 2)


def test_answers_from_the_cache_are_announced_with_their_dates(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache, system, today = Cache(tmp_path / "c.sqlite"), systems.load("echo"), datetime.now(UTC).date().isoformat()
    cache.add("echo", PAIR, [("a", "A")])
    assert ask.translate(system, ["a", "b", "a"], PAIR, cache) == ["A", "b", "A"]
    assert caplog.messages == [f"echo en-de: 1 of 2 answers come from the cache, given {today}"]
