"""SQLite files that a kill leaves whole, that several programs may open at once, and whose format may grow."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from epicene.errors import StoreError
from epicene.files import is_allowed

_PATIENCE = 60.0  # seconds to wait for other programs
_LOOK = 0.05  # seconds between two tries
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})
_UNWRITABLE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR, 0})
_DAMAGED = "it is damaged or no file of epicene's: move it away (mv {path} {path}.damaged) to begin a new one"

Migration = tuple[str, str]  # what it does, and the statements that do it


def open_database(path: Path, migrations: Sequence[Migration], synchronous: str, remedy: str) -> sqlite3.Connection:
    """The file in WAL mode and in the newest format; ``remedy`` tells what to do about one of a newer epicene.

    One that may only be read is opened for that: ``is_read_only`` says so.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not is_allowed(path, os.W_OK):
        return _for_reading(path, migrations, remedy)
    try:
        # Answers may have been paid for, so they are their owner's alone; SQLite gives its other files the same mode.
        path.touch(0o600)
        database = sqlite3.connect(path, timeout=_PATIENCE)
        _write_ahead(database)
        database.execute(f"PRAGMA synchronous={synchronous}")
        seen = _check_format(database, path, migrations, remedy)
        if seen < len(migrations):
            _migrate(database, migrations)
    except sqlite3.OperationalError as error:
        if _error_code(error) not in _UNWRITABLE or not is_allowed(path, os.R_OK):
            raise
        return _for_reading(path, migrations, remedy)
    return database


def _for_reading(path: Path, migrations: Sequence[Migration], remedy: str) -> sqlite3.Connection:
    """The file as it is; one of an older format as a copy in memory, which is then of the newest."""
    # Where SQLite cannot make the files that it locks with, the file is taken as one that nobody changes.
    for how in ("mode=ro", "mode=ro&immutable=1"):
        try:
            database = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
            seen = _check_format(database, path, migrations, remedy)
            break
        except sqlite3.OperationalError:
            if "immutable" in how:
                raise
    if seen < len(migrations):
        copy = sqlite3.connect(":memory:")
        database.backup(copy)
        _migrate(copy, migrations)
        database = copy
    database.execute("PRAGMA query_only=ON")
    return database


def is_read_only(database: sqlite3.Connection) -> bool:
    """Whether nothing can be stored."""
    return bool(database.execute("PRAGMA query_only").fetchone()[0])


def _check_format(database: sqlite3.Connection, path: Path, migrations: Sequence[Migration], remedy: str) -> int:
    """How many migrations the file has seen, if it is one of ours; its schema is read, so that damage shows here."""
    seen = _version(database)
    tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if seen > len(migrations):
        raise StoreError(
            f"{path} was written by a newer epicene (format {seen}, this one knows {len(migrations)}); {remedy}"
        )
    if seen < 0 or (seen and not tables):
        raise sqlite3.DatabaseError(f"format {seen} with {tables} tables is none of ours")
    return seen


@contextmanager
def guard(name: str, path: Path) -> Iterator[None]:
    """Failures of a file as one line that names it and says what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        message = " ".join(str(error).split())  # it may quote a whole schema
        raise StoreError(f"{name} {path}: {message}; {_advice(error, path)}") from None
    except OSError as error:
        raise StoreError(f"{name} {path}: {error.strerror or error}") from None
    except (TypeError, ValueError, OverflowError) as error:  # what Python makes of a value that was never stored
        raise StoreError(f"{name} {path}: {error}; {_DAMAGED.format(path=path)}") from None


def _advice(error: sqlite3.Error, path: Path) -> str:
    if _error_code(error) in _NO_ROOM:
        return "make room on its disk; what was stored before is kept"
    if _error_code(error) in _UNWRITABLE:
        return "it can be read but not written; name another folder with EPICENE_HOME"
    return _DAMAGED.format(path=path) if _error_code(error) in _BROKEN else "what was stored before is kept"


def _error_code(error: sqlite3.Error) -> int:
    """SQLite's code of an error without its finer points; 0 where Python raised it."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _write_ahead(database: sqlite3.Connection) -> None:
    # SQLite does not wait here, whatever its timeout, when another program is making the same new file.
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if _error_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
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
