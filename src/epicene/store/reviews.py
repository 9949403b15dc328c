"""What people decided about verdicts: a SQLite file beside the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.store.database import guarded, opened
from epicene.types import Gender

# Append only. A file's ``user_version`` says how many of these it has seen.
MIGRATIONS = (
    (
        "decisions by sentence and person",
        """
        CREATE TABLE IF NOT EXISTS decisions (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            set_name TEXT NOT NULL, langs TEXT NOT NULL, system TEXT NOT NULL, id TEXT NOT NULL,
            output TEXT NOT NULL, reviewer TEXT NOT NULL, gender TEXT NOT NULL, comment TEXT NOT NULL, at TEXT NOT NULL
        );
        CREATE INDEX IF NOT EXISTS by_sentence ON decisions (reviewer, set_name, langs, system, id);
        """,
    ),
)
_COLUMNS = ("set_name", "langs", "system", "id", "output", "reviewer", "gender", "comment", "at")
_WHOSE = "reviewer = ? AND set_name = ? AND langs = ? AND system = ? AND id = ?"
LONGEST_NAME = 80


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
            self._db = opened(path, MIGRATIONS, "FULL", "upgrade epicene")

    def _guarded(self) -> AbstractContextManager[None]:
        return guarded("decisions", self.path)

    def add(self, decisions: Iterable[Decision]) -> int:
        """Store decisions, all or none, and say how many are new; one without a time is from now.

        What a person has said already is not stored again: a request or a table that comes twice leaves no double.
        """
        with self._guarded(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            return sum(self._add(each) for each in decisions)

    def _add(self, decision: Decision) -> bool:
        said = self._db.execute(
            f"SELECT output, gender, comment, at FROM decisions WHERE {_WHOSE} ORDER BY at, number",  # noqa: S608
            (decision.reviewer, *decision.key),
        ).fetchall()
        what = (decision.output, decision.gender or "", decision.comment)
        if (said and said[-1][:3] == what) or (*what, decision.at) in said:
            return False
        row = (*decision.key, decision.output, decision.reviewer, *what[1:], decision.at or _now())
        marks = ", ".join("?" * len(_COLUMNS))
        self._db.execute(f"INSERT INTO decisions ({', '.join(_COLUMNS)}) VALUES ({marks})", row)  # noqa: S608
        return True

    def undo(self, reviewer: str, about: Callable[[Decision], bool] = lambda _: True) -> Decision | None:
        """Take back a person's last decision, and say which it was; one that is about something else is left alone."""
        with self._guarded(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            row = self._db.execute(
                f"SELECT number, {', '.join(_COLUMNS)} FROM decisions WHERE reviewer = ? ORDER BY number DESC LIMIT 1",  # noqa: S608
                (reviewer,),
            ).fetchone()
            if row is None or not about(decision := _decision(row[1:])):
                return None
            self._db.execute("DELETE FROM decisions WHERE number = ?", row[:1])
        return decision

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


def reviewer_name(text: str) -> str:
    """The name of a person as decisions carry it: single blanks, no characters that cannot be written."""
    name = " ".join(writable(text).split())
    if not name or len(name) > LONGEST_NAME:
        raise InputError(f"the name of a reviewer has 1 to {LONGEST_NAME} characters; got {len(name)}")
    return name


def writable(text: str) -> str:
    """A text without the halves of characters, which JSON can carry but no file can."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
