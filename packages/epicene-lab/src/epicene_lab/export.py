"""Trained models for CTranslate2, in 8 bits: the engine that ships."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene_lab import arrays, store
from epicene_lab.int8 import unpacked


def export(folder: Path, to: Path, quantization: str = "int8") -> None:
    """Write a model folder as a CTranslate2 model with its SentencePiece model beside it."""
    import ctranslate2
    from ctranslate2.specs import TransformerSpec, common_spec

    shape = store.described(folder)["shape"]
    if shape.aan:
        raise InputError(f"{folder}: CTranslate2 knows no average attention; models with --aan stay in PyTorch")
    weights = unpacked(arrays.load(folder / store.WEIGHTS))
    spec = TransformerSpec.from_config(
        (shape.encoder, shape.decoder), shape.heads, pre_norm=True, activation=common_spec.Activation.RELU
    )
    _fill(spec, weights, shape)
    model = _processor(folder)
    vocabulary = [model.id_to_piece(number) for number in range(model.get_piece_size())]
    spec.register_source_vocabulary(vocabulary)
    spec.register_target_vocabulary(vocabulary)
    spec.config.add_source_eos = True
    spec.config.decoder_start_token = "<s>"  # noqa: S105 - a piece, not a secret
    spec.validate()
    spec.optimize(quantization=quantization)
    to.mkdir(parents=True, exist_ok=True)
    spec.save(str(to))
    shutil.copyfile(folder / store.PIECES, to / store.PIECES)
    ctranslate2.Translator(str(to))


def _processor(folder: Path) -> Any:
    from epicene_lab import pieces

    return pieces.processor(folder / store.PIECES)


def _fill(spec: Any, weights: dict[str, Any], shape: Any) -> None:
    from epicene_lab.model import sinusoids

    table = weights["vocabulary.weight"]
    positions = sinusoids(shape.positions, shape.dim).numpy()
    for side in (spec.encoder, spec.decoder):
        embeddings = side.embeddings[0] if isinstance(side.embeddings, list) else side.embeddings
        embeddings.weight = table
        side.position_encodings.encodings = positions
        side.scale_embeddings = True
    spec.decoder.projection.weight = table
    norm(spec.encoder.layer_norm, weights, "encoder_norm")
    norm(spec.decoder.layer_norm, weights, "decoder_norm")
    fill_layers(spec, weights)


def fill_layers(spec: Any, weights: dict[str, Any]) -> None:
    """The layers of both sides, which models for text and for speech have alike."""
    for number, layer in enumerate(spec.encoder.layer):
        name = f"encoder.{number}"
        norm(layer.self_attention.layer_norm, weights, f"{name}.attention_norm")
        layer.self_attention.linear[0].weight = weights[f"{name}.attention.qkv.weight"]
        layer.self_attention.linear[1].weight = weights[f"{name}.attention.out.weight"]
        _feed_forward(layer.ffn, weights, name)
    for number, layer in enumerate(spec.decoder.layer):
        name = f"decoder.{number}"
        norm(layer.self_attention.layer_norm, weights, f"{name}.history_norm")
        layer.self_attention.linear[0].weight = weights[f"{name}.history.qkv.weight"]
        layer.self_attention.linear[1].weight = weights[f"{name}.history.out.weight"]
        norm(layer.attention.layer_norm, weights, f"{name}.source_norm")
        for place, part in enumerate(("q", "kv", "out")):
            layer.attention.linear[place].weight = weights[f"{name}.source.{part}.weight"]
        _feed_forward(layer.ffn, weights, name)


def _feed_forward(spec: Any, weights: dict[str, Any], name: str) -> None:
    norm(spec.layer_norm, weights, f"{name}.ffn_norm")
    spec.linear_0.weight = weights[f"{name}.ffn.up.weight"]
    spec.linear_1.weight = weights[f"{name}.ffn.down.weight"]


def norm(spec: Any, weights: dict[str, Any], name: str) -> None:
    """The two vectors of a layer norm."""
    spec.gamma, spec.beta = weights[f"{name}.weight"], weights[f"{name}.bias"]
