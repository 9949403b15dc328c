"""A model can be trained further: from the lab's folder or read back from CTranslate2, with symbols it did not know."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError
from epicene_lab import arrays, augment, origin, pieces, store
from epicene_lab.export import export, pack, unpack
from epicene_lab.model import Transformer
from epicene_lab.origin import Origin
from epicene_lab.recipe import Shape

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder with random weights and a real vocabulary, and its export beside it."""
    folder = tmp_path_factory.mktemp("origin") / "model"
    torch.manual_seed(3)
    shape = Shape(encoder=2, decoder=1, dim=64, heads=4, ffn=96, vocabulary=300, positions=64)
    store.describe(folder, shape, {})
    weights = {name: part.detach().numpy() for name, part in Transformer(shape).named_parameters()}
    arrays.save(folder / store.WEIGHTS, weights)
    lines = [f"{source} {target}" for source, target in augment.make_pairs("es")][:2000]
    pieces.learn(lines, 300, ["<2es>"], folder / store.PIECES)
    export(folder, folder.with_name("ct2"))
    return folder


def test_weights_come_back_from_8_bits_as_they_were_rounded(trained: Path) -> None:
    found = origin.open_origin(trained.with_name("ct2"))
    plain = arrays.load(trained / store.WEIGHTS)
    assert found.shape == store.read_record(trained)["shape"]
    assert found.weights.keys() == plain.keys()
    for name, value in unpack(pack(plain)).items():
        np.testing.assert_allclose(found.weights[name], value, atol=1e-6, err_msg=name)


def test_a_folder_of_the_lab_is_opened_as_it_is(trained: Path) -> None:
    found = origin.open_origin(trained)
    assert np.array_equal(found.weights["vocabulary.weight"], arrays.load(trained / store.WEIGHTS)["vocabulary.weight"])


def test_a_symbol_is_one_piece_and_begins_as_the_words_it_is_to_mean(trained: Path) -> None:
    before = origin.open_origin(trained)
    model = pieces.load(before.pieces)
    word = next(model.id_to_piece(place)[1:] for place in range(40, 300) if model.id_to_piece(place)[0] == "▁")
    after = before.known({"<F>": (word, "notawordofthisvocabulary"), "<2es>": ()})
    tool = pieces.load(after.pieces)
    assert after.shape.vocabulary == tool.get_piece_size() == 301
    assert "<F>" in tool.encode(f"{word} <F>.", out_type=str)
    assert tool.encode("La enfermera", out_type=str) == model.encode("La enfermera", out_type=str)
    table = before.weights["vocabulary.weight"]
    assert np.array_equal(after.weights["vocabulary.weight"][:300], table)
    assert np.array_equal(after.weights["vocabulary.weight"][300], table[model.piece_to_id(f"▁{word}")])
    assert after.known({"<F>": ()}) is after


def test_an_extended_model_is_exported_with_its_symbols(trained: Path, tmp_path: Path) -> None:
    import ctranslate2

    wider = origin.open_origin(trained).known({"<F>": (), "<M>": ()})
    _kept(wider, tmp_path / "wider")
    export(tmp_path / "wider", tmp_path / "ct2")
    again = origin.open_origin(tmp_path / "ct2")
    assert again.shape.vocabulary == 302
    translator = ctranslate2.Translator(str(tmp_path / "ct2"), compute_type="float32")
    (known,) = translator.score_batch([["<F>"]], [["<M>"]])
    (unknown,) = translator.score_batch([["<X>"]], [["<M>"]])
    assert known.log_probs != unknown.log_probs


def _kept(model: Origin, folder: Path) -> None:
    store.describe(folder, model.shape, {})
    arrays.save(folder / store.WEIGHTS, model.weights)
    (folder / store.PIECES).write_bytes(model.pieces)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "cut short"),
        (b"\x63\0\0\0rest", "version 99"),
        (b"\x06\0\0\0\x02\0A\0\x07\0\0\0\0\0\0\0\0\0\0\0", "has no decoder/embeddings/weight"),
    ],
)
def test_what_the_lab_did_not_export_is_refused(tmp_path: Path, trained: Path, content: bytes, said: str) -> None:
    (tmp_path / store.PIECES).write_bytes((trained / store.PIECES).read_bytes())
    (tmp_path / origin.BINARY).write_bytes(content)
    with pytest.raises(InputError, match=said):
        origin.open_origin(tmp_path)


def test_a_cut_off_model_is_refused(tmp_path: Path, trained: Path) -> None:
    whole = (trained.with_name("ct2") / origin.BINARY).read_bytes()
    (tmp_path / store.PIECES).write_bytes(b"")
    (tmp_path / origin.BINARY).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="cut short"):
        origin.open_origin(tmp_path)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        origin.open_origin(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"sentencepiece\.model"):
        origin.open_origin(tmp_path)
