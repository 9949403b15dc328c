"""Names that do not exist, and what is said about them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["score", "-t", "simplgen", "-l", "en-de", "-i", "x"], "unknown set 'simplgen'. Did you mean 'simplegen'?"),
        (["score", "-t", "simplegen", "-l", "en-xx", "-i", "x"], "unknown language 'xx'"),
        (["score", "-t", "simplegen", "-l", "english", "-i", "x"], "language pair 'english' is not of the form en-de"),
        (["score", "-t", "simplegen", "-l", "de-en", "-i", "x"], "set simplegen is in en"),
        (["score", "-t", "simplegen", "-l", "en-hu", "-i", "x"], "unknown target language 'hu'"),
        (["score", "-t", "simplegen", "-l", "en-fr", "-i", "x", "--protocol", "paper"], "Known: de, es."),
        (["translate", "-i", "x", "-l", "en-de", "-s", "ctranslat:x"], "Did you mean 'ctranslate2'?"),
        (["translate", "-l", "en-de", "-s", "echo"], "translate needs either -t SET or -i TEXT"),
        (["translate", "-t", "simplegen", "-l", "en-de", "-s", "ctranslate2:no-such"], "no such folder"),
        (["translate", "-t", "simplegen", "-l", "en-de", "-s", "echo:?beam=5"], "system echo has no option beam"),
        (["compare", "a", "b"], "say what it translates with -t SET -l PAIR"),
        (["data", "get", "winomtt"], "unknown published set 'winomtt'"),
    ],
)
def test_one_line_and_exit_code_2(epicene: Command, tmp_path: Path, arguments: list[str], says: str) -> None:
    (tmp_path / "x").write_text("a\n", encoding="utf-8")
    done = epicene(*[str(tmp_path / "x") if each == "x" else each for each in arguments])
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("epicene: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_model_folder_without_its_files(epicene: Command, tmp_path: Path) -> None:
    done = epicene("translate", "-t", "simplegen", "-l", "en-de", "-s", f"ctranslate2:{tmp_path}")
    assert done.returncode == 2
    assert "no SentencePiece model there; expected source.spm or" in done.stderr


def test_every_system_of_an_audit_is_known_before_the_first_is_asked(epicene: Command, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    first = f"command:tee {asked}"
    done = epicene("audit", "-l", "en-de", "-s", first, "-s", "ctranslat:x", "-o", tmp_path / "run")
    assert done.returncode == 2
    assert "Did you mean 'ctranslate2'?" in done.stderr
    assert not asked.exists()


def test_importing_epicene_loads_nothing_heavy() -> None:
    code = "import sys, epicene, epicene.cli.main; print([m for m in ('numpy', 'scipy', 'ctranslate2', 'torch', 'jinja2') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_extra_that_is_not_installed_says_the_pip_line(
    epicene: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "x").write_text("a\n", encoding="utf-8")
    done = epicene("translate", "-i", tmp_path / "x", "-l", "en-de", "-s", "huggingface:m")
    assert done.returncode == 2
    assert "pip install 'epicene[huggingface]'" in done.stderr


def test_completion_that_cannot_be_installed_can_be_printed(program: Command) -> None:
    bash = {
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"
    }  # else it is the shell that runs the tests, if one does
    done = program("--install-completion", "bash", HOME=os.devnull, **bash)  # no folder to write into
    assert done.returncode == 4
    assert done.stderr.startswith("epicene: /dev/null")
    assert done.stderr.rstrip().endswith("--show-completion prints what to copy")
