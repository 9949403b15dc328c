"""CTranslate2 computes what the lab's own engine computes, from weights of floats and of 8 bits."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError
from epicene_lab import arrays, augment, pieces, store
from epicene_lab.export import export, pack, unpack
from epicene_lab.model import BEGIN, END, Transformer
from epicene_lab.recipe import Shape

pytestmark = pytest.mark.torch


def _folder(folder: Path, aan: bool) -> Transformer:
    torch.manual_seed(2)
    shape = Shape(encoder=2, decoder=1, aan=aan, dim=64, heads=4, ffn=96, vocabulary=300)
    model = Transformer(shape).eval()
    store.describe(folder, shape, {})
    arrays.save(folder / store.WEIGHTS, {name: part.detach().numpy() for name, part in model.named_parameters()})
    lines = [f"{source} {target}" for source, target in augment.make_pairs("es")][:3000]
    pieces.learn(lines, 300, [], folder / store.PIECES)
    return model


def _rounded(model: Transformer) -> Transformer:
    """The model with the weights that 8 bits leave of it."""
    weights = {name: part.detach().numpy() for name, part in model.named_parameters()}
    for name, value in unpack(pack(weights)).items():
        model.get_parameter(name).data = torch.from_numpy(value)
    return model


@pytest.mark.parametrize("quantization", [None, "int8"])
def test_exported_models_score_alike(tmp_path: Path, quantization: str) -> None:
    """In float32 from either weights: products of 8 bits are rounded otherwise on every instruction set."""
    import ctranslate2

    model = _folder(tmp_path / "model", aan=False)
    export(tmp_path / "model", tmp_path / "ct2", quantization)
    model = _rounded(model) if quantization else model
    tool = pieces.open_processor(tmp_path / "model" / store.PIECES)
    source, target = "The nurse lost her keys.", "La enfermera perdió sus llaves."
    translator = ctranslate2.Translator(str(tmp_path / "ct2"), compute_type="float32")
    (found,) = translator.score_batch([tool.encode(source, out_type=str)], [tool.encode(target, out_type=str)])
    said = torch.tensor([[BEGIN, *tool.encode(target), END]])
    with torch.inference_mode():
        logits = model(torch.tensor([[*tool.encode(source), END]]), said[:, :-1])
    ours = torch.log_softmax(logits, -1)[0].gather(1, said[0, 1:, None]).squeeze(1)
    torch.testing.assert_close(torch.tensor(found.log_probs), ours, atol=1e-3, rtol=0)


def test_average_attention_stays_in_pytorch(tmp_path: Path) -> None:
    _folder(tmp_path / "model", aan=True)
    with pytest.raises(InputError, match="knows no average attention"):
        export(tmp_path / "model", tmp_path / "ct2")
