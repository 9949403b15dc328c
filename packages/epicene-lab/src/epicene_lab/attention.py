"""The decoder's two ways to look back, and the encoder's: attention, and average attention (Zhang et al. 2018).

Each has a parallel form over whole sentences, for training, and a step that takes one more word, for decoding.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Cache = tuple[Tensor, ...]


def linear(inputs: int, outputs: int) -> nn.Linear:
    """A matrix without bias: the layer norms around it have one."""
    layer = nn.Linear(inputs, outputs, bias=False)
    nn.init.xavier_uniform_(layer.weight)
    return layer


class SelfAttention(nn.Module):
    """Multi-head attention of a sequence to itself."""

    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = linear(dim, 3 * dim)
        self.out = linear(dim, dim)

    def forward(self, x: Tensor, bias: Tensor | None = None, causal: bool = False) -> Tensor:
        """All positions at once; ``bias`` hides padding, ``causal`` the future."""
        q, k, v = (_split(part, self.heads) for part in self.qkv(x).chunk(3, dim=-1))
        found = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, is_causal=causal)
        return self.out(_joined(found))

    def start(self, x: Tensor) -> Cache:
        """Nothing seen yet, for rows like those of ``x``."""
        empty = x.new_zeros(x.shape[0] * x.shape[1], self.heads, 0, x.shape[2] // self.heads)
        return empty, empty

    def step(self, x: Tensor, cache: Cache) -> tuple[Tensor, Cache]:
        """One more word of each row: ``x`` is sentences × beams × dim."""
        q, k, v = self.qkv(x).view(-1, 3, self.heads, 1, x.shape[2] // self.heads).unbind(1)
        keys, values = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
        found = F.scaled_dot_product_attention(q, keys, values)
        return self.out(found.reshape(x.shape)), (keys, values)


class CrossAttention(nn.Module):
    """Multi-head attention to the encoded source."""

    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q = linear(dim, dim)
        self.kv = linear(dim, 2 * dim)
        self.out = linear(dim, dim)

    def look(self, memory: Tensor) -> Cache:
        """Keys and values of the source, computed once a sentence."""
        k, v = (_split(part, self.heads) for part in self.kv(memory).chunk(2, dim=-1))
        return k, v

    def forward(self, x: Tensor, seen: Cache, bias: Tensor | None) -> Tensor:
        """Rows of ``x`` are positions in training and beams in decoding: neither sees the other here."""
        keys, values = seen
        found = F.scaled_dot_product_attention(_split(self.q(x), self.heads), keys, values, attn_mask=bias)
        return self.out(_joined(found))


class AverageAttention(nn.Module):
    """The mean of all words so far, a feed-forward layer, and a gate between it and the present word."""

    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        self.up = linear(dim, hidden)
        self.down = linear(hidden, dim)
        self.gate = linear(2 * dim, 2 * dim)

    def forward(self, x: Tensor, bias: Tensor | None = None, causal: bool = True) -> Tensor:  # noqa: ARG002
        """All positions at once: row j of the matrix averages the words up to j and no later one."""
        length = x.shape[1]
        counts = torch.arange(1, length + 1, device=x.device, dtype=torch.float32)
        weights = (torch.ones(length, length, device=x.device).tril() / counts[:, None]).to(x.dtype)
        return self._gated(x, weights @ x)

    def start(self, x: Tensor) -> Cache:
        """Nothing seen yet."""
        return torch.zeros_like(x), x.new_zeros(())

    def step(self, x: Tensor, cache: Cache) -> tuple[Tensor, Cache]:
        """One more word of each row; the cache does not grow with the sentence."""
        total, count = cache[0] + x, cache[1] + 1
        return self._gated(x, total / count), (total, count)

    def _gated(self, x: Tensor, average: Tensor) -> Tensor:
        g = self.down(F.relu(self.up(average)))
        keep, forget = torch.sigmoid(self.gate(torch.cat((x, g), -1))).chunk(2, dim=-1)
        return keep * x + forget * g


def _split(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def _joined(x: Tensor) -> Tensor:
    return x.transpose(1, 2).flatten(2)
