"""A small set of its own, with translations that keep women and such that do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from epicene.cli.app import app

N, UNITS = 280, 14


def run(*arguments: str) -> tuple[int, str]:
    """The exit code and standard output of a command."""
    done = CliRunner().invoke(app, ["gate", *arguments])
    if isinstance(done.exception, Exception) and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a set and three files of translations, in which commands run."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{n}\tThe nurse came {n}.\tnurse\tfeminine\t\to{n % UNITS}" for n in range(N)]
    lines = ["id\tsource\tfocus\texpected\tgroup\toccupation", *rows]
    (tmp_path / "own.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    written = {
        "good": ["Die Krankenschwester kam"] * N,
        "bad": ["Der Krankenpfleger kam" if n % 3 == 0 else "Die Krankenschwester kam" for n in range(N)],
        "unread": ["Es kam gestern" if n % 5 == 0 else "Die Krankenschwester kam" for n in range(N)],
    }
    for name, texts in written.items():
        lines = [f"{text} {number}.\n" for number, text in enumerate(texts)]
        (tmp_path / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
    return tmp_path


@pytest.fixture
def config(place: Path) -> Path:
    """A file with one check of the candidate ``hyp.txt``, which is good."""
    text = """[gate]
max-drop = 3
[[gate.check]]
set = "custom:own.tsv"
langs = "en-de"
candidate = "hyp.txt"
"""
    (place / "hyp.txt").write_bytes((place / "good.txt").read_bytes())
    (place / "epicene.toml").write_text(text, encoding="utf-8")
    return place / "epicene.toml"
