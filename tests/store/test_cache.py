"""The cache keeps what it was given, and refuses what it does not understand."""

from __future__ import annotations

import sqlite3
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from epicene.errors import StoreError
from epicene.result import Period
from epicene.store.cache import MIGRATIONS, Cache
from epicene.types import Pair

PAIR = Pair("en", "de")


def test_many_sources_are_found_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c.sqlite")
    pairs = [(f"source {n}", f"text {n}") for n in range(1500)]
    cache.add("s", PAIR, pairs)
    cache.close()
    assert Cache(tmp_path / "c.sqlite").known("s", PAIR, [source for source, _ in pairs]) == dict(pairs)


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    Cache(tmp_path / "c.sqlite").close()
    with sqlite3.connect(tmp_path / "c.sqlite") as database:
        database.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")
    with pytest.raises(StoreError, match="newer epicene"):
        Cache(tmp_path / "c.sqlite")


def test_every_migration_leads_from_the_one_before(tmp_path: Path) -> None:
    for version in range(len(MIGRATIONS)):
        path = tmp_path / f"{version}.sqlite"
        with sqlite3.connect(path) as database:
            for _, script in MIGRATIONS[:version]:
                database.executescript(script)
            database.execute(f"PRAGMA user_version={version}")
        cache = Cache(path)
        cache.add("s", PAIR, [("a", "b")])
        assert cache.known("s", PAIR, ["a"]) == {"a": "b"}


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "c.sqlite").write_text("this is no database, and long enough to be read as one " * 10)
    with pytest.raises(StoreError, match=r"translation cache .* file is not a database"):
        Cache(tmp_path / "c.sqlite")


def _dated(cache: Cache, day: str, monkeypatch: pytest.MonkeyPatch, text: str, model: str = "") -> None:
    class Then(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime.fromisoformat(f"{day}T12:00:00+00:00")

    monkeypatch.setattr("epicene.store.cache.datetime", Then)
    cache.add("s", PAIR, [("a", text)], model)


def test_a_later_answer_stands_beside_the_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "c.sqlite")
    _dated(cache, "2020-04-01", monkeypatch, "er", "nmt-1")
    assert cache.known("s", PAIR, ["a"], since="2020-04-02") == {}
    _dated(cache, "2026-04-01", monkeypatch, "sie", "nmt-2")
    assert cache.known("s", PAIR, ["a"]) == {"a": "sie"}
    assert cache.known("s", PAIR, ["a"], since="2026-04-01") == {"a": "sie"}
    assert cache.period("s", PAIR, ["a", "b"]) == Period("2026-04-01", "2026-04-01", ("nmt-2",))
    cache.forget("s", PAIR, ["a"])
    assert cache.known("s", PAIR, ["a"]) == {"a": "er"}
    assert str(cache.period("s", PAIR, ["a"])) == "2020-04-01, model nmt-1"
    assert cache.period("s", PAIR, ["b"]) is None


def test_answers_of_the_first_format_keep_their_date(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "c.sqlite") as database:
        database.executescript(MIGRATIONS[0][1])
        database.execute("PRAGMA user_version=1")
        database.execute("INSERT INTO systems VALUES (1, 's')")
        database.execute("INSERT INTO translations VALUES (1, 'en-de', 'a', 'er', '2020-04-01T08:00:00+00:00')")
    cache = Cache(tmp_path / "c.sqlite")
    assert cache.known("s", PAIR, ["a"]) == {"a": "er"}
    assert cache.period("s", PAIR, ["a"]) == Period("2020-04-01", "2020-04-01")
