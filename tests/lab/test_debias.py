"""Hard debiasing leaves nothing of the direction, as in WEFE; before and after are compared word by word."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import epicene
from benchmarks.weat import GOLDEN, hard, wanted
from epicene.embeddings.source import Row
from epicene.embeddings.vectors import Case, Vectors, load
from epicene.errors import EvidenceError
from epicene_lab.embeddings.debias import debiasing, hard_debiased
from tests.embeddings.conftest import drawn

WEFE = json.loads(GOLDEN.read_text())  # written by: python -m benchmarks.weat metrics --write


def test_hard_debiasing_comes_out_as_wefe_has_it(published: Path) -> None:
    # WEFE debiases in numbers of four bytes
    vectors = load(published / "weat" / "googlenews_word2vec_weat_subset.vec.gz", wanted())
    assert hard(vectors) == pytest.approx(WEFE["hard"], abs=2e-5)


def test_debiased_vectors_have_nothing_of_the_direction_left() -> None:
    words = ["she", "he", "woman", "man", "math", "art", "her"]
    table = drawn(words)
    vectors = Vectors("made", Case.EXACT, {word: Row(word, "made", row) for word, row in table.items()})
    found = hard_debiased(vectors, [("she", "he"), ("woman", "man")], ["she", "he", "woman", "man", "her"])
    direction = found["she"] - found["he"]
    direction /= np.linalg.norm(direction)
    assert abs(found["math"] @ direction) < 1e-12
    assert found["math"] @ found["she"] == pytest.approx(found["math"] @ found["he"])
    assert abs(found["her"] @ direction) > 1e-3
    assert [np.linalg.norm(found[word]) for word in words] == pytest.approx([1.0] * 7)
    with pytest.raises(EvidenceError, match="none of the pairs that define gender"):
        hard_debiased(vectors, [("sie", "er")])


def test_before_and_after_are_compared_word_by_word(published: Path) -> None:
    path = published / "weat" / "googlenews_word2vec_weat_subset.vec.gz"
    found = debiasing(path, tests=["weat7", "weat9"])
    gender, illness = found.results
    assert gender.change is not None and gender.high is not None
    assert gender.change < -1 and gender.high < 0 and gender.p < 0.05
    assert illness.change == pytest.approx(0, abs=0.1)
    assert gender.before["effect_size"].value == epicene.weat(path, "weat7")["weat7"]["effect_size"].value
    (same,) = debiasing(path, path, "weat7").results
    assert (same.change, same.p, same.p_shift) == (0.0, 1.0, 1.0)
