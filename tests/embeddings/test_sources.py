"""Vectors as they are downloaded and as they are held in memory: archives, arrays, gensim's and spaCy's objects."""

from __future__ import annotations

import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import epicene
from epicene.embeddings.vectors import load
from epicene.embeddings.wordlists import shipped
from epicene.errors import InputError
from tests.embeddings.conftest import header, lines

TABLE = {"he": [1.0, 0.5], "she": [-1.0, 0.5], "math": [0.25, 2.0]}
WORDS = list(dict.fromkeys(shipped()["weat7"].words))


class Vocab:
    """As spaCy's Vocab answers."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.table = table

    def has_vector(self, orth: str) -> bool:
        return orth in self.table

    def get_vector(self, orth: str) -> Any:
        return np.asarray(self.table[orth], dtype=np.float32)


class Pipeline:
    """As spaCy's Language has a vocabulary."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab


def drawn() -> dict[str, Any]:
    chance = np.random.default_rng(1)
    return {word: chance.normal(size=10).astype(np.float32) for word in WORDS}


def test_weat_takes_a_dictionary_and_says_what_a_file_says(tmp_path: Path) -> None:
    table = drawn()
    path = tmp_path / "v.npz"
    np.savez(path, words=np.array(list(table)), vectors=np.array(list(table.values())))
    (held,), (read,) = epicene.weat(table, "weat7"), epicene.weat(path, "weat7")
    assert held.embedding == "in memory"
    assert held.signature == read.signature
    assert held["effect_size"].value == read["effect_size"].value


def test_weat_takes_gensims_and_spacys_objects() -> None:
    table = drawn()
    found = [epicene.weat(each, "weat7")["weat7"].signature for each in (table, Vocab(table), Pipeline(Vocab(table)))]
    gensim = pytest.importorskip("gensim.models", reason="the extra vectors is not installed")
    keyed = gensim.KeyedVectors(10)
    keyed.add_vectors(list(table), list(table.values()))
    found.append(epicene.weat(keyed, "weat7")["weat7"].signature)
    assert len(set(found)) == 1


def test_several_in_memory_are_told_apart() -> None:
    found = epicene.weat([drawn(), drawn()], "weat7")
    assert found.embeddings == ("in memory 1", "in memory 2")
    assert len(epicene.genderscore(drawn(), ["math", "art"], resamples=5).words) == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"he": [1.0, 2.0], "she": [1.0]}, r"'she' is of shape \(1,\); expected \(2,\)"),
        ({"he": "one", "she": [1.0]}, "'he' has str for a vector; expected numbers"),
        ({"he": [np.nan, 1.0]}, "holds NaN"),
        ([3], "an embedding of type int; expected a file, a dictionary"),
        ([], "no embedding was given"),
    ],
)
def test_what_is_no_vector_in_memory_is_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        epicene.genderscore(given, ["he", "she"])


def test_a_text_file_with_an_odd_first_word_is_text(tmp_path: Path) -> None:
    for odd in ("\x07", "a\x00b", "\x1f\x8b", "PK", "BZh9", "12 5"):
        table = {odd: [3.0, 4.0], **TABLE}
        path = tmp_path / "odd.vec"
        path.write_text(header(table) + lines(table), encoding="utf-8")
        assert load(path, ["she"])["she"].tolist() == TABLE["she"], odd


def test_an_archive_of_several_files_asks_which(tmp_path: Path) -> None:
    path = tmp_path / "glove.6B.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for width in (50, 100):
            archive.writestr(f"glove.6B.{width}d.txt", lines({"he": [float(width)]}))
    with pytest.raises(InputError, match=r"it holds glove.6B.50d.txt, glove.6B.100d.txt; name one, as in .*zip:glove"):
        load(path, ["he"])
    assert load(f"{path}:glove.6B.100d.txt", ["he"])["he"].tolist() == [100.0]
    with pytest.raises(InputError, match=r"it has no 'other\.txt'"):
        load(f"{path}:other.txt", ["he"])


def test_of_a_model_and_its_text_the_text_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wiki.de.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("wiki.de.bin", b"\x00")
        archive.writestr("wiki.de.vec", lines(TABLE))
    assert load(path, ["he"])["he"].tolist() == TABLE["he"]


def test_an_archive_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("v.txt", lines(TABLE))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="cut short or broken"):
        load(path, ["he"])


def test_words_kept_as_python_objects_are_not_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    np.savez(path, words=np.array(list(TABLE), dtype=object), vectors=np.array(list(TABLE.values())))
    with pytest.raises(InputError, match="holds Python objects, which are not unpickled"):
        load(path, ["he"])


def test_an_npz_of_another_shape_says_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    np.savez(path, a=np.ones((2, 2)), b=np.ones((2, 2)))
    with pytest.raises(InputError, match=r"it holds a float64 \[2, 2\], b float64 \[2, 2\]; expected words"):
        load(path, ["he"])
    np.savez(path, words=np.array(["he"]), vectors=np.ones((2, 2)))
    with pytest.raises(InputError, match="1 words for the 2 rows"):
        load(path, ["he"])


def test_tensors_are_refused_with_the_format_to_write_instead(tmp_path: Path) -> None:
    path = tmp_path / "v.safetensors"
    path.write_bytes(bytes(40))
    with pytest.raises(InputError, match=r"v\.safetensors: tensors without words; write .*numpy\.savez"):
        load(path, ["he"])


class Trap:
    """Makes a folder when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("trapped",)


def test_nothing_in_a_pickle_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "v.kv"
    path.write_bytes(pickle.dumps({"vectors": Trap()}))
    with pytest.raises(
        InputError, match=r"v\.kv: a pickle, as gensim's \.kv; write it as text: .*save_word2vec_format"
    ):
        load(path, ["he"])
    assert not (tmp_path / "trapped").exists()


def test_a_fasttext_model_is_refused_with_the_file_to_give_instead(tmp_path: Path) -> None:
    path = tmp_path / "cc.de.300.bin"
    path.write_bytes((793712314).to_bytes(4, "little") + bytes(100))
    with pytest.raises(InputError, match=r"a fastText model; give its \.vec file"):
        load(path, ["he"])
