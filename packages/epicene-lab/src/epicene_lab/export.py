"""Trained models for CTranslate2, in 8 bits: the engine that ships."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from epicene.errors import InputError
from epicene_lab import arrays, pieces, store
from epicene_lab.model import Transformer, Vocabulary


def quantise(weight: Tensor) -> tuple[Tensor, Tensor]:
    """A matrix as bytes and a scale per row; bytes times scale give the same bytes again."""
    scale = weight.float().abs().amax(-1, keepdim=True).clamp(min=1e-12) / 127
    return (weight / scale).round().to(torch.int8), scale


class Int8Linear(nn.Module):
    """A matrix of bytes."""

    weight: Tensor
    scale: Tensor

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        bytes_, scale = quantise(weight.detach())
        self.register_buffer("weight", bytes_)
        self.register_buffer("scale", scale.squeeze(-1))

    def forward(self, x: Tensor) -> Tensor:
        """The product, computed in whole numbers."""
        scale = x.abs().amax(-1, keepdim=True).clamp_(min=1e-12).div_(127)
        steps = x.div(scale).round_()
        if x.device.type == "cpu":
            flat = steps.to(torch.int8).view(-1, x.shape[-1])
            product = torch._int_mm(flat, self.weight.t()).view(*x.shape[:-1], -1).float()
        else:
            product = F.linear(steps, self.weight.float())
        return product.mul_(scale).mul_(self.scale)


class Int8Vocabulary(Vocabulary):
    """Piece vectors of bytes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        nn.Module.__init__(self)
        self.scale = vocabulary.scale
        self.matrix = Int8Linear(vocabulary.weight)

    def look(self, pieces: Tensor) -> Tensor:
        """Vectors of pieces."""
        return self.matrix.weight[pieces].float() * (self.matrix.scale[pieces] * self.scale)[..., None]

    def score(self, x: Tensor) -> Tensor:
        """Logits over all pieces."""
        logits: Tensor = self.matrix(x)
        return logits


def copy_quantised(model: Transformer) -> Transformer:
    """A copy of the model whose matrices are bytes."""
    model = copy.deepcopy(model)
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                setattr(module, name, Int8Linear(child.weight))
    model.vocabulary = Int8Vocabulary(model.vocabulary)
    return model


def pack(arrays: dict[str, Any]) -> dict[str, Any]:
    """Weights by name with each matrix as bytes and scales: a quarter of the size."""
    packed: dict[str, Any] = {}
    for name, value in arrays.items():
        if value.ndim == 2:
            bytes_, scale = quantise(torch.from_numpy(np.ascontiguousarray(value)))
            packed[name], packed[f"{name}.scale"] = bytes_.numpy(), scale.numpy()
        else:
            packed[name] = value
    return packed


def unpack(arrays: dict[str, Any]) -> dict[str, Any]:
    """The float32 weights of packed or plain ones."""
    return {
        name: value.astype(np.float32) * arrays.get(f"{name}.scale", np.float32(1))
        for name, value in arrays.items()
        if not name.endswith(".scale")
    }


def export(folder: Path, to: Path, quantization: str = "int8") -> None:
    """Write a model folder as a CTranslate2 model with its SentencePiece model beside it."""
    import ctranslate2
    from ctranslate2.specs import TransformerSpec, common_spec

    shape = store.read_record(folder)["shape"]
    if shape.aan:
        raise InputError(f"{folder}: CTranslate2 knows no average attention; models with --aan stay in PyTorch")
    weights = unpack(arrays.load(folder / store.WEIGHTS))
    spec = TransformerSpec.from_config(
        (shape.encoder, shape.decoder), shape.heads, pre_norm=True, activation=common_spec.Activation.RELU
    )
    _fill(spec, weights, shape)
    model = pieces.open_processor(folder / store.PIECES)
    vocabulary = [model.id_to_piece(number) for number in range(model.get_piece_size())]
    spec.register_source_vocabulary(vocabulary)
    spec.register_target_vocabulary(vocabulary)
    spec.config.add_source_eos = True
    spec.config.decoder_start_token = "<s>"  # noqa: S105 - a piece, not a secret
    save(spec, folder, to, quantization)
    ctranslate2.Translator(str(to))


def save(spec: Any, folder: Path, to: Path, quantization: str) -> None:
    """Write a model for CTranslate2, with the SentencePiece model of the folder that it is of."""
    spec.validate()
    spec.optimize(quantization=quantization)
    to.mkdir(parents=True, exist_ok=True)
    spec.save(str(to))
    shutil.copyfile(folder / store.PIECES, to / store.PIECES)


def _fill(spec: Any, weights: dict[str, Any], shape: Any) -> None:
    from epicene_lab.model import make_sinusoids

    table = weights["vocabulary.weight"]
    positions = make_sinusoids(shape.positions, shape.dim).numpy()
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
