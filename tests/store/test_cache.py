"""The cache keeps what it was given, and refuses what it does not understand."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from epicene.errors import StoreError
from epicene.files import write_atomically
from epicene.result import Period
from epicene.store.cache import MIGRATIONS, Cache
from epicene.types import Pair
from tests.conftest import nobody

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


def test_many_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    def use(number: int) -> dict[str, str]:
        cache = Cache(tmp_path / "c.sqlite")
        cache.add("s", PAIR, [(str(number), "b")])
        return cache.known("s", PAIR, [str(number)])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use, range(8))) == [{str(number): "b"} for number in range(8)]


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


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody may read."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize("version", [2, len(MIGRATIONS)])
@pytest.mark.parametrize("folder", [0o555, 0o777])
def test_a_cache_that_may_only_be_read_is_read(shared: Path, version: int, folder: int) -> None:
    path = shared / "c.sqlite"
    with closing(sqlite3.connect(path)) as database:
        for _, script in MIGRATIONS[:version]:
            database.executescript(script)
        database.execute(f"PRAGMA user_version={version}")
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("INSERT INTO systems VALUES (1, 's')")
        row = (1, "en-de", "a", "2020-04-01T08:00:00+00:00", "er", "")
        into = "INSERT INTO translations (system, pair, source, at, text, model) VALUES (?, ?, ?, ?, ?, ?)"
        database.execute(into, row)
        database.commit()
    path.chmod(0o444)
    shared.chmod(folder)
    with nobody():
        cache = Cache(path)
        assert cache.known("s", PAIR, ["a", "b"]) == {"a": "er"}
        assert cache.known("another", PAIR, ["a"]) == {}
        assert str(cache.period("s", PAIR, ["a"])) == "2020-04-01"
        for write in (lambda: cache.add("s", PAIR, [("b", "sie")]), lambda: cache.claim("s", PAIR).__enter__()):
            with pytest.raises(StoreError, match=r"can be read but not written, .* EPICENE_HOME"):
                write()
        cache.close()
    shared.chmod(0o755)


def _used(path: Path) -> None:
    cache = Cache(path)
    cache.known("s", PAIR, ["a", "b"])
    cache.period("s", PAIR, ["a", "b"])
    cache.refused("s", PAIR, ["a", "b"])
    cache.add("s", PAIR, [("c", "d")])
    cache.close()


def test_a_damaged_file_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "whole.sqlite")
    cache.add("s", PAIR, [(source, "text " * 30) for source in ("a", "b", *map(str, range(300)))])
    cache.close()
    whole = (tmp_path / "whole.sqlite").read_bytes()
    chance, said = random.Random(4), set()
    # The header and the schema, byte for byte, then places anywhere, then ends.
    page = whole[:4096]
    places = [place for place in range(4096) if page[place]] + [chance.randrange(len(whole)) for _ in range(100)]
    damaged = [
        whole[:place] + bytes([whole[place] ^ (1 << chance.randrange(8))]) + whole[place + 1 :] for place in places
    ]
    damaged += [whole[: chance.randrange(len(whole))] for _ in range(40)]
    for number, content in enumerate(damaged):
        path = tmp_path / f"{number}.sqlite"
        path.write_bytes(content)
        try:
            _used(path)
        except StoreError as error:
            assert "\n" not in str(error)
            said.add(str(error).replace(str(path), "FILE"))
        for left in tmp_path.glob(f"{number}.sqlite*"):
            left.unlink()
    assert sum("(mv FILE FILE.damaged)" in line for line in said) > 10
    assert all("mv FILE" in line or "EPICENE_HOME" in line or "is kept" in line for line in said), said


def test_nobody_else_may_read_stored_answers(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    Cache(path)
    assert {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()} == {
        file.name: "0o600" for file in tmp_path.iterdir()
    }
    with write_atomically(tmp_path / "results.json", private=True) as stream:
        stream.write("{}")
    assert (tmp_path / "results.json").stat().st_mode & 0o777 == 0o600
