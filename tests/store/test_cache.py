"""The cache keeps what it was given, and refuses what it does not understand."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from epicene.errors import StoreError
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
