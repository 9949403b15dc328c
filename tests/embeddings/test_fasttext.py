"""fastText's own models are read through its own library."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.embeddings.vectors import load
from epicene.errors import InputError

fasttext = pytest.importorskip("fasttext", reason="the extra fasttext is not installed")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fasttext")
    (folder / "text").write_text("he is a man\nshe is a woman\n" * 200)
    path = folder / "tiny.bin"
    fasttext.train_unsupervised(str(folder / "text"), dim=8, minCount=1, epoch=1, thread=1).save_model(str(path))
    return path


def test_words_of_the_vocabulary_are_read_and_others_are_not_made_up(model: Path) -> None:
    found = load(model, ["he", "woman", "women"])
    assert set(found.rows) == {"he", "woman"}
    assert found["he"].tolist() == [float(value) for value in fasttext.load_model(str(model)).get_word_vector("he")]


def test_a_model_cut_short_is_refused(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.bin"
    path.write_bytes(model.read_bytes()[:40])
    with pytest.raises(InputError, match=r"cut\.bin"):
        load(path, ["he"])
