"""What the documentation prints is true: examples are run, and every command is one that there is."""

from __future__ import annotations

import doctest
import gzip
import re
import shlex
import tarfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import typer

from epicene.cli.app import app
from epicene.sets import files
from tests.conftest import Command

ROOT = Path(__file__).parents[2]
PAGES = sorted((*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")))


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


# Files that the documentation names, in published data; an archive's after "!".
PUBLISHED = {
    "hyp.es": "simplegen/opus-mt.en-es.txt",
    "mt_geneval_sentences_en_de.csv": "mt-geneval.tar.gz!google/mt_geneval_sentences_en_de.csv",
    "verb_translations_deepl.tsv": "wibemt/verb_translations_deepl.tsv",
    "googlenews.vec": "weat/googlenews_word2vec_weat_subset.vec.gz",
}
SETS = {"mt-geneval": "mt-geneval.tar.gz", "wibemt-verbs": "wibemt"}


def printed() -> Iterator[tuple[str, str, list[str]]]:
    """Commands of console blocks all of whose files are here or published, and what they are said to print."""
    for page in PAGES:
        for block in blocks(page, "console"):
            command, *lines = block.splitlines()
            words = shlex.split(command.removeprefix("$ "))
            named = [word for flag, word in pairwise(words) if flag in ("-e", "-x", "-i")]
            named += [word for flag, word in pairwise(words) if flag == "-t" and word.endswith(".toml")]
            alone = words[:2] == ["epicene", "explain"]  # needs no file
            known = named and all(name in PUBLISHED or (ROOT / name).exists() for name in named)
            if alone or (words[0] == "epicene" and known):
                yield page.name, command, lines


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where commands are run: with the examples of the documentation and the published files that the command names."""
    words = shlex.split(request.node.callspec.params["command"])
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for name in set(words) & set(PUBLISHED):
        archive, _, member = PUBLISHED[name].partition("!")
        path = request.getfixturevalue("published") / archive
        if member:
            with tarfile.open(path) as opened:
                (tmp_path / name).write_bytes(opened.extractfile(member).read())  # type: ignore[union-attr]
        else:
            (tmp_path / name).write_bytes(
                gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            )
    for name in set(words) & set(SETS):
        files.add(name.removesuffix("-verbs"), request.getfixturevalue("published") / SETS[name])
    return tmp_path


@pytest.mark.parametrize(("page", "command", "lines"), list(printed()))
def test_commands_print_what_the_page_says(
    page: str, command: str, lines: list[str], epicene: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = epicene(*shlex.split(command)[2:])
    assert done.returncode == 0, done.stderr
    found = iter([line.rstrip() for line in done.stdout.splitlines()])
    for line in lines:
        if line.strip() not in ("", "…"):
            assert line in found, f"{page} has {line!r}"  # in this order; an ellipsis stands for any lines
