"""Decisions are on disk when the store says so, are counted once, and can be taken back."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from epicene.errors import InputError, StoreError
from epicene.review.store import MIGRATIONS, Decision, Decisions, Key, reviewer_name
from epicene.types import Gender

F, M, N, U = Gender
KEY = Key("set", "en-de", "system", "1")
SAID = Decision(KEY, "Die Ärztin", "anna", F, "sure", "2026-01-31T12:00:00.000+00:00")


@pytest.fixture
def decisions(tmp_path: Path) -> Decisions:
    return Decisions(tmp_path / "review.sqlite")


def rows(path: Path) -> int:
    return int(sqlite3.connect(path).execute("SELECT count(*) FROM decisions").fetchone()[0])


def test_a_decision_keeps_who_when_what_and_why(decisions: Decisions) -> None:
    assert decisions.add([SAID]) == 1
    assert decisions.all() == [SAID]


def test_a_decision_without_a_time_is_from_now(decisions: Decisions) -> None:
    decisions.add([SAID._replace(at="")])
    assert decisions.all()[0].at > "2026"


def test_every_commit_waits_for_the_disk(decisions: Decisions) -> None:
    assert decisions._db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_the_last_word_of_a_person_holds_and_others_keep_theirs(decisions: Decisions) -> None:
    decisions.add([SAID._replace(at=""), SAID._replace(reviewer="ben", gender=M, at="")])
    decisions.add([SAID._replace(gender=None, at="")])
    assert {each.reviewer: each.gender for each in decisions.all()} == {"anna": None, "ben": M}


def test_an_older_decision_does_not_replace_a_newer_one(decisions: Decisions) -> None:
    decisions.add([SAID])
    decisions.add([SAID._replace(gender=M, at="2025-01-01T00:00:00.000+00:00")])
    assert decisions.all() == [SAID]


def test_what_was_said_already_is_not_stored_twice(decisions: Decisions) -> None:
    older = SAID._replace(gender=M, at="2025-01-01T00:00:00.000+00:00")
    assert decisions.add([SAID, older]) == 2
    assert decisions.add([SAID, SAID._replace(at=""), older]) == 0
    assert rows(decisions.path) == 2


def test_undo_takes_back_the_last_decision_of_that_person_only(decisions: Decisions) -> None:
    other = SAID._replace(key=KEY._replace(id="2"))
    decisions.add([SAID, other])
    decisions.add([SAID._replace(reviewer="ben")])
    assert decisions.undo("anna") == other
    assert decisions.undo("anna", lambda decision: decision.output == "another translation") is None
    assert decisions.undo("anna") == SAID
    assert decisions.undo("anna") is None
    assert [each.reviewer for each in decisions.all()] == ["ben"]


def test_all_or_none_are_stored(decisions: Decisions) -> None:
    broken = SAID._replace(key=KEY._replace(id="2"), output=None)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="kept"):
        decisions.add([SAID, broken])
    assert decisions.all() == []


def test_a_file_of_a_newer_version_is_refused(decisions: Decisions) -> None:
    decisions._db.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")
    with pytest.raises(StoreError, match="newer epicene"):
        Decisions(decisions.path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "review.sqlite"
    path.write_bytes(b"no database, but long enough to be looked at\n" * 50)
    with pytest.raises(StoreError, match="not a database"):
        Decisions(path)


def test_several_programs_may_open_a_new_file_at_once_and_write_to_it(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from epicene.review.store import Decision, Decisions, Key
from epicene.types import Gender
decisions = Decisions(Path(sys.argv[1]))
for number in range(20):
    decisions.add([Decision(Key("set", "en-de", "system", str(number)), "text", sys.argv[2], Gender.FEMININE)])
"""
    path = tmp_path / "review.sqlite"
    started = [subprocess.Popen([sys.executable, "-c", program, path, name]) for name in ("anna", "ben", "cleo")]
    assert [each.wait(timeout=120) for each in started] == [0, 0, 0]
    assert rows(path) == 60


@pytest.mark.parametrize(("given", "name"), [(" anna\t\n lee ", "anna lee"), ("a\ud800b", "a?b"), ("x" * 80, "x" * 80)])
def test_names_are_cleaned(given: str, name: str) -> None:
    assert reviewer_name(given) == name


@pytest.mark.parametrize("given", ["", " \n", "x" * 81])
def test_a_name_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(InputError, match="1 to 80 characters"):
        reviewer_name(given)
