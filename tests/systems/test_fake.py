"""Systems that share a file with another are opened by their own names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from epicene import systems
from epicene.errors import InputError
from epicene.types import Pair
from tests.systems.speech import open_speech

PAIR = Pair("en", "de")


def test_echo_answers_with_the_source() -> None:
    assert systems.load("echo").translate(["one", "two"], PAIR) == ["one", "two"]


def test_scripted_answers_from_its_table(tmp_path: Path) -> None:
    table = tmp_path / "pairs.tsv"
    table.write_text("one\teins\ntwo\tzwei\n", encoding="utf-8")
    system = systems.load(f"scripted:{table}")
    assert system.translate(["two", "one"], PAIR) == ["zwei", "eins"]
    assert system.identity.startswith("scripted@")


def test_a_script_without_a_tab_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "pairs.tsv"
    table.write_text("one\teins\ntwo\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"pairs\.tsv:2: no tab"):
        systems.load(f"scripted:{table}")


def test_a_command_for_speech_gets_paths(tmp_path: Path) -> None:
    program = tmp_path / "interpreter.py"
    program.write_text("import sys\nfor line in sys.stdin: print(sys.argv[1], line, end='')", encoding="utf-8")
    clip = tmp_path / "one.wav"
    system = open_speech(f"command-speech:{sys.executable} {program} {{target}}")
    assert list(system.interpret([clip], PAIR)) == [f"de {clip}"]
    assert system.identity.startswith("command-speech:")


@pytest.mark.parametrize("name", ["command", "command-speech", "echo", "scripted"])
def test_every_name_says_how_it_is_spelt(name: str) -> None:
    assert systems.SYSTEMS.find(name).usage.partition(":")[0] == name
