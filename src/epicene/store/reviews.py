"""What people decided about verdicts: a SQLite file beside the run, and tab-separated files to pass around."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError, StoreError
from epicene.files import read_lines, written
from epicene.types import Gender

# Append only. A file's ``user_version`` says how many of these it has seen.
MIGRATIONS = (
    (
        "decisions by sentence and person",
        """
        CREATE TABLE decisions (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            set_name TEXT NOT NULL, langs TEXT NOT NULL, system TEXT NOT NULL, id TEXT NOT NULL,
            output TEXT NOT NULL, reviewer TEXT NOT NULL, gender TEXT NOT NULL, comment TEXT NOT NULL, at TEXT NOT NULL
        );
        CREATE INDEX by_sentence ON decisions (reviewer, set_name, langs, system, id);
        """,
    ),
)
_COLUMNS = ("set_name", "langs", "system", "id", "output", "reviewer", "gender", "comment", "at")
_HEADER = ("set", "langs", "system", "id", "reviewer", "gender", "at", "comment", "output")
_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet takes for code at the start of a cell


class Key(NamedTuple):
    """Which sentence of a run."""

    set: str
    langs: str
    system: str
    id: str


class Decision(NamedTuple):
    """What one person decided about one translation; no gender means that they passed over it."""

    key: Key
    output: str
    reviewer: str
    gender: Gender | None
    comment: str = ""
    at: str = ""


class Decisions:
    """Decisions on disk; when a method returns, what it wrote survives a kill."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._guarded():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=60)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._migrate()

    def _migrate(self) -> None:
        (seen,) = self._db.execute("PRAGMA user_version").fetchone()
        if seen > len(MIGRATIONS):
            raise StoreError(
                f"{self.path} was written by a newer epicene (format {seen}, this one knows {len(MIGRATIONS)}); "
                "upgrade epicene"
            )
        for version, (_, script) in enumerate(MIGRATIONS[seen:], seen + 1):
            self._db.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version={version}; COMMIT;")

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(f"decisions {self.path}: {error}; what was stored before is kept") from None
        except OSError as error:
            raise StoreError(f"decisions {self.path}: {error.strerror or error}") from None

    def add(self, decisions: Iterable[Decision]) -> None:
        """Store decisions, all or none; one without a time is from now."""
        rows = [
            (*each.key, each.output, each.reviewer, each.gender or "", each.comment, each.at or _now())
            for each in decisions
        ]
        marks = ", ".join("?" * len(_COLUMNS))
        with self._guarded(), self._db:
            self._db.executemany(f"INSERT INTO decisions ({', '.join(_COLUMNS)}) VALUES ({marks})", rows)  # noqa: S608

    def undo(self, reviewer: str) -> Decision | None:
        """Take back a person's last decision, and say which it was."""
        with self._guarded(), self._db:
            row = self._db.execute(
                f"SELECT number, {', '.join(_COLUMNS)} FROM decisions WHERE reviewer = ? ORDER BY number DESC LIMIT 1",  # noqa: S608
                (reviewer,),
            ).fetchone()
            if row is None:
                return None
            self._db.execute("DELETE FROM decisions WHERE number = ?", row[:1])
        return _decision(row[1:])

    def all(self) -> list[Decision]:
        """Each person's last decision about each sentence, oldest first; what is imported is as old as it says."""
        with self._guarded():
            rows = self._db.execute(f"SELECT {', '.join(_COLUMNS)} FROM decisions ORDER BY at, number").fetchall()  # noqa: S608
        latest: dict[tuple[Key, str], Decision] = {}
        for decision in map(_decision, rows):
            latest.pop((decision.key, decision.reviewer), None)
            latest[decision.key, decision.reviewer] = decision
        return list(latest.values())

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _decision(row: tuple[str, ...]) -> Decision:
    gender = Gender(row[6]) if row[6] else None
    return Decision(Key(*row[:4]), row[4], row[5], gender, row[7], row[8])


def export_tsv(decisions: Iterable[Decision], path: Path) -> None:
    """Write decisions as a table with a header; breaks and tabs become blanks, and no cell is a formula."""
    with written(path) as stream:
        stream.write("\t".join(_HEADER) + "\n")
        for each in decisions:
            cells = (*each.key, each.reviewer, each.gender or "", each.at, each.comment, each.output)
            stream.write("\t".join(map(_cell, cells)) + "\n")


def import_tsv(path: Path, outputs: dict[Key, str]) -> list[Decision]:
    """Read decisions about the sentences of a run; a row that fits none of them is refused."""
    lines = list(read_lines(path))
    header = lines[0].split("\t") if lines else []
    if missing := [name for name in _HEADER[:6] if name not in header]:
        raise InputError(f"{path}:1: no column {', '.join(missing)}; expected {', '.join(_HEADER)}")
    found = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = [_text(cell) for cell in line.split("\t")]
        row = dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=False))
        found.append(_imported(row, outputs, f"{path}:{number}"))
    return found


def _imported(row: dict[str, str], outputs: dict[Key, str], where: str) -> Decision:
    key = Key(row["set"], row["langs"], row["system"], row["id"])
    if key not in outputs:
        raise InputError(f"{where}: this run has no sentence {key.id!r} of {key.set} {key.langs} by {key.system!r}")
    if row["gender"] not in ("", *Gender):
        raise InputError(f"{where}: gender {row['gender']!r}; expected {', '.join(Gender)}, or nothing if skipped")
    if not row["reviewer"].strip():
        raise InputError(f"{where}: no reviewer; expected who decided this")
    if "output" in row and row["output"] != _text(_cell(outputs[key])):
        raise InputError(f"{where}: the translation is not the run's; these decisions are about another run")
    gender = Gender(row["gender"]) if row["gender"] else None
    at = _time(row.get("at", ""), where)
    return Decision(key, outputs[key], row["reviewer"].strip(), gender, row.get("comment", ""), at)


def _time(text: str, where: str) -> str:
    """A time as the file of decisions has it; none is now."""
    if not text:
        return _now()
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="milliseconds")
    except ValueError:
        raise InputError(
            f"{where}: time {text!r}; expected one such as 2026-01-31T12:00:00+00:00, or nothing"
        ) from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _cell(text: str) -> str:
    flat = " ".join(text.split("\t")).replace("\r", " ").replace("\n", " ").replace("\0", " ")
    return f"'{flat}" if flat.startswith((*_FORMULA, "'")) else flat


def _text(cell: str) -> str:
    return cell[1:] if cell.startswith("'") else cell
