"""Word vectors are trained on plain text, the same from the same text, and read back by what measures them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from epicene.embeddings.vectors import load
from epicene.errors import EvidenceError, InputError
from epicene_lab.vectors import Kind, Training, check, read_tokens, train, write
from tests.conftest import Command

TOPICS = (("cat", "dog", "fur", "paw"), ("car", "road", "wheel", "engine"))


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentences of two topics that never meet."""
    chance = np.random.default_rng(1)
    path = tmp_path_factory.mktemp("text") / "text.txt"
    lines = [" ".join(chance.choice(TOPICS[number % 2], size=8)) for number in range(400)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_words_are_letters_and_digits_with_hyphens_within() -> None:
    assert read_tokens("L'homme, dit-elle: «C'est 3,5 %!»") == ["L", "homme", "dit-elle", "C", "est", "3", "5"]
    assert read_tokens("Groß-Berlin -- ja", lower=True) == ["groß-berlin", "ja"]


@pytest.mark.parametrize("kind", list(Kind))
def test_words_of_one_topic_come_to_lie_together(text: Path, kind: Kind) -> None:
    if kind is not Kind.COUNTS:
        pytest.importorskip("gensim", reason="the extra vectors is not installed")
    training = Training(kind, dim=4, window=3, epochs=40, skipgram=True)
    found = train([text], training)
    assert sorted(found.words) == sorted(word for topic in TOPICS for word in topic)
    assert found.tokens == 3200
    rows = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)
    place = {word: number for number, word in enumerate(found.words)}
    close = rows[place["cat"]] @ rows[place["dog"]]
    far = rows[place["cat"]] @ rows[place["car"]]
    assert close > far + 0.3
    again = train([text], training)
    assert again.words == found.words
    assert (again.vectors == found.vectors).all()


@pytest.mark.parametrize("suffix", [".vec", ".bin", ".npz"])
def test_what_is_written_is_read_back(text: Path, tmp_path: Path, suffix: str) -> None:
    found = train([text], Training(Kind.COUNTS, dim=3))
    path = tmp_path / f"made{suffix}"
    listed = tmp_path / "words.txt"
    listed.write_text("cat\ncar\nzebra\n")
    assert write(found, path, listed) == 2
    back = load(path, ["cat", "car", "dog"])
    assert sorted(back.rows) == ["car", "cat"]
    assert back["cat"] == pytest.approx(found.vectors[found.words.index("cat")], abs=1e-5)
    assert list(tmp_path.glob(".*")) == []


def test_a_text_that_cannot_be_trained_on_is_refused(tmp_path: Path, text: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("--\n")
    with pytest.raises(EvidenceError, match="the text has no words"):
        train([empty], Training(Kind.COUNTS))
    with pytest.raises(EvidenceError, match="8 words stand 5 times in the text; 50 numbers need more"):
        train([text], Training(Kind.COUNTS, dim=50))
    with pytest.raises(InputError, match=r"expected a name that ends in \.vec, \.bin, \.npz"):
        check(tmp_path / "made.txt")
    with pytest.raises(InputError, match="dim 0: expected at least 1"):
        Training(dim=0)


def test_the_command_trains_and_says_how(text: Path, tmp_path: Path, epicene: Command) -> None:
    done = epicene("lab", "vectors", text, "-o", tmp_path / "v.npz", "--kind", "counts", "--dim", "3")
    assert done.returncode == 0, done.stderr
    assert "8 of 8 words from 3,200, counts|ppmi-svd|dim:3|window:5|min:5|case:kept|seed:1" in done.stdout
