"""Folders and patterns of translations: what names tell, and what cannot be taken, in one line each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from epicene.compare.sources import find_files, is_many
from epicene.errors import InputError, UnknownNameError


def written(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n", encoding="utf-8")
    return folder


def cells(folder: str | Path, *langs: str) -> set[tuple[str, str]]:
    return {(place.system, place.langs) for place in find_files(folder, ["winomt"], langs).places}


@pytest.mark.parametrize(
    "names",
    [
        ("a.b/en-de.txt", "c/en-de.txt"),
        ("en-de/a.b.txt", "en-de/c.txt"),
        ("a.b.en-de.txt", "c.en-de.txt"),
        ("a.b/eng_Latn-deu_Latn", "c/en_de.hyp"),
    ],
)
def test_a_folder_tells_system_and_pair_by_its_names(tmp_path: Path, names: tuple[str, ...]) -> None:
    assert cells(written(tmp_path, *names, ".hidden/en-de.txt", "README.md")) == {("a.b", "en-de"), ("c", "en-de")}


def test_a_pattern_tells_them_by_its_fields(tmp_path: Path) -> None:
    written(tmp_path, "run/a/out.en-de.txt", "run/b/out.en-es.txt", "run/b/log.txt", "winomt/c/fr")
    assert cells(f"file:{tmp_path}/run/{{system}}/out.{{pair}}.txt") == {("a", "en-de"), ("b", "en-es")}
    assert cells(f"{tmp_path}/{{set}}/{{system}}/{{target}}") == {("c", "en-fr")}
    assert cells(f"{tmp_path}/run/{{system}}/out.{{pair}}.txt", "en-es") == {("b", "en-es")}
    assert is_many(f"{tmp_path}/run/{{system}}/x") and is_many(tmp_path) and not is_many("hyp.de")


def test_files_of_a_folder_are_systems_where_the_pair_is_given(tmp_path: Path) -> None:
    assert cells(written(tmp_path, "a.txt", "b.txt"), "en-de") == {("a", "en-de"), ("b", "en-de")}


def test_two_files_for_one_cell_are_named_and_neither_is_taken(tmp_path: Path) -> None:
    found = find_files(written(tmp_path, "a/en-de.txt", "a/en_de.txt", "b/en-de.txt"), ["winomt"])
    assert [place.system for place in found.places] == ["b"]
    assert len(found.problems) == 1 and "a en-de: 2 files for one cell" in found.problems[0]


def test_a_missing_language_is_named(tmp_path: Path) -> None:
    found = find_files(written(tmp_path, "a/en-de.txt", "a/en-es.txt", "b/en-de.txt"), ["winomt"])
    assert len(found.places) == 3
    assert found.problems == ["b lacks en-es, which other systems have; it gets no mean"]


@pytest.mark.parametrize("name", ["evil\x1b[31m", "turned\u202ename", "two\nlines", "x" * 120])
def test_a_hostile_name_is_left_out_and_printed_harmlessly(tmp_path: Path, name: str) -> None:
    found = find_files(written(tmp_path, f"{name}/en-de.txt", "b/en-de.txt"), ["winomt"])
    assert [place.system for place in found.places] == ["b"]
    (problem,) = found.problems
    assert "a system's name" in problem and "left out" in problem
    (tmp_path / "b" / "en-de.txt").unlink()
    command = [sys.executable, "-m", "epicene", "compare", "-t", "winomt", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip().isprintable() and "a system's name" in done.stderr


def test_what_names_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file of translations there; expected names such as"):
        find_files(tmp_path, ["winomt"])
    with pytest.raises(UnknownNameError, match="field of a file pattern 'systen'"):
        find_files(f"{tmp_path}/{{systen}}.txt", ["winomt"])
    with pytest.raises(InputError, match=r"expected \{system\} once"):
        find_files(f"{tmp_path}/{{pair}}.txt", ["winomt"])
    with pytest.raises(InputError, match="no such folder"):
        find_files(f"{tmp_path}/nowhere/{{system}}/{{pair}}.txt", ["winomt"])
    found = find_files(written(tmp_path, "a/xx-yy.txt", "b/en-de.txt").as_posix() + "/{system}/{pair}.txt", ["winomt"])
    assert len(found.places) == 1 and "xx-yy.txt" in found.problems[0]
