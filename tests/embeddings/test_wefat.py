"""WEFAT and MWEAT are their papers' formulas in the plainest form, and correlations are SciPy's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import cosine

import epicene
from epicene.embeddings.wordlists import shipped
from epicene.errors import InputError
from tests.embeddings.conftest import drawn


def test_wefat_is_caliskans_formula_and_its_correlation() -> None:
    test = shipped()["weat7"]
    jobs = ["nurse", "carpenter", "teacher", "engineer", "librarian", "judge"]
    vectors = drawn([*jobs, *test.words])
    (found,) = epicene.wefat(vectors)
    women = {"nurse": 87.4, "carpenter": 3.2, "teacher": 79.6, "engineer": 15.3, "librarian": 83.2, "judge": 53.9}
    scores = {}
    for job in jobs:
        female, male = ([1 - cosine(vectors[job], vectors[w]) for w in words] for words in (test.b.words, test.a.words))
        scores[job] = (np.mean(female) - np.mean(male)) / np.std(female + male, ddof=1)
    assert {each.name: each.score for each in found.jobs} == pytest.approx(scores)
    assert {each.name: each.women for each in found.jobs} == women
    wanted = stats.pearsonr([scores[job] for job in jobs], [women[job] for job in jobs])
    assert (found.r, found.p) == pytest.approx((wanted.statistic, wanted.pvalue))
    interval = wanted.confidence_interval()
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-6)
    assert all(0 < (each.p or 0) <= 1 for each in found.jobs)


def test_google_news_knows_who_does_the_job(published: Path) -> None:
    (found,) = epicene.wefat(published / "weat" / "googlenews_word2vec_weat_subset.vec.gz")
    assert found.r is not None and found.low is not None
    assert (round(found.r, 2), len(found.jobs)) == (0.71, 32)
    assert found.low > 0.4


def test_mweat_is_the_authors_statistic() -> None:
    test = shipped()["weat7-ger"]
    forms = [("Arzt", "Ärztin"), ("Lehrer", "Lehrerin"), ("Koch", "Köchin"), ("Maler", "Malerin"), ("Autor", "Autorin")]
    vectors = drawn([*(word for pair in forms for word in pair), *test.words])

    def leaning(word: str) -> float:
        male, female = (
            [1 - cosine(vectors[word], vectors[w]) for w in words] for words in (test.a.words, test.b.words)
        )
        return float(np.mean(male) - np.mean(female))

    masculine, feminine = (sum(leaning(pair[side]) for pair in forms) for side in (0, 1))
    (found,) = epicene.wefat(vectors, "de")
    assert found.mweat is not None
    assert found.mweat.value == pytest.approx(abs(abs(masculine) - abs(feminine)))
    assert found.mweat.mean == pytest.approx((masculine + feminine) / 5)
    assert found.mweat.pairs == 5
    assert 1 / 16 <= found.mweat.p <= 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "word\twomen_pct\nnurse\t0.9\nhero\t0.1\na\t0.2\nb\t0.3\nc\t1\n",
            "these look like fractions, expected per cent",
        ),
        ("word\twomen_pct\nnurse\tmany\n", ":2: word 'nurse' with women_pct 'many'; expected"),
        ("word\twomen_pct\nnurse\t120\n", ":2: word 'nurse' with women_pct '120'; expected"),
        ("word\twomen_pct\nnurse\t90\n", "1 rows; expected the columns word and women_pct, and at least 5"),
    ],
)
def test_a_reference_that_cannot_be_meant_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "reference.tsv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        epicene.wefat(drawn(["nurse"]), reference=path)
