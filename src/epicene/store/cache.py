"""The translation cache: what was paid for once is never asked for again.

SQLite in WAL mode: a killed process loses no committed answer, and several processes may share the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from epicene.errors import StoreError
from epicene.files import home
from epicene.types import Pair

# Append only. A file's ``user_version`` says how many of these it has seen.
MIGRATIONS = (
    (
        "systems and their translations",
        """
        CREATE TABLE systems (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE);
        CREATE TABLE translations (
            system INTEGER NOT NULL REFERENCES systems(id),
            pair TEXT NOT NULL,
            source TEXT NOT NULL,
            text TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (system, pair, source)
        ) WITHOUT ROWID;
        """,
    ),
)
_SLICE = 500  # sources in one query, below SQLite's limit on variables


class Cache:
    """Translations by system identity, language pair and source sentence."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or home() / "translations.sqlite"
        with self._guarded():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=60)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._migrate()

    def _migrate(self) -> None:
        (seen,) = self._db.execute("PRAGMA user_version").fetchone()
        if seen > len(MIGRATIONS):
            raise StoreError(
                f"{self.path} was written by a newer epicene (format {seen}, this one knows {len(MIGRATIONS)}); "
                "upgrade epicene or set EPICENE_HOME to another folder"
            )
        for version, (_, script) in enumerate(MIGRATIONS[seen:], seen + 1):
            self._db.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version={version}; COMMIT;")

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(f"translation cache {self.path}: {error}; what was stored before is kept") from None
        except OSError as error:
            raise StoreError(f"translation cache {self.path}: {error.strerror or error}") from None

    def _system(self, identity: str) -> int:
        self._db.execute("INSERT OR IGNORE INTO systems (identity) VALUES (?)", (identity,))
        row = self._db.execute("SELECT id FROM systems WHERE identity = ?", (identity,)).fetchone()
        return int(row[0])

    def known(self, identity: str, pair: Pair, sources: Iterable[str]) -> dict[str, str]:
        """The translations that are there, by source."""
        wanted = list(sources)
        found: dict[str, str] = {}
        with self._guarded():
            system = self._system(identity)
            for start in range(0, len(wanted), _SLICE):
                part = wanted[start : start + _SLICE]
                marks = ",".join("?" * len(part))
                query = f"SELECT source, text FROM translations WHERE system=? AND pair=? AND source IN ({marks})"  # noqa: S608 - marks only
                found.update(self._db.execute(query, (system, str(pair), *part)))
            self._db.commit()
        return found

    def add(self, identity: str, pair: Pair, translations: Iterable[tuple[str, str]]) -> None:
        """Store translations and commit; when this returns, a kill loses none of them."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._guarded():
            system = self._system(identity)
            self._db.executemany(
                "INSERT OR REPLACE INTO translations (system, pair, source, text, at) VALUES (?, ?, ?, ?, ?)",
                [(system, str(pair), source, text, now) for source, text in translations],
            )
            self._db.commit()

    def forget(self, identity: str, pair: Pair, sources: Iterable[str]) -> None:
        """Remove translations that turned out not to belong to their sources."""
        with self._guarded():
            system = self._system(identity)
            self._db.executemany(
                "DELETE FROM translations WHERE system=? AND pair=? AND source=?",
                [(system, str(pair), source) for source in sources],
            )
            self._db.commit()

    def close(self) -> None:
        """Close the file."""
        self._db.close()
