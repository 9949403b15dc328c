"""What the documentation prints is true: examples are run, and every command is one that there is."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from benchmarks.figures import ELLIPSIS, PAGES, PUBLISHED, ROOT, SETS, STUDIES, Block, lay_out, list_blocks
from epicene.cli.app import app
from tests.conftest import Command


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "pycon")], ids=lambda page: page.name)
def test_python_examples_give_what_they_say(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner()
    for number, block in enumerate(blocks(page, "pycon"), 1):
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number}", str(page), 0)
        assert test.examples
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.failures == 0


def commands() -> Iterator[tuple[str, str]]:
    """Every epicene command of a shell block, with the page that it stands in."""
    for page in PAGES:
        for block in blocks(page, "sh"):
            for line in block.replace("\\\n", " ").splitlines():
                if line.strip().startswith("epicene "):
                    yield page.name, line.strip()


@pytest.mark.parametrize(("page", "line"), list(commands()))
def test_every_command_is_one_that_there_is(page: str, line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    end = next((place for place, word in enumerate(words) if word in (">", "|", "&&", "<")), len(words))
    words = words[:end]
    command = typer.main.get_command(app)
    context = command.make_context("epicene", [], resilient_parsing=True)
    while hasattr(command, "get_command"):
        name = words.pop(0)
        command = command.get_command(context, name)
        assert command is not None, f"{page}: there is no command {name}"
    context = command.make_context(command.name, list(words), resilient_parsing=True)
    required = [option for option in command.params if option.required and context.params.get(option.name) is None]
    assert not required, f"{page}: {line} lacks {[option.name for option in required]}"


EXAMPLES = [block for block in list_blocks() if block.is_example]


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: f"{block.page.name}: {block.command}")
def test_commands_print_what_the_page_says(
    block: Block, epicene: Command, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(block.command)
    if set(words) & {*PUBLISHED, *SETS} or block.command in STUDIES:
        lay_out(block.command, tmp_path, request.getfixturevalue("published"))
    else:
        (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    done = epicene(*words[1:])
    assert done.returncode == 0, done.stderr
    found = iter([line.rstrip() for line in done.stdout.splitlines()])
    for line in block.printed.splitlines():
        if line.strip() not in ("", ELLIPSIS):
            assert line in found, (
                f"{block.page.name} has {line!r}: python -m benchmarks.figures epicene"
            )  # in this order
