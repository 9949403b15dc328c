"""``epicene genderscore`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from epicene.tables import table
from tests.conftest import Command
from tests.embeddings.conftest import lines
from tests.embeddings.test_genderscore import SEEDS, VECTORS


@pytest.fixture
def task(tmp_path: Path) -> list[str | Path]:
    (tmp_path / "v.txt").write_text(lines(VECTORS), encoding="utf-8")
    (tmp_path / "seeds.tsv").write_text(SEEDS, encoding="utf-8")
    (tmp_path / "words.txt").write_text("nurse\ncook\nengineer\nlion tamer\n", encoding="utf-8")
    return ["genderscore", "-e", tmp_path / "v.txt", tmp_path / "words.txt", "--seeds", tmp_path / "seeds.tsv"]


def test_words_are_ranked_with_intervals_and_what_is_missing(epicene: Command, task: list[str | Path]) -> None:
    done = epicene(*task)
    assert done.returncode == 0, done.stderr
    words = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
    assert words.index("nurse") < words.index("cook") < words.index("engineer")
    assert "words.txt:4: lion tamer (a phrase" in " ".join(done.stdout.split())
    assert "genderscore|seeds:" in done.stdout
    paths = ("|seeds:", "words.txt:")
    assert max(len(line) for line in done.stdout.splitlines() if not any(each in line for each in paths)) <= 80


def test_tsv_json_and_latex_say_the_same(epicene: Command, task: list[str | Path], tmp_path: Path) -> None:
    (found,) = json.loads(epicene(*task, "-o", tmp_path / "scores.tsv", "-f", "json").stdout)
    rows = [line.split("\t") for line in (tmp_path / "scores.tsv").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["word", "score", "low", "high", "rank", "rank_low", "rank_high", "v.txt pronouns", "v.txt words"]
    assert [(row[0], float(row[1])) for row in rows[1:]] == [(w["word"], round(w["score"], 5)) for w in found["words"]]
    assert found["unscored"][0]["word"] == "lion tamer"
    assert "nurse & -1.000" in epicene(*task, "-f", "latex").stdout


def test_bad_input_is_one_line(epicene: Command, task: list[str | Path], tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("nurse\nnurse\n", encoding="utf-8")
    done = epicene(*task)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "words.txt:2: 'nurse' appears twice" in done.stderr
    (tmp_path / "words.txt").write_text("glazier\nfarrier\n", encoding="utf-8")
    done = epicene(*task)
    assert (done.returncode, done.stdout) == (3, "")


def test_the_shipped_lists_are_those_of_the_paper() -> None:
    assert [len(table("sets/wibemt/tables", f"{name}.tsv")) for name in ("adjectives", "verbs", "occupations")] == [
        20,
        42,
        100,
    ]
