"""``command:`` runs any program, and says what went wrong when it does not answer as it should."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from epicene import systems
from epicene.errors import InputError, SystemFailure
from epicene.flow import ask
from epicene.store.cache import Cache
from epicene.types import Pair

PAIR = Pair("en", "de")


def program(folder: Path, body: str) -> str:
    """A command that runs a small Python program."""
    path = folder / "translator.py"
    path.write_text("import sys, time\n" + body, encoding="utf-8")
    return f"command:{sys.executable} {path} {{source}} {{target}}"


def test_each_line_is_answered_by_a_line(tmp_path: Path) -> None:
    spec = program(tmp_path, "for line in sys.stdin: print(sys.argv[2], line.upper(), end='')")
    assert ask.translate(systems.load(spec), ["one", "two", "", "one"], PAIR) == ["de ONE", "de TWO", "", "de ONE"]


def test_a_program_that_buffers_until_the_end_is_fine(tmp_path: Path) -> None:
    spec = program(tmp_path, "sys.stdout.write(sys.stdin.read().upper())")
    sources = [f"sentence {number}" for number in range(5000)]
    assert ask.translate(systems.load(spec), sources, PAIR) == [source.upper() for source in sources]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("sys.exit('no licence')", "ended with code 1 after 0 of 3 lines; it said: no licence"),
        ("print(sys.stdin.readline())", "answered 2 lines for the 3 it was given"),
        ("for line in sys.stdin: print(line)", "answered more than the 3 lines"),
        ("sys.stdin.read(); sys.stdout.buffer.write(b'\\xff\\n' * 3)", "answer 1 is not UTF-8"),
    ],
)
def test_what_went_wrong_is_said(tmp_path: Path, body: str, says: str) -> None:
    with pytest.raises(SystemFailure, match=says) as caught:
        ask.translate(systems.load(program(tmp_path, body)), ["a", "bb", "ccc"], PAIR)
    assert caught.value.exit_code == 4


def test_a_program_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPICENE_COMMAND_TIMEOUT", "0.3")
    with pytest.raises(SystemFailure, match=r"gave no answer for 0\.3 s after 0 lines"):
        ask.translate(systems.load(program(tmp_path, "time.sleep(60)")), ["a"], PAIR)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(SystemFailure, match="cannot start 'no-such-translator'"):
        ask.translate(systems.load("command:no-such-translator"), ["a"], PAIR)


def test_a_command_must_be_named() -> None:
    with pytest.raises(InputError, match="needs a program"):
        systems.load("command:")


def test_what_a_dying_program_answered_is_kept(tmp_path: Path) -> None:
    spec = program(tmp_path, "print(sys.stdin.readline(), end='', flush=True); sys.exit(3)")
    cache = Cache(tmp_path / "cache.sqlite")
    system = systems.load(spec)
    with pytest.raises(SystemFailure):
        ask.translate(system, ["a", "bb"], PAIR, cache)
    assert cache.known(system.identity, PAIR, ["a", "bb"]) == {"a": "a"}


def test_a_miscount_leaves_nothing_in_the_cache(tmp_path: Path) -> None:
    spec = program(tmp_path, "for line in sys.stdin.readlines()[1:]: print(line, end='')")
    cache = Cache(tmp_path / "cache.sqlite")
    system = systems.load(spec)
    sources = [f"{'x' * number}" for number in range(1, 200)]
    with pytest.raises(ask.MiscountError):
        ask.translate(system, sources, PAIR, cache)
    assert cache.known(system.identity, PAIR, sources) == {}


@pytest.mark.parametrize(
    "named",
    ["{path}", "python3 {path}", "python3 -u {path} {{target}}", "sh -c 'python3 {path} | cat'", "x --script={path}"],
)
def test_an_edited_script_is_another_system(tmp_path: Path, named: str) -> None:
    path = tmp_path / "translator.py"
    identities = []
    for body in ("one", "two"):
        path.write_text(f"#!/usr/bin/env python3\n# {body}\n", encoding="utf-8")
        path.chmod(0o755)
        identities.append(systems.load(f"command:{named.format(path=path)}").identity)
    assert identities[0] != identities[1]
    assert systems.load(f"command:{named.format(path=path)}").identity == identities[1]


def test_a_file_for_each_language_is_seen_and_other_files_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.de").write_text("one", encoding="utf-8")
    spec = "command:cat {source} {target} table.{target}"
    before = systems.load(spec).identity
    (tmp_path / "unrelated").write_text("new", encoding="utf-8")
    assert systems.load(spec).identity == before
    (tmp_path / "table.de").write_text("two", encoding="utf-8")
    assert systems.load(spec).identity != before


def test_answers_of_an_edited_script_do_not_come_from_the_cache(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite")
    for mark in ("first", "second"):
        spec = program(tmp_path, f"for line in sys.stdin: print('{mark}', line, end='')")
        assert ask.translate(systems.load(spec), ["a"], PAIR, cache) == [f"{mark} a"]
