"""What people decided about verdicts: a SQLite file beside the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.store.database import guard, open_database
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
    (
        "adjudications, and what was taken back",
        """
        ALTER TABLE decisions ADD COLUMN final INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE decisions ADD COLUMN undone TEXT NOT NULL DEFAULT '';
        """,
    ),
)
_COLUMNS = ("set_name", "langs", "system", "id", "output", "reviewer", "gender", "comment", "at", "final")
_WHOSE = "reviewer = ? AND set_name = ? AND langs = ? AND system = ? AND id = ? AND final = ? AND undone = ''"
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
    final: bool = False  # whether it settles a sentence on which people are divided


class Event(NamedTuple):
    """A decision as it was once made: replaced by a later one, taken back at a time, or still holding."""

    decision: Decision
    undone: str


class StaleError(InputError):
    """What is shown was decided elsewhere in the meantime, as in another tab."""


class Decisions:
    """Decisions on disk; when a method returns, what it wrote survives a kill."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._guarded():
            self._db = open_database(path, MIGRATIONS, "FULL", "upgrade epicene")

    def _guarded(self) -> AbstractContextManager[None]:
        return guard("decisions", self.path)

    def add(self, decisions: Iterable[Decision], version: int | None = None) -> int:
        """Store decisions, all or none, and say how many are new; one without a time is from now.

        What a person has said already is not stored again: a request or a table that comes twice leaves no double.
        ``version``: refuse them if the person, or of an adjudication anybody, did anything since.
        """
        with self._guarded(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            batch = list(decisions)
            if version is not None and batch and self._version(batch[0].reviewer, batch[0].final) != version:
                raise StaleError("this was decided in another tab or by somebody else; nothing was changed")
            return sum(self._add(decision) for decision in batch)

    def version(self, reviewer: str, final: bool = False) -> int:
        """A number that changes with all that a person does, or, of adjudications, that anybody does."""
        with self._guarded():
            return self._version(reviewer, final)

    def _version(self, reviewer: str, final: bool) -> int:
        row = self._db.execute(
            "SELECT COALESCE(MAX(number), 0) + COUNT(NULLIF(undone, '')) FROM decisions WHERE final OR reviewer = ?"
            if final
            else "SELECT COALESCE(MAX(number), 0) + COUNT(NULLIF(undone, '')) FROM decisions WHERE reviewer = ?",
            (reviewer,),
        ).fetchone()
        return int(row[0])

    def _add(self, decision: Decision) -> bool:
        stored = self._db.execute(
            f"SELECT output, gender, comment, at FROM decisions WHERE {_WHOSE} ORDER BY at, number",  # noqa: S608
            (decision.reviewer, *decision.key, decision.final),
        ).fetchall()
        what = (decision.output, decision.gender or "", decision.comment)
        if (stored and stored[-1][:3] == what) or (*what, decision.at) in stored:
            return False
        row = (*decision.key, decision.output, decision.reviewer, *what[1:], decision.at or _now(), decision.final)
        marks = ", ".join("?" * len(_COLUMNS))
        self._db.execute(f"INSERT INTO decisions ({', '.join(_COLUMNS)}) VALUES ({marks})", row)  # noqa: S608
        return True

    def undo(self, reviewer: str, about: Callable[[Decision], bool] = lambda _: True) -> Decision | None:
        """Take back a person's last decision, and say which it was; one that is about something else is left alone."""
        with self._guarded(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            row = self._db.execute(
                f"SELECT number, {', '.join(_COLUMNS)} FROM decisions WHERE reviewer = ? AND undone = '' "  # noqa: S608
                "ORDER BY number DESC LIMIT 1",
                (reviewer,),
            ).fetchone()
            if row is None or not about(decision := _decision(row[1:])):
                return None
            self._db.execute("UPDATE decisions SET undone = ? WHERE number = ?", (_now(), row[0]))
        return decision

    def history(self) -> list[Event]:
        """Everything that was ever decided, oldest first, with what was replaced and what was taken back."""
        with self._guarded():
            rows = self._db.execute(f"SELECT undone, {', '.join(_COLUMNS)} FROM decisions ORDER BY number").fetchall()  # noqa: S608
        return [Event(_decision(row[1:]), row[0]) for row in rows]

    def all(self) -> list[Decision]:
        """Each person's last decision about each sentence, oldest first; what is imported is as old as it says."""
        with self._guarded():
            rows = self._db.execute(
                f"SELECT {', '.join(_COLUMNS)} FROM decisions WHERE undone = '' ORDER BY at, number"  # noqa: S608
            ).fetchall()
        latest: dict[tuple[Key, str, bool], Decision] = {}
        for decision in map(_decision, rows):
            whose = (decision.key, decision.reviewer, decision.final)
            latest.pop(whose, None)
            latest[whose] = decision
        return list(latest.values())

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _decision(row: tuple[str, ...]) -> Decision:
    gender = Gender(row[6]) if row[6] else None
    return Decision(Key(*row[:4]), row[4], row[5], gender, row[7], row[8], bool(row[9]))


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
