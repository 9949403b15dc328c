"""Charts show what the numbers say, and what comes from outside stays text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import epicene
from epicene.embeddings.weat import Weat
from epicene.embeddings.wordlists import WordList, WordTest
from epicene.output.charts import weat as weat_charts

pytest.importorskip("vl_convert", reason="the extra charts is not installed")


def made(tmp_path: Path, each: int, odd: str = "x0") -> Weat:
    lists = [[f"{letter}{place}" for place in range(each)] for letter in "xyab"]
    lists[0][0] = odd
    chance = np.random.default_rng(4)
    path = tmp_path / "vectors.txt"
    rows = (f"{word} {' '.join(map(str, chance.normal(size=9)))}\n" for words in lists for word in words)
    path.write_text("".join(rows), encoding="utf-8")
    test = WordTest("own", "en", *(WordList(name, tuple(words)) for name, words in zip("XYAB", lists, strict=True)))
    return epicene.weat(path, test, draws=1000)


def test_every_target_word_has_its_bar(tmp_path: Path) -> None:
    (found,) = made(tmp_path, 4)
    values = weat_charts.word_chart(found)["data"]["values"]
    assert [(value["word"], value["score"]) for value in values] == [(each.word, each.score) for each in found.scores]


def test_a_hostile_word_stays_text(tmp_path: Path) -> None:
    hostile = "</text><script>alert(1)</script>"
    path = tmp_path / "charts.svg"
    weat_charts.write(made(tmp_path, 4, odd=hostile), path)
    svg = path.read_text(encoding="utf-8")
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg
