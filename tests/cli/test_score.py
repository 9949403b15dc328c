"""``score`` as users of sacreBLEU know it: from standard input, one number, several files, --list and --cite."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import epicene as package
from epicene.cli.app import _repeat
from epicene.sets import list_about
from tests.conftest import Command

_SENTENCES = 28


@pytest.fixture
def task(tmp_path: Path) -> tuple[str, ...]:
    """A set of women only, and its language pair."""
    table = tmp_path / "own.tsv"
    rows = [f"{n}\tThe nurse came {n}.\tnurse\tfeminine\t\to{n % 7}" for n in range(_SENTENCES)]
    table.write_text("\n".join(["id\tsource\tfocus\texpected\tgroup\toccupation", *rows]) + "\n", encoding="utf-8")
    return "score", "-t", f"custom:{table}", "-l", "en-de", "--anyway"


def translated(women: int) -> str:
    words = ["Die Krankenschwester"] * women + ["Der Krankenpfleger"] * (_SENTENCES - women)
    return "".join(f"{word} kam {n}.\n" for n, word in enumerate(words))


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "good.de", tmp_path / "bad.de"]
    for path, women in zip(paths, (_SENTENCES, _SENTENCES // 4), strict=True):
        path.write_text(translated(women), encoding="utf-8")
    return paths


def test_without_i_translations_are_read_from_standard_input(
    epicene: Command, task: tuple[str, ...], files: list[Path]
) -> None:
    piped = json.loads(epicene(*task, "-f", "json", stdin=files[1].read_text()).stdout)[0]
    named = json.loads(epicene(*task, "-i", files[1], "-f", "json").stdout)[0]
    assert piped["measures"] == named["measures"]
    assert piped["measures"]


def test_nobody_waits_for_a_terminal(task: tuple[str, ...]) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    try:
        command = [sys.executable, "-m", "epicene", *task]
        done = subprocess.run(command, stdin=theirs, capture_output=True, text=True, timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 2
    assert done.stderr == "epicene: score needs -i HYP, or pipe the translations to it\n"


def test_q_b_prints_the_percentage_of_women_misgendered_and_nothing_else(
    epicene: Command, task: tuple[str, ...], files: list[Path]
) -> None:
    done = epicene(*task, "-q", "-b", "-i", *files)
    assert (done.stdout, done.stderr) == ("0.0\n75.0\n", "")
    result = package.score(task[2], "en-de", files[1], anyway=True)
    assert result.headline == result["misgendered", "female"]
    assert f"{result.headline:.1f}" == "75.0"
    assert json.loads(epicene(*task, "-b", "-i", files[1], "-f", "json").stdout) == [result.headline.as_dict()]


def test_without_a_stated_gender_the_number_is_the_share_of_masculine_translations(tmp_path: Path) -> None:
    sentences = [f"The nurse came {n}." for n in range(_SENTENCES)]
    result = package.score(sentences, "en-de", translated(7).splitlines(), anyway=True)
    assert result.headline == result["share", "masculine"]
    assert result.headline.value == 75


def test_what_may_be_repeated_takes_several_values(epicene: Command, task: tuple[str, ...], files: list[Path]) -> None:
    together = epicene(*task, "-i", *files, "--name", "A", "B", "-f", "json")
    assert together.returncode == 0, together.stderr
    apart = epicene(*task, "-i", files[0], "-i", files[1], "--name", "A", "--name", "B", "-f", "json")
    assert together.stdout == apart.stdout
    assert [result["system"] for result in json.loads(together.stdout)] == ["A", "B"]


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("-i a b -l en-de", "-i a -i b -l en-de"),
        ("--input=a b", "--input=a --input b"),
        ("-i - b", "-i - -i b"),
        ("-i a -q b", "-i a -q b"),
        ("-l en-de b", "-l en-de b"),
        ("-i -strange b", "-i -strange -i b"),
    ],
)
def test_only_words_right_behind_belong_to_the_option(words: str, means: str) -> None:
    assert _repeat(words.split(), {"-i", "--input"}) == means.split()


def test_a_command_with_arguments_keeps_them(epicene: Command, files: list[Path], task: tuple[str, ...]) -> None:
    done = epicene("compare", "-t", task[2], "-l", "en-de", "--anyway", *files)
    assert done.returncode == 0, done.stderr
    assert "good" in done.stdout
    assert "bad" in done.stdout


def test_list_and_cite_are_what_sets_says(epicene: Command) -> None:
    assert epicene("score", "--list").stdout == epicene("sets", "list").stdout
    (winomt,) = (about for about in list_about() if about.name == "winomt")
    assert epicene("score", "-t", "winomt", "--cite").stdout == winomt.citation + "\n"
    done = epicene("score", "--cite")
    assert (done.returncode, done.stderr) == (2, "epicene: score needs -t SET; --list shows them\n")


def test_a_set_without_a_publication_cannot_be_cited(epicene: Command, task: tuple[str, ...]) -> None:
    done = epicene(*task, "--cite")
    assert done.returncode == 2
    assert "has no publication to cite" in done.stderr


def test_a_text_is_translated_from_standard_input(epicene: Command) -> None:
    done = epicene("translate", "-l", "en-de", "-s", "echo", "-q", stdin="The nurse came.\nThe doctor left.\n")
    assert done.stdout == "The nurse came.\nThe doctor left.\n"
