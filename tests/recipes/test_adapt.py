"""A prepared adaptation is trained elsewhere, comes back in 8 bits, and the same command goes on with it."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene_lab import adapt, arrays, augment, pieces, store
from epicene_lab.adaptation import Adaptation, Mixture, Order
from epicene_lab.model import Transformer
from epicene_lab.origin import BINARY
from epicene_lab.recipe import Shape, Training
from epicene_lab.recipes.adapt import main

pytestmark = pytest.mark.torch


def test_what_was_trained_elsewhere_is_exported_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shape = Shape(encoder=1, decoder=1, dim=32, heads=2, ffn=48, vocabulary=400, positions=128)
    model, here, back = tmp_path / "model", tmp_path / "here", tmp_path / "back"
    store.describe(model, shape, {})
    arrays.save(
        model / store.WEIGHTS, {name: part.detach().numpy() for name, part in Transformer(shape).named_parameters()}
    )
    lines = [f"{source} {target}" for source, target in augment.make_pairs("es")][:2000]
    pieces.learn(lines, 400, ["<2es>"], model / store.PIECES)
    training = Training(epochs=1, batch_tokens=256, warmup=2, longest=64)
    order = Order(Adaptation("balanced", Mixture(made=20), training), str(model), {"es": None}, here, device="cpu")
    adapt.prepare(order, print)
    assert main([str(here), "--device", "cpu", "--minutes", "0"]) == 0
    assert "not done" in capsys.readouterr().out
    assert main([str(here), "--device", "cpu", "--packed", str(back)]) == 0
    (here / adapt.MODEL).rename(tmp_path / "there")
    (back / here.name / adapt.MODEL).rename(here / adapt.MODEL)
    adapt.adapt(order, say=print)
    assert (here / BINARY).is_file()
    assert main([str(tmp_path / "nowhere")]) == 2
