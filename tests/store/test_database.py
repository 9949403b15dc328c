"""A file that several programs make at once is made once, and nobody is turned away."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from epicene.store import database

MIGRATIONS = [("a table", "CREATE TABLE words (word TEXT);"), ("a column", "ALTER TABLE words ADD COLUMN other TEXT;")]


@pytest.fixture
def other(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another program that is about to write the first page of a new file; SQLite then waits for nobody."""
    with closing(sqlite3.connect(tmp_path / "new.sqlite")) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield connection


def test_who_comes_while_another_makes_the_file_waits_for_it(
    tmp_path: Path, other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def until_it_is_made(seconds: float) -> None:
        waits.append(seconds)
        other.rollback()

    monkeypatch.setattr(database.time, "sleep", until_it_is_made)
    with closing(database.open_database(tmp_path / "new.sqlite", MIGRATIONS, "NORMAL", "")) as mine:
        assert mine.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert len(waits) == 1


def test_one_that_is_never_done_is_not_waited_for_forever(
    tmp_path: Path, other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        database.open_database(tmp_path / "new.sqlite", MIGRATIONS, "NORMAL", "")


def test_what_another_has_migrated_meanwhile_is_not_migrated_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, looks = tmp_path / "new.sqlite", iter([0])  # the first look is as old as the file
    database.open_database(path, MIGRATIONS, "NORMAL", "").close()
    version = database._version
    monkeypatch.setattr(database, "_version", lambda connection: next(looks, version(connection)))
    with closing(database.open_database(path, MIGRATIONS, "NORMAL", "")) as mine:
        assert mine.execute("SELECT count(*) FROM pragma_table_info('words')").fetchone() == (2,)


def test_a_migration_that_fails_leaves_the_format_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    broken = [*MIGRATIONS, ("a mistake", "CREATE TABLE more (word TEXT); NONSENSE;")]
    with pytest.raises(sqlite3.OperationalError, match="NONSENSE"):
        database.open_database(path, broken, "NORMAL", "")
    with closing(sqlite3.connect(path)) as left:
        assert left.execute("PRAGMA user_version").fetchone() == (0,)
        assert left.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
