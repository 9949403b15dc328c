"""8-bit weights: each row of a matrix has its own scale, and so has each vector that meets it.

A vector's scale depends on nothing but the vector, so a sentence is translated alike in a batch and alone. The
products are whole numbers: integer kernels compute them on a CPU, and on a GPU float32 does, in which sums of up to
1,024 such products are exact as well, so that both machines give the same.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

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
        found: Tensor = self.matrix(x)
        return found


def quantised(model: Transformer) -> Transformer:
    """A copy of the model whose matrices are bytes."""
    model = copy.deepcopy(model)
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                setattr(module, name, Int8Linear(child.weight))
    model.vocabulary = Int8Vocabulary(model.vocabulary)
    return model


def packed(arrays: dict[str, Any]) -> dict[str, Any]:
    """Weights by name with each matrix as bytes and scales: a quarter of the size."""
    found: dict[str, Any] = {}
    for name, value in arrays.items():
        if value.ndim == 2:
            bytes_, scale = quantise(torch.from_numpy(np.ascontiguousarray(value)))
            found[name], found[f"{name}.scale"] = bytes_.numpy(), scale.numpy()
        else:
            found[name] = value
    return found


def unpacked(arrays: dict[str, Any]) -> dict[str, Any]:
    """The float32 weights of packed or plain ones."""
    return {
        name: value.astype(np.float32) * arrays.get(f"{name}.scale", np.float32(1))
        for name, value in arrays.items()
        if not name.endswith(".scale")
    }
