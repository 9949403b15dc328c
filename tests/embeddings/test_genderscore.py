"""Gender scores follow equations 1 and 2 of the paper, and say how far they hang on the seed words."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from epicene.embeddings.genderscore import GenderScores, genderscore
from epicene.embeddings.wordlists import seed_lists
from epicene.errors import EvidenceError, InputError
from tests.embeddings.conftest import lines

SEEDS = "list\tside\twords\npronouns\tfeminine\tshe\npronouns\tmasculine\the\nwords\tfeminine\tqueen, woman\nwords\tmasculine\tking, man\n"
VECTORS = {
    "she": [1.0, 0.0, 0.0],
    "he": [0.0, 1.0, 0.0],
    "queen": [1.0, 0.2, 0.0],
    "woman": [0.9, 0.0, 0.3],
    "king": [0.1, 1.0, 0.0],
    "man": [0.0, 0.8, 0.4],
    "nurse": [3.0, 0.5, 1.0],
    "cook": [1.0, 1.0, 1.0],
    "engineer": [0.2, 2.0, 0.5],
}


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    path = tmp_path / "seeds.tsv"
    path.write_text(SEEDS, encoding="utf-8")
    return path


def vectors(folder: Path, name: str = "vectors.txt", **more: list[float]) -> Path:
    path = folder / name
    path.write_text(lines({**VECTORS, **more}), encoding="utf-8")
    return path


def scores(found: GenderScores) -> dict[str, float]:
    return {each.word: each.score for each in found.words}


def by_hand(word: str, feminine: list[str], masculine: list[str]) -> float:
    def cosine(a: str, b: str) -> float:
        x, y = np.array(VECTORS[a]), np.array(VECTORS[b])
        return float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))

    return sum(cosine(word, w) for w in masculine) / len(masculine) - sum(cosine(word, w) for w in feminine) / len(
        feminine
    )


def test_the_score_is_the_mean_of_the_stretched_differences_of_cosines(tmp_path: Path, seeds: Path) -> None:
    words = ["cook", "nurse", "engineer"]
    found = genderscore(vectors(tmp_path), words, seeds)
    wanted = dict.fromkeys(words, 0.0)
    for feminine, masculine in ((["she"], ["he"]), (["queen", "woman"], ["king", "man"])):
        raw = {word: by_hand(word, feminine, masculine) for word in words}
        low, high = min(raw.values()), max(raw.values())
        for word in words:
            wanted[word] += (-1 + 2 * (raw[word] - low) / (high - low)) / 2
    assert scores(found) == pytest.approx(wanted)
    assert [each.word for each in found.words] == ["nurse", "cook", "engineer"]
    assert [each.rank for each in found.words] == [1, 2, 3]


def test_embeddings_of_other_widths_and_vocabularies_are_combined(tmp_path: Path, seeds: Path) -> None:
    first = vectors(tmp_path, "first.txt", baker=[2.0, 0.1, 0.0])
    second = tmp_path / "second.txt"
    second.write_text(lines({word: [*numbers, 0.1] for word, numbers in VECTORS.items()}), encoding="utf-8")
    found = genderscore([first, second], ["nurse", "cook", "engineer", "baker"], seeds)
    assert [each.width for each in found.coverage] == [3, 4]
    assert [each.missing for each in found.coverage] == [(), ("baker",)]
    parts = {each.word: len(each.scores) for each in found.words}
    assert parts == {"nurse": 4, "cook": 4, "engineer": 4, "baker": 2}
    assert scores(found)["baker"] == -1


def test_a_rank_that_the_seeds_do_not_settle_has_a_wide_interval(tmp_path: Path, seeds: Path) -> None:
    close = vectors(tmp_path, chef=[1.0, 1.0, 1.02], waiter=[1.0, 1.0, 0.98])
    found = {
        each.word: each for each in genderscore(close, ["nurse", "chef", "cook", "waiter", "engineer"], seeds).words
    }
    assert (found["nurse"].rank_low, found["nurse"].rank_high) == (1, 1)
    assert (found["engineer"].rank_low, found["engineer"].rank_high) == (5, 5)
    assert any(found[word].rank_high > found[word].rank_low for word in ("chef", "cook", "waiter"))
    for each in found.values():
        assert each.low <= each.score <= each.high
        assert each.rank_low <= each.rank <= each.rank_high


def test_drawing_is_seeded(tmp_path: Path, seeds: Path) -> None:
    path, words = vectors(tmp_path), ["nurse", "cook", "engineer"]
    assert genderscore(path, words, seeds).words == genderscore(path, words, seeds).words
    assert genderscore(path, words, seeds, seed=1).signature != genderscore(path, words, seeds).signature


def test_capitals_are_looked_for_in_lower_case_too_and_phrases_with_underscores(tmp_path: Path, seeds: Path) -> None:
    path = vectors(tmp_path, ceo=[0.1, 1.0, 0.0], construction_worker=[0.1, 1.5, 0.2])
    found = genderscore(path, ["nurse", "CEO", "construction worker"], seeds)
    assert {each.word for each in found.words} == {"nurse", "CEO", "construction worker"}
    assert not genderscore(path, ["nurse", "cook"], seeds).unscored
    assert [each.word for each in genderscore(path, ["nurse", "cook", "CEO"], seeds, case="exact").unscored] == ["CEO"]


def test_words_without_a_vector_are_told_with_their_place(tmp_path: Path, seeds: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("# of work\nnurse\t90\n\ncook\nlion tamer\nglazier\n", encoding="utf-8")
    found = genderscore(vectors(tmp_path), words, seeds)
    assert [(each.word, each.where) for each in found.unscored] == [
        ("lion tamer", f"{words}:5"),
        ("glazier", f"{words}:6"),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [("nurse\ncook\nnurse\n", r"words\.txt:3: 'nurse' appears twice \(first: 1\)"), ("\n", "no words")],
)
def test_a_broken_word_list_is_refused(tmp_path: Path, seeds: Path, text: str, says: str) -> None:
    words = tmp_path / "words.txt"
    words.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        genderscore(vectors(tmp_path), words, seeds)


def test_too_little_evidence_is_said(tmp_path: Path, seeds: Path) -> None:
    with pytest.raises(EvidenceError, match="1 of 2 words have a vector"):
        genderscore(vectors(tmp_path), ["nurse", "glazier"], seeds)
    path = tmp_path / "few.txt"
    path.write_text(
        lines({word: VECTORS[word] for word in ("she", "queen", "king", "nurse", "cook")}), encoding="utf-8"
    )
    with pytest.raises(
        EvidenceError, match=r"few\.txt: it has none of the masculine words of the list 'pronouns' \(he\)"
    ):
        genderscore(path, ["nurse", "cook"], seeds)
    with pytest.raises(EvidenceError, match="fewer than two different words"):
        genderscore(
            [vectors(tmp_path), vectors(tmp_path, "twins.txt", nurse=[1.0, 1.0, 1.0])], ["nurse", "cook"], seeds
        )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("list\tside\twords\na\tfeminine\tshe\n", "the list 'a' has no masculine side"),
        ("list\tside\twords\na\tfemale\tshe\n", "expected the columns list, side"),
        ("list\tside\twords\na\tfeminine\tshe\na\tmasculine\tshe\n", "she on both sides of 'a'"),
        ("list\tside\twords\n", "no seed words"),
    ],
)
def test_broken_seeds_are_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "seeds.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        seed_lists(path)


def test_the_papers_seeds_are_he_and_she_and_95_and_108_words() -> None:
    pronouns, words = seed_lists()
    assert (pronouns.feminine, pronouns.masculine) == (("she",), ("he",))
    assert (len(words.feminine), len(words.masculine)) == (95, 108)
    assert "dads" in words.feminine  # as the authors split them


def test_numbers_are_finite_however_many_words_are_missing(tmp_path: Path, seeds: Path) -> None:
    second = tmp_path / "second.txt"
    second.write_text(lines({word: VECTORS[word] for word in VECTORS if word != "cook"}), encoding="utf-8")
    found = genderscore([vectors(tmp_path), second], ["nurse", "cook", "engineer"], seeds)
    assert all(math.isfinite(number) for each in found.words for number in (each.score, each.low, each.high))
