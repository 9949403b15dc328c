"""The metrics of other toolkits give what WEFE gives, and what their papers' formulas give in the plainest form."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import cosine

from benchmarks.weat import GOLDEN, ours, wanted
from epicene.embeddings.vectors import load
from epicene.embeddings.wordlists import WordList, WordTest, shipped
from epicene.errors import UnknownNameError
from epicene_lab.embeddings import metrics
from epicene_lab.embeddings.panel import panel
from tests.embeddings.conftest import drawn

WEFE = json.loads(GOLDEN.read_text())  # written by: python -m benchmarks.weat metrics --write


def test_wefes_six_metrics_come_out_as_wefe_has_them(published: Path) -> None:
    found = ours(load(published / "weat" / "googlenews_word2vec_weat_subset.vec.gz", wanted()))
    assert set(found) == {"weat1", "weat6", "weat7", "weat8"}
    for test, values in found.items():
        assert values == pytest.approx(WEFE[test], abs=1e-6), test


def test_metrics_are_their_papers_formulas() -> None:
    chance = np.random.default_rng(1)
    one, two, words = (chance.normal(size=(n, 6)) for n in (4, 4, 5))
    a, b = one.mean(axis=0), two.mean(axis=0)
    assert metrics.rnd(one, two, words) == pytest.approx([np.linalg.norm(w - a) - np.linalg.norm(w - b) for w in words])
    close = [[1 - cosine(w, centre) for w in words] for centre in (a, b)]
    assert metrics.ect(one, two, words) == pytest.approx(stats.spearmanr(*close).statistic)
    directions = [(m - f) / np.linalg.norm(m - f) for m, f in zip(one, two, strict=True)]
    assert metrics.ripa(one, two, words) == pytest.approx(np.array([[w @ d for d in directions] for w in words]))
    plain = [[np.mean([cosine(w, each) for each in listed]) for listed in (one, two)] for w in words]
    assert metrics.mac(words, (one, two)) == pytest.approx(np.array(plain))


def test_tied_ranks_are_shared() -> None:
    rows = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert metrics.ect(np.array([[1.0, 0.2]]), np.array([[0.3, 1.0]]), rows) == pytest.approx(-1)


def test_the_panel_has_an_interval_or_a_p_for_each_metric() -> None:
    found = panel(drawn(shipped()["weat7"].words), "weat7")
    assert [each.metric for each in found.results] == ["rnd", "rnd", "rnsb", "mac", "ect", "ect", "ripa", "ripa"]
    assert {each.groups for each in found.results} == {"male terms / female terms"}
    for each in found.results:
        assert each.p is not None or each.low is not None
        assert each.value is not None
        if each.low is not None and each.high is not None:
            assert each.low <= each.value <= each.high
    with pytest.raises(UnknownNameError, match="weat7x"):
        panel(drawn(["he"]), "weat7", ["weat7x"])


def test_groups_that_are_planted_apart_are_found_and_others_are_not() -> None:
    test = shipped()["weat7"]
    apart = drawn(test.words, seed=5, width=30)
    for word in test.a.words + test.x.words:
        apart[word][0] += 6
    for word in test.b.words:
        apart[word][0] -= 6
    (rnd,) = (each for each in panel(apart, "weat7", ["rnd"]).results if each.words == "math")
    assert rnd.p == pytest.approx(2 / math.comb(16, 8))  # of all partitions, only itself and its mirror
    assert rnd.value is not None and rnd.value < 0  # nearer to the male terms
    (ripa,) = (each for each in panel(apart, "weat7", ["ripa"]).results if each.words == "math")
    assert ripa.p == pytest.approx(2 / 2**8)
    by_chance = [each.p for seed in range(8) for each in panel(drawn(test.words, seed), "weat7", ["rnd"]).results]
    assert np.mean([p < 0.05 for p in by_chance if p is not None]) < 0.3


def test_a_list_without_pairs_has_no_ripa() -> None:
    test = WordTest(
        "t", "en", *(WordList(n, tuple(f"{n}{k}" for k in range(s))) for n, s in zip("xyab", (3, 4, 2, 2), strict=True))
    )
    (found, _) = panel(drawn(test.words), test, ["ripa"]).results
    assert (found.value, found.p) == (None, None)
