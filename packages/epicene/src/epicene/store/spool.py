"""Sentences on disk while they are being translated, so that a text may be larger than memory.

A file of SQLite's own, in its folder for temporary files (SQLITE_TMPDIR, else TMPDIR, else /var/tmp); it goes with the
process, however that ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from epicene.errors import StoreError

_TABLES = """
    PRAGMA journal_mode=OFF;
    PRAGMA temp_store=FILE;
    CREATE TABLE lines (source TEXT NOT NULL);
    CREATE TABLE lacking (source TEXT PRIMARY KEY, letters INTEGER NOT NULL, place INTEGER NOT NULL) WITHOUT ROWID;
"""


class Spool:
    """All lines of a text in order, and those that lack a translation: each once, the shortest first."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("")
        self._db.executescript(_TABLES)
        self._seen = 0

    def add(self, lines: Iterable[str], lacking: Iterable[str]) -> None:
        """Further lines, and those among them that lack a translation."""
        with _guarded():
            self._db.executemany("INSERT INTO lines VALUES (?)", ((line,) for line in lines))
            self._db.executemany("INSERT OR IGNORE INTO lacking VALUES (?, ?, ?)", map(self._numbered, lacking))
            self._db.commit()

    def _numbered(self, source: str) -> tuple[str, int, int]:
        self._seen += 1
        return source, len(source), self._seen

    @property
    def missing(self) -> int:
        """How many sentences lack a translation."""
        return int(self._db.execute("SELECT count(*) FROM lacking").fetchone()[0])

    def lacking(self) -> Iterator[str]:
        """What lacks a translation, sorted as a list would be by length."""
        return self._texts("SELECT source FROM lacking ORDER BY letters, place")

    def lines(self) -> Iterator[str]:
        """The text."""
        return self._texts("SELECT source FROM lines ORDER BY rowid")

    def _texts(self, query: str) -> Iterator[str]:
        with _guarded():
            for (text,) in self._db.execute(query):
                yield text

    def close(self) -> None:
        """Give the disk back."""
        self._db.close()


@contextmanager
def _guarded() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise StoreError(
            f"cannot keep the text in SQLite's temporary folder: {error}; name another with SQLITE_TMPDIR"
        ) from None
