"""Every command, also those below another: help with an example, the options that all have, one meaning per letter."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from epicene.cli.app import app
from epicene.cli.main import COMMANDS, TASKS

# What a letter may mean; another command may leave it out, but not take it for something else.
LETTERS = {
    "-t": {"--set", "--test"}, "-l": {"--langs", "--language"}, "-i": {"--input"}, "-s": {"--system"},
    "-o": {"--output"}, "-f": {"--format"}, "-q": {"--quiet"}, "-v": {"--verbose"}, "-e": {"--embedding"},
    "-m": {"--metric"}, "-g": {"--group"}, "-c": {"--config"}, "-w": {"--way"}, "-h": {"--help"},
    "-n": {"-n"}, "-r": {"--recogniser"}, "-b": {"--score-only"}, "-x": {"-x"},
}  # fmt: skip


def leaves(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A command, or all below it."""
    if not hasattr(command, "commands"):
        yield name, command
    for part, under in getattr(command, "commands", {}).items():
        yield from leaves(under, f"{name} {part}")


ROOT: Any = typer.main.get_command(app)
ALL = dict(leaf for name in COMMANDS for leaf in leaves(ROOT.get_command(None, name), name))


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_help_with_an_example_of_itself(name: str) -> None:
    assert f"Example: epicene {name}" in ALL[name].help
    spelt = [option for parameter in ALL[name].params for option in (*parameter.opts, *parameter.secondary_opts)]
    assert {"-q", "-v"} <= set(spelt)
    assert len(spelt) == len(set(spelt))  # no option means two things
    undocumented = [p.name for p in ALL[name].params if p.opts[0].startswith("-") and not (p.help or p.metavar)]
    assert undocumented == []


def test_a_letter_means_the_same_in_every_command() -> None:
    for name, command in ALL.items():
        for parameter in command.params:
            for letter in (option for option in parameter.opts if re.fullmatch("-[a-z]", option)):
                assert LETTERS[letter] & set(parameter.opts), f"{name} {letter}: {parameter.opts}"


def test_the_table_of_commands_says_what_their_own_help_says_first() -> None:
    for names in TASKS.values():
        for name, sentence in names.items():
            assert ROOT.get_command(None, name).help.partition("\n\n")[0].replace("\n", " ") == sentence


def test_help_of_the_whole_imports_no_command_and_no_library() -> None:
    code = "import sys; sys.argv[1:] = ['--help']; from epicene.cli.main import main; main(); "
    code += "print([m for m in ('typer', 'rich', 'numpy', 'epicene.cli.score') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
