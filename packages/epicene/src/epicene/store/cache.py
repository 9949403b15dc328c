"""The translation cache: what was paid for once is never asked for again.

SQLite in WAL mode: a killed process loses no committed answer, and several processes may share the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from epicene.errors import StoreError
from epicene.files import locate_data, lock
from epicene.result import Period
from epicene.store.database import guard, is_read_only, open_database
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
    (
        "every dated answer is kept, with the model that gave it",
        """
        CREATE TABLE dated (
            system INTEGER NOT NULL REFERENCES systems(id),
            pair TEXT NOT NULL,
            source TEXT NOT NULL,
            at TEXT NOT NULL,
            text TEXT NOT NULL,
            model TEXT NOT NULL,
            PRIMARY KEY (system, pair, source, at)
        ) WITHOUT ROWID;
        INSERT INTO dated SELECT system, pair, source, at, text, '' FROM translations;
        DROP TABLE translations;
        ALTER TABLE dated RENAME TO translations;
        """,
    ),
    (
        "a sentence that a service takes at no time has an empty answer, and the reason",
        "ALTER TABLE translations ADD COLUMN refused TEXT NOT NULL DEFAULT ''",
    ),
)
_DAY = len("2026-01-31")  # of a time stamp
_NAME = 12  # letters of a lock's name
_SLICE = 500  # sources in one query, below SQLite's limit on variables


class Cache:
    """Translations by system identity, language pair and source sentence."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or locate_data("translations.sqlite")
        with self._guard():
            remedy = "upgrade epicene or set EPICENE_HOME to another folder"
            self._db = open_database(self.path, MIGRATIONS, "NORMAL", remedy)
            self._read_only = is_read_only(self._db)

    def _guard(self) -> AbstractContextManager[None]:
        return guard("translation cache", self.path)

    def _system(self, identity: str) -> int:
        self._db.execute("INSERT OR IGNORE INTO systems (identity) VALUES (?)", (identity,))
        return self._known_system(identity) or 0

    def _known_system(self, identity: str) -> int | None:
        row = self._db.execute("SELECT id FROM systems WHERE identity = ?", (identity,)).fetchone()
        return int(row[0]) if row else None

    def _require_writable(self) -> None:
        if self._read_only:
            raise StoreError(
                f"translation cache {self.path} can be read but not written, and some sentences are not in it; "
                "name another folder with EPICENE_HOME, or use --no-cache"
            )

    def known(self, identity: str, pair: Pair, sources: Iterable[str], since: str = "") -> dict[str, str]:
        """The newest translations that are there, by source; with a date, only those of that day or later."""
        return {source: text for source, text, _, _, _ in self._rows(identity, pair, sources, since)}

    def refused(self, identity: str, pair: Pair, sources: Iterable[str], since: str = "") -> dict[str, str]:
        """Those of the sources that the system takes at no time, and why."""
        newest = {source: why for source, _, _, _, why in self._rows(identity, pair, sources, since)}
        return {source: why for source, why in newest.items() if why}

    def period(self, identity: str, pair: Pair, sources: Iterable[str], since: str = "") -> Period | None:
        """When the newest translations of these sources were made, and by which models; None if there are none."""
        newest = {source: (at, model) for source, _, at, model, _ in self._rows(identity, pair, sources, since)}
        if not newest:
            return None
        days = sorted(at[:_DAY] for at, _ in newest.values())
        return Period(days[0], days[-1], tuple(sorted({model for _, model in newest.values() if model})))

    def _rows(
        self, identity: str, pair: Pair, sources: Iterable[str], since: str
    ) -> Iterator[tuple[str, str, str, str, str]]:
        """Source, text, date, model and why it was refused, older ones first."""
        wanted = list(sources)
        with self._guard():
            system = self._known_system(identity)
            if system is None:
                return
            for start in range(0, len(wanted), _SLICE):
                part = wanted[start : start + _SLICE]
                marks = ",".join("?" * len(part))
                query = (
                    "SELECT source, text, at, model, refused FROM translations "  # noqa: S608 - marks only
                    f"WHERE system=? AND pair=? AND at>=? AND source IN ({marks}) ORDER BY at"
                )
                yield from self._db.execute(query, (system, str(pair), since, *part)).fetchall()

    def add(
        self, identity: str, pair: Pair, translations: Iterable[tuple[str, str]], model: str = "", refused: str = ""
    ) -> None:
        """Store translations and commit; when this returns, a kill loses none of them. Older ones stay beside them."""
        self._require_writable()
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._guard():
            system = self._system(identity)
            self._db.executemany(
                "INSERT OR REPLACE INTO translations (system, pair, source, at, text, model, refused) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(system, str(pair), source, now, text, model, refused) for source, text in translations],
            )
            self._db.commit()

    def forget(self, identity: str, pair: Pair, sources: Iterable[str]) -> None:
        """Remove the newest translations, which turned out not to belong to their sources."""
        self._require_writable()
        with self._guard():
            system = self._system(identity)
            self._db.executemany(
                "DELETE FROM translations WHERE system=?1 AND pair=?2 AND source=?3 AND at="
                "(SELECT max(at) FROM translations WHERE system=?1 AND pair=?2 AND source=?3)",
                [(system, str(pair), source) for source in sources],
            )
            self._db.commit()

    @contextmanager
    def claim(self, identity: str, pair: Pair) -> Iterator[None]:
        """The right to ask a system, which one process has at a time, so that two do not pay for the same answers."""
        self._require_writable()
        name = hashlib.sha256(f"{identity} {pair}".encode()).hexdigest()[:_NAME]
        path = self.path.with_suffix(f".{name}.lock")
        with closing(lock(path, f"another run is asking {identity} ({pair})")):
            yield

    def close(self) -> None:
        """Close the file."""
        self._db.close()
