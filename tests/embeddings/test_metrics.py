"""The metrics of other toolkits give what WEFE gives, and what their papers' formulas give in the plainest form."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import cosine

import epicene
from benchmarks.weat import hard, ours, wanted
from epicene.embeddings import metrics
from epicene.embeddings.debias import hard_debiased
from epicene.embeddings.source import Row
from epicene.embeddings.vectors import Case, Vectors, load
from epicene.embeddings.wordlists import WordList, WordTest, find, shipped
from epicene.errors import EvidenceError, InputError, UnknownNameError
from epicene.stats.exact import partitions, signs
from epicene.stats.means import random_effects, students

# Written by: python -m benchmarks.weat metrics --write
WEFE = json.loads((Path(__file__).parent.parent / "golden" / "wefe.json").read_text())


@pytest.fixture(scope="module")
def googlenews(published: Path) -> Vectors:
    return load(published / "weat" / "googlenews_word2vec_weat_subset.vec.gz", wanted())


def drawn(words: list[str], seed: int = 3, width: int = 8) -> dict[str, np.ndarray]:
    chance = np.random.default_rng(seed)
    return {word: chance.normal(size=width) for word in words}


def test_wefes_six_metrics_come_out_as_wefe_has_them(googlenews: Vectors) -> None:
    found = ours(googlenews)
    assert set(found) == {"weat1", "weat6", "weat7", "weat8"}
    for test, values in found.items():
        assert values == pytest.approx(WEFE[test], abs=1e-6), test


def test_hard_debiasing_comes_out_as_wefe_has_it(googlenews: Vectors) -> None:
    # WEFE debiases in numbers of four bytes
    assert hard(googlenews) == pytest.approx(WEFE["hard"], abs=2e-5)


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
    found = epicene.panel(drawn(shipped()["weat7"].words), "weat7")
    assert [each.metric for each in found.results] == ["rnd", "rnd", "rnsb", "mac", "ect", "ect", "ripa", "ripa"]
    assert {each.groups for each in found.results} == {"male terms / female terms"}
    for each in found.results:
        assert each.p is not None or each.low is not None
        assert each.value is not None
        if each.low is not None and each.high is not None:
            assert each.low <= each.value <= each.high
    with pytest.raises(UnknownNameError, match="weat7x"):
        epicene.panel(drawn(["he"]), "weat7", ["weat7x"])


def test_groups_that_are_planted_apart_are_found_and_others_are_not() -> None:
    test = shipped()["weat7"]
    apart = drawn(test.words, seed=5, width=30)
    for word in test.a.words + test.x.words:
        apart[word][0] += 6
    for word in test.b.words:
        apart[word][0] -= 6
    (rnd,) = (each for each in epicene.panel(apart, "weat7", ["rnd"]).results if each.words == "math")
    assert rnd.p == pytest.approx(2 / math.comb(16, 8))  # of all partitions, only itself and its mirror
    assert rnd.value is not None and rnd.value < 0  # nearer to the male terms
    (ripa,) = (each for each in epicene.panel(apart, "weat7", ["ripa"]).results if each.words == "math")
    assert ripa.p == pytest.approx(2 / 2**8)
    by_chance = [
        each.p for seed in range(8) for each in epicene.panel(drawn(test.words, seed), "weat7", ["rnd"]).results
    ]
    assert np.mean([p < 0.05 for p in by_chance if p is not None]) < 0.3


def test_a_list_without_pairs_has_no_ripa() -> None:
    test = WordTest(
        "t", "en", *(WordList(n, tuple(f"{n}{k}" for k in range(s))) for n, s in zip("xyab", (3, 4, 2, 2), strict=True))
    )
    (found, _) = epicene.panel(drawn(test.words), test, ["ripa"]).results
    assert (found.value, found.p) == (None, None)


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
    found = epicene.debiasing(path, tests=["weat7", "weat9"])
    gender, illness = found.results
    assert gender.change is not None and gender.high is not None
    assert gender.change < -1 and gender.high < 0 and gender.p < 0.05
    assert illness.change == pytest.approx(0, abs=0.1)
    assert gender.before["effect_size"].value == epicene.weat(path, "weat7")["weat7"]["effect_size"].value
    (same,) = epicene.debiasing(path, path, "weat7").results
    assert (same.change, same.p, same.p_shift) == (0.0, 1.0, 1.0)


def test_the_random_effects_model_is_statsmodels() -> None:
    from statsmodels.stats.meta_analysis import combine_effects

    chance = np.random.default_rng(2)
    effects, variances = chance.normal(0.4, 0.5, size=30), chance.uniform(0.05, 0.3, size=30)
    theirs = combine_effects(effects, variances, method_re="dl", use_t=False)
    row = theirs.summary_frame().loc["random effect"]
    found = random_effects(effects.tolist(), variances.tolist())
    assert (found.value, found.low, found.high) == pytest.approx((row["eff"], row["ci_low"], row["ci_upp"]), abs=1e-9)
    assert found.between == pytest.approx(theirs.tau2)
    assert found.p == pytest.approx(2 * stats.norm.sf(abs(row["eff"] / row["sd_eff"])))


def test_intervals_of_means_are_scipys() -> None:
    values = [1.0, 2.0, 4.0, 8.0]
    wanted = stats.ttest_1samp(values, 0).confidence_interval()
    assert students(values) == pytest.approx((wanted.low, wanted.high))
    assert students([1.0]) == (None, None)


def test_all_ways_are_gone_through_where_they_are_few() -> None:
    ways, exact = partitions(6, 2, 10, 1)
    assert exact and ways.shape == (15, 6) and set(ways.sum(axis=1)) == {2.0}
    assert len({tuple(row) for row in ways}) == 15
    some, exact = partitions(60, 30, 50, 1)
    assert not exact and some.shape == (50, 60) and set(some.sum(axis=1)) == {30.0}
    assert len({tuple(row) for row in signs(4, 10, 1)}) == 16
    assert signs(40, 10, 1).shape == (10, 40)


def test_xweat_has_the_tests_of_six_languages() -> None:
    assert [test.name for test in find(["tr"])] == ["xweat1-tr", "xweat2-tr", "xweat7-tr", "xweat8-tr", "xweat9-tr"]
    assert next(test.name for test in find(["xweat-de"])) == "xweat1-de"
    assert next(test.name for test in find(["de"])) == "weat5-ger"
    assert find(["xweat7-es"])[0].b.words[:2] == ("hembra", "mujer")
    assert {test.language for test in shipped().values()} == {"en", "de", "fr", "es", "hr", "it", "ru", "tr"}
    for test in shipped().values():
        for first, second in (("x", "y"), ("a", "b")):
            assert not set(test.lists[first].words) & set(test.lists[second].words), test.name
