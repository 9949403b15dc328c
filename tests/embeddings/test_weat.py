"""Tests of association keep what they promise on vectors of the tests' own."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epicene
from epicene.embeddings.source import Row
from epicene.embeddings.tables import Refusal
from epicene.embeddings.vectors import Case, Settings, Vectors
from epicene.embeddings.weat import Association, measure, weat
from epicene.embeddings.wordlists import WordList, WordTest, shipped
from epicene.errors import InputError
from tests.embeddings.conftest import lines

sizes = st.tuples(*[st.integers(1, 5)] * 4).filter(lambda each: each[0] + each[1] > 2)


def made(letters: tuple[int, int, int, int]) -> WordTest:
    lists = (
        WordList(name, tuple(f"{name}{place}" for place in range(n))) for name, n in zip("xyab", letters, strict=True)
    )
    return WordTest("made", "en", *lists)


def held(words: list[str], matrix: np.ndarray) -> Vectors:
    return Vectors("made", Case.EXACT, {word: Row(word, "made", row) for word, row in zip(words, matrix, strict=True)})


def run(test: WordTest, matrix: np.ndarray, **given: object) -> Association:
    found = measure(test, held(test.words, matrix), Settings(**given))
    assert isinstance(found, Association)
    return found


def drawn(test: WordTest, seed: int, width: int = 6) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(len(test.words), width))


@given(sizes, st.integers(0, 10_000))
@settings(max_examples=150)
def test_exact_p_is_that_of_trying_all_partitions(letters: tuple[int, int, int, int], seed: int) -> None:
    test = made(letters)
    found = run(test, drawn(test, seed))
    scores, x = [each.score for each in found.scores], letters[0]
    n, centre = len(scores), x * sum(scores) / len(scores)
    sums = [sum(chosen) for chosen in combinations(scores, x)]
    greater = sum(each > sum(scores[:x]) + 1e-9 for each in sums)
    extreme = sum(abs(each - centre) >= abs(sum(scores[:x]) - centre) - 1e-9 for each in sums)
    assert found.counts.exact
    assert (found.counts.partitions, found.counts.greater, found.counts.extreme) == (len(sums), greater, extreme)
    assert found["effect_size"].n == n


@given(sizes, st.integers(0, 10_000), st.sampled_from(["exact", "mc"]))
def test_p_is_above_zero_and_at_most_one(letters: tuple[int, int, int, int], seed: int, method: str) -> None:
    test = made(letters)
    found = run(test, drawn(test, seed), method=method, draws=50)
    for name in ("p_one_sided", "p_two_sided"):
        measured = found[name]
        assert 0 < measured.value <= 1
        if method == "mc":
            assert measured.low <= measured.value <= measured.high + 0.02


@given(sizes, st.integers(0, 10_000))
def test_swapping_x_with_y_and_a_with_b_changes_nothing(letters: tuple[int, int, int, int], seed: int) -> None:
    test = made(letters)
    matrix = drawn(test, seed)
    swapped = WordTest("made", "en", test.y, test.x, test.b, test.a)
    rows = dict(zip(test.words, matrix, strict=True))
    first, second = run(test, matrix), run(swapped, np.array([rows[word] for word in swapped.words]))
    assert first.counts == second.counts
    assert first["effect_size"].value == pytest.approx(second["effect_size"].value, abs=1e-9)
    assert first.statistic == pytest.approx(second.statistic, abs=1e-12)


@given(sizes, st.integers(0, 10_000))
def test_swapping_x_with_y_turns_the_sign_and_keeps_the_two_sided_p(
    letters: tuple[int, int, int, int], seed: int
) -> None:
    test = made(letters)
    matrix = drawn(test, seed)
    swapped = WordTest("made", "en", test.y, test.x, test.a, test.b)
    rows = dict(zip(test.words, matrix, strict=True))
    first, second = run(test, matrix), run(swapped, np.array([rows[word] for word in swapped.words]))
    assert first.counts.extreme == second.counts.extreme
    assert first["effect_size"].value == pytest.approx(-second["effect_size"].value, abs=1e-9)


@given(sizes, st.integers(0, 10_000), st.floats(1e-3, 1e3))
def test_scaling_and_rotating_the_space_changes_nothing(
    letters: tuple[int, int, int, int], seed: int, factor: float
) -> None:
    test = made(letters)
    matrix = drawn(test, seed)
    turn, _ = np.linalg.qr(np.random.default_rng(seed + 1).normal(size=(matrix.shape[1],) * 2))
    first, second = run(test, matrix), run(test, factor * matrix @ turn)
    assert first.counts == second.counts
    assert first["effect_size"].value == pytest.approx(second["effect_size"].value, abs=1e-9)


def test_words_with_one_vector_tie_exactly() -> None:
    test = made((2, 2, 1, 1))
    matrix = drawn(test, 1)
    matrix[2], matrix[3] = matrix[0] * 3, matrix[1] / 7
    found = run(test, matrix)
    # two words of X have the directions of two of Y: four of six partitions have the same sum
    assert (found.counts.greater, found.counts.extreme) == (1, 6)


def test_targets_that_are_all_alike_leave_nothing_to_test() -> None:
    test = made((2, 2, 1, 1))
    found = measure(test, held(test.words, np.vstack([np.ones((4, 3)), np.eye(3)[:2]])), Settings())
    assert isinstance(found, Refusal)
    assert found.reason == "nothing to test: all 4 target words have the same vector"
    turned = np.vstack([np.eye(3)[[2, 2, 2, 2]] * [[1], [2], [3], [4]], np.eye(3)[:2]])
    other = measure(test, held(test.words, turned), Settings())
    assert isinstance(other, Refusal)
    assert other.as_dict()["refused"] == "nothing to test: all 4 target words have the same association"


def test_a_word_that_is_target_and_attribute_is_told() -> None:
    test = made((2, 2, 2, 2))
    test = replace(test, a=WordList("a", ("x0", "a1")))
    found = measure(test, held(test.words, np.random.default_rng(3).normal(size=(8, 5))), Settings())
    assert isinstance(found, Association)
    assert found.shared == ("x0",)
    assert found.as_dict()["shared"] == ["x0"]


def test_a_near_copy_does_not_widen_the_family(tmp_path: Path) -> None:
    words = shipped()["weat7"].words + shipped()["weat8"].words
    chance = np.random.default_rng(5)
    vectors = {word: chance.normal(size=12) for word in words}
    alone = weat(vectors, ["weat7", "weat8"])
    found = weat(vectors, ["weat7", "weat7-mod", "weat8"])
    assert [each.copy_of for each in found] == ["", "weat7", ""]
    assert [found[name].p_holm for name in ("weat7", "weat8")] == [each.p_holm for each in alone]
    # the copy is adjusted as if it stood in the place of weat7
    instead = weat(vectors, ["weat7-mod", "weat8"])
    assert found["weat7-mod"].p_holm == instead["weat7-mod"].p_holm


def test_the_papers_verdict_stands_beside_holms(published: Path) -> None:
    found = weat(published / "weat" / "googlenews_word2vec_weat_subset.vec.gz", ["weat5", "weat7", "weat8", "weat10"])
    # Kurpicz-Briki 2020, Table 8: p .029, .039 and .008, each below .05
    assert [found[name].significant for name in ("weat5", "weat7", "weat8")] == [True, True, True]
    assert [found[name].biased for name in ("weat5", "weat7", "weat8")] == [False, False, True]


def file_of(tmp_path: Path, words: list[str], seed: int = 3) -> Path:
    path = tmp_path / "vectors.txt"
    rows = np.random.default_rng(seed).normal(size=(len(words), 8)).tolist()
    path.write_text(lines(dict(zip(words, rows, strict=True))), encoding="utf-8")
    return path


def own(tmp_path: Path, **lists: list[str]) -> WordTest:
    return WordTest("own", "en", *(WordList(letter, tuple(lists[letter])) for letter in "xyab"))


LISTS = {"x": ["x0", "x1", "x2", "x3"], "y": ["y0", "y1", "y2", "y3"], "a": ["a0", "a1", "a2", "a3"], "b": ["b0", "b1"]}


@pytest.mark.parametrize(
    ("absent", "policy", "sides", "dropped"),
    [
        (["x1"], "balance", (3, 3), {"y": ("y1",)}),
        (["y3"], "balance", (3, 3), {"x": ("x3",)}),
        (["x1", "y2"], "balance", (3, 3), {}),
        (["x1"], "drop", (3, 4), {}),
        (["a1"], "balance", (4, 4), {}),
    ],
)
def test_missing_words_follow_the_stated_policy(
    tmp_path: Path, absent: list[str], policy: str, sides: tuple[int, int], dropped: dict[str, tuple[str, ...]]
) -> None:
    test = own(tmp_path, **LISTS)
    path = file_of(tmp_path, [word for word in test.words if word not in absent])
    (found,) = epicene.weat(path, test, missing=policy)
    assert found.sizes == sides
    assert found.dropped == dropped
    assert sorted(word for words in found.missing.values() for word in words) == absent
    assert f"missing:{policy}" in found.signature


def test_a_test_with_too_few_words_is_refused_and_named(tmp_path: Path) -> None:
    test = own(tmp_path, **LISTS)
    path = file_of(tmp_path, [word for word in test.words if word not in ("a0", "a1")])
    found = epicene.weat(path, test)
    assert len(found) == 0
    assert found.refused == (Refusal(test, "vectors.txt", "a", 2),)
    assert found.refused[0].reason == "only 2 of the 4 words of a (a) were found"
    assert len(epicene.weat(path, test, coverage=0.5)) == 1


def test_missing_refuse_wants_every_word(tmp_path: Path) -> None:
    test = own(tmp_path, **LISTS)
    path = file_of(tmp_path, test.words[:-1])
    assert len(epicene.weat(path, test, coverage=0.5)) == 1
    assert len(epicene.weat(path, test, coverage=0.5, missing="refuse").refused) == 1


def test_case_can_make_words_of_both_sides_one_and_is_refused_then(tmp_path: Path) -> None:
    test = own(tmp_path, **{**LISTS, "x": ["Rose", "x1"], "y": ["rose", "y1"]})
    path = file_of(tmp_path, [word.lower() for word in test.words if word != "Rose"])
    with pytest.raises(InputError, match="test own: rose in both x and y, spelled lower"):
        epicene.weat(path, test, case="lower")


def test_words_found_under_another_spelling_are_told(tmp_path: Path) -> None:
    test = own(tmp_path, **{**LISTS, "x": ["NASA", "x1", "x2", "x3"]})
    path = file_of(tmp_path, [word.lower() for word in test.words])
    (found,) = epicene.weat(path, test, case="any")
    assert found.spelled == {"NASA": "nasa"}


def test_holm_adjusts_over_the_tests_of_an_embedding(tmp_path: Path) -> None:
    first = own(tmp_path, **LISTS)
    second = WordTest("other", "en", first.x, first.y, first.b, first.a)
    third = WordTest("third", "en", first.a, WordList("b", ("x0", "y0", "x1", "y1")), first.x, first.y)
    path = file_of(tmp_path, first.words)
    found = epicene.weat(path, [first, second, third])
    p = [each["p_two_sided"].value for each in found]
    from statsmodels.stats.multitest import multipletests

    assert [each.p_holm for each in found] == pytest.approx(list(multipletests(p, method="holm")[1]))
    assert [each.biased for each in found] == [each.p_holm <= 0.05 for each in found]


def test_many_words_are_drawn_and_say_so(tmp_path: Path) -> None:
    test = own(tmp_path, **{**LISTS, "x": [f"x{n}" for n in range(30)], "y": [f"y{n}" for n in range(30)]})
    path = file_of(tmp_path, test.words)
    (found,) = epicene.weat(path, test, draws=2000)
    assert found.method == "mc"
    assert "p:mc(2000," in found.signature
    assert found["p_two_sided"].low <= found["p_two_sided"].value <= found["p_two_sided"].high
    assert found == epicene.weat(path, test, draws=2000)["own"]
    with pytest.raises(InputError, match=r"30 \+ 30 words have too many partitions"):
        epicene.weat(path, test, method="exact")


def test_results_are_found_by_name_and_make_a_frame(tmp_path: Path) -> None:
    test = own(tmp_path, **LISTS)
    path = file_of(tmp_path, test.words)
    found = epicene.weat([path, str(path)], test)
    assert len(found) == 1  # one file, however often it is named
    frame = found.to_frame()
    assert list(frame["test"]) == ["own"]
    assert frame["effect_size"][0] == found["own"]["effect_size"].value
    assert frame["p_two_sided"][0] == found["own", "vectors.txt"]["p_two_sided"].value


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    test = own(tmp_path, **LISTS)
    folders = [tmp_path / "one", tmp_path / "two"]
    for seed, folder in enumerate(folders):
        folder.mkdir()
        file_of(folder, test.words, seed)
    found = epicene.weat([folder / "vectors.txt" for folder in folders], test)
    assert [each.embedding for each in found] == [str(folder / "vectors.txt") for folder in folders]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ddof": 2}, "ddof 2 is not known"),
        ({"method": "guess"}, "method 'guess' is not known; expected auto, exact, mc"),
        ({"draws": 0}, "0 draws"),
        ({"coverage": 0.0}, "coverage 0 is no share"),
        ({"alpha": 1.0}, "alpha 1 is no level"),
        ({"seed": -1}, "seed -1 is negative"),
        ({"speed": 3}, "no option speed; known: ddof, method"),
        ({"templates": "seat"}, "templates need an encoder"),
    ],
)
def test_bad_settings_are_refused(tmp_path: Path, given: dict[str, object], message: str) -> None:
    test = own(tmp_path, **LISTS)
    with pytest.raises(InputError, match=message):
        epicene.weat(file_of(tmp_path, test.words), test, **given)


def test_two_words_a_side_are_not_to_be_trusted() -> None:
    test = WordTest("t", "en", *(WordList(name, (f"{name}1", f"{name}2")) for name in "xyab"))
    vectors = {"x1": (1, 0), "x2": (0.9, 0.1), "y1": (0, 1), "y2": (0.1, 0.9)}
    vectors |= {"a1": (1, 0.1), "a2": (0.8, 0), "b1": (0, 1), "b2": (0.1, 1)}
    (result,) = weat(vectors, test)
    assert result["p_two_sided"].value == pytest.approx(1 / 3)
    assert result.doubt.startswith("not to be trusted: with 2 + 2 words no p below 0.33 is possible")
    assert result.as_dict()["doubt"] == result.doubt


def test_tests_of_enough_words_are_trusted() -> None:
    assert {result.doubt for result in weat("europarl:fr", ["weat7-fr"])} == {""}


def test_words_that_share_one_vector_are_listed() -> None:
    answer = epicene.weat("oscar:fr", "weat7-fr")
    assert answer["weat7-fr"].alike == (("algèbre", "géométrie"),)
    assert answer.records()[0]["alike"] == [["algèbre", "géométrie"]]
    assert "have one vector: algèbre, géométrie" in str(answer)


def test_every_word_that_is_left_out_and_every_refused_test_stands_in_the_csv_too() -> None:
    answer = epicene.weat("europarl:es", ["xweat1-es", "xweat8-es"])
    row, refused = answer.rows()
    assert (row["metric"], row["n"], row["low"] < row["effect_size"] < row["high"]) == ("weat", 14, True)
    assert row["left_out"] == "astronomía, tía, de ella, drama, su"
    assert refused["refused"] == "only 5 of the 25 words of x (flowers) were found"
