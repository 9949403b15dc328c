"""``epicene weat`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from epicene.embeddings.wordlists import shipped
from tests.conftest import Command


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Random vectors for WEAT 7 and its German sister."""
    words = dict.fromkeys(shipped()["weat7"].words + shipped()["weat7-ger"].words)
    chance = np.random.default_rng(11)
    rows = (f"{word} {' '.join(f'{value:.4f}' for value in chance.normal(size=20))}" for word in words)
    path = tmp_path / "vectors.txt"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_text_fits_eighty_columns_and_carries_signatures(vectors: Path, epicene: Command) -> None:
    done = epicene("weat", "-e", vectors, "-x", "weat7", "-x", "weat7-ger", "--words")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    for expected in (
        "12,870",
        "exact",
        "case exact",
        "missing balance",
        "weat7-ger|words:",
        "closer to male terms (+)",
    ):
        assert expected in done.stdout


def test_json_is_one_object_a_test_and_embedding(vectors: Path, tmp_path: Path, epicene: Command) -> None:
    other = tmp_path / "other.txt"
    other.write_text(vectors.read_text(encoding="utf-8"), encoding="utf-8")
    (one,) = json.loads(epicene("weat", "-e", vectors, "-x", "weat7", "-f", "json").stdout)
    assert (one["test"], one["embedding"], one["n"], one["method"], one["partitions"]) == (
        "weat7",
        "vectors.txt",
        16,
        "exact",
        12870,
    )
    assert [measure["name"] for measure in one["measures"]] == ["effect_size", "p_one_sided", "p_two_sided"]
    assert [each["word"] for each in one["associations"]] == shipped()["weat7"].words[:16]
    four = json.loads(
        epicene("weat", "-e", vectors, "-e", other, "-x", "weat7", "-x", "weat7-ger", "-f", "json").stdout
    )
    assert [(each["embedding"], each["test"]) for each in four] == [
        ("vectors.txt", "weat7"), ("vectors.txt", "weat7-ger"), ("other.txt", "weat7"), ("other.txt", "weat7-ger"),
    ]  # fmt: skip


def test_latex_has_a_row_a_test(vectors: Path, epicene: Command) -> None:
    done = epicene("weat", "-e", vectors, "-x", "weat7", "-x", "weat7-ger", "-f", "latex")
    assert "\n% weat7|words:" in done.stdout
    assert r"\begin{tabular}{lrrrrrrrr}" in done.stdout
    assert "\nweat7-ger & " in done.stdout


def test_without_tests_all_are_tried_and_the_rest_is_told(vectors: Path, epicene: Command) -> None:
    done = epicene("weat", "-e", vectors)
    assert done.returncode == 0, done.stderr
    assert "weat7-ger" in done.stdout
    assert "not run on 1, too few words found: weat1 (x: 0/25)" in " ".join(done.stdout.split())


def test_a_test_that_was_asked_for_and_lacks_words_is_no_success(vectors: Path, epicene: Command) -> None:
    done = epicene("weat", "-e", vectors, "-x", "weat7", "-x", "weat1")
    assert done.returncode == 3
    assert "weat7 " in done.stdout
    assert done.stderr.startswith("epicene: not run for lack of words: weat1;")


def test_embeddings_keep_their_order_even_where_the_first_has_no_words(
    vectors: Path, tmp_path: Path, epicene: Command
) -> None:
    poor = tmp_path / "poor.txt"
    poor.write_text("math 1 2\n")
    lines = epicene("weat", "-e", poor, "-e", vectors, "-x", "weat7").stdout.splitlines()
    assert lines[:2] == ["1  poor.txt", "2  vectors.txt"]
    assert any(line.split()[:3] == ["weat7", "2", "8+8"] for line in lines)


def test_sampled_p_says_so_and_has_an_interval(vectors: Path, epicene: Command) -> None:
    done = epicene("weat", "-e", vectors, "-x", "weat7", "--method", "mc", "--draws", "1000")
    assert "sampled" in done.stdout
    assert "p two in [" in " ".join(done.stdout.split())
    assert "p:mc(1000,20200623)" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-x", "weat99"], "unknown test 'weat99'"),
        (["-x", "none.toml"], "cannot read none.toml"),
        (["-x", "weat5-fr"], "none of the 48 words asked for is there"),
        (["-x", "weat7", "--ddof", "3"], "ddof 3 is not known"),
        (["-x", "weat7", "--templates", "seat"], "templates need an encoder"),
        (["-x", "weat7", "--charts", "page.pdf"], "charts cannot be written to page.pdf"),
    ],
)
def test_bad_usage_is_one_line(vectors: Path, epicene: Command, arguments: list[str], message: str) -> None:
    done = epicene("weat", "-e", vectors, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_broken_file_of_vectors_is_one_line(tmp_path: Path, epicene: Command) -> None:
    path = tmp_path / "broken.vec"
    path.write_text("2 3\nmath 1 2 3\nhe 1 2\n")
    done = epicene("weat", "-e", path, "-x", "weat7")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"epicene: {path}:3: 'he' has 2 numbers, expected 3\n"


def test_charts_are_drawn(vectors: Path, tmp_path: Path, epicene: Command) -> None:
    pytest.importorskip("vl_convert", reason="the extra charts is not installed")
    for name, begin in (("charts.svg", "<svg"), ("charts.json", "{")):
        done = epicene("weat", "-e", vectors, "-x", "weat7", "--charts", tmp_path / name)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)
