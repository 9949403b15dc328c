"""SQLite files that a kill leaves whole, that several programs may open at once, and whose format may grow."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from epicene.errors import StoreError

_PATIENCE = 60.0  # seconds to wait for other programs
_LOOK = 0.05  # seconds between two tries
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})

Migration = tuple[str, str]  # what it does, and the statements that do it


def opened(path: Path, migrations: Sequence[Migration], synchronous: str, remedy: str) -> sqlite3.Connection:
    """The file in WAL mode and in the newest format; ``remedy`` tells what to do about one of a newer epicene."""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path, timeout=_PATIENCE)
    _write_ahead(database)
    database.execute(f"PRAGMA synchronous={synchronous}")
    seen = _version(database)
    if seen > len(migrations):
        raise StoreError(
            f"{path} was written by a newer epicene (format {seen}, this one knows {len(migrations)}); {remedy}"
        )
    if seen < len(migrations):
        _migrate(database, migrations)
    return database


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another program has the file."""
    return _kind(error) == sqlite3.SQLITE_BUSY


@contextmanager
def guarded(name: str) -> Iterator[None]:
    """Failures of a file as one line that names it."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        room = "make room on its disk; " if _kind(error) in _NO_ROOM else ""
        raise StoreError(f"{name}: {error}; {room}what was stored before is kept") from None
    except OSError as error:
        raise StoreError(f"{name}: {error.strerror or error}") from None


def _kind(error: sqlite3.Error) -> int:
    """SQLite's code of an error without its finer points; 0 where Python raised it."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _write_ahead(database: sqlite3.Connection) -> None:
    # SQLite does not wait here, whatever its timeout, when another program is making the same new file.
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > until:
                raise
            time.sleep(_LOOK)
        else:
            return


def _migrate(database: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    with database:
        database.execute("BEGIN IMMEDIATE")
        # Looked up again: another program may have done it meanwhile.
        for _, script in migrations[_version(database) :]:
            for statement in script.split(";"):
                database.execute(statement)
        database.execute(f"PRAGMA user_version={len(migrations)}")


def _version(database: sqlite3.Connection) -> int:
    (seen,) = database.execute("PRAGMA user_version").fetchone()
    return int(seen)
