"""A pre-norm Transformer, small enough to be trained in minutes and read in one sitting."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

if TYPE_CHECKING:
    from epicene_lab.recipe import Shape
    from epicene_lab.speech.recipe import SpeechShape

Cache = tuple[Tensor, ...]


def make_linear(inputs: int, outputs: int) -> nn.Linear:
    """A matrix without bias: the layer norms around it have one."""
    layer = nn.Linear(inputs, outputs, bias=False)
    nn.init.xavier_uniform_(layer.weight)
    return layer


class SelfAttention(nn.Module):
    """Multi-head attention of a sequence to itself."""

    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = make_linear(dim, 3 * dim)
        self.out = make_linear(dim, dim)

    def forward(self, x: Tensor, bias: Tensor | None = None, causal: bool = False) -> Tensor:
        """All positions at once; ``bias`` hides padding, ``causal`` the future."""
        q, k, v = (_split(part, self.heads) for part in self.qkv(x).chunk(3, dim=-1))
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, is_causal=causal)
        return self.out(_join(attended))

    def start(self, x: Tensor) -> Cache:
        """Nothing seen yet, for rows like those of ``x``."""
        empty = x.new_zeros(x.shape[0] * x.shape[1], self.heads, 0, x.shape[2] // self.heads)
        return empty, empty

    def step(self, x: Tensor, cache: Cache, place: int) -> tuple[Tensor, Cache]:  # noqa: ARG002
        """One more word of each row: ``x`` is sentences × beams × dim."""
        q, k, v = self.qkv(x).view(-1, 3, self.heads, 1, x.shape[2] // self.heads).unbind(1)
        keys, values = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
        attended = F.scaled_dot_product_attention(q, keys, values)
        return self.out(attended.reshape(x.shape)), (keys, values)


class CrossAttention(nn.Module):
    """Multi-head attention to the encoded source."""

    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q = make_linear(dim, dim)
        self.kv = make_linear(dim, 2 * dim)
        self.out = make_linear(dim, dim)

    def look(self, memory: Tensor) -> Cache:
        """Keys and values of the source, computed once a sentence."""
        k, v = (_split(part, self.heads) for part in self.kv(memory).chunk(2, dim=-1))
        return k, v

    def forward(self, x: Tensor, seen: Cache, bias: Tensor | None) -> Tensor:
        """Rows of ``x`` are positions in training and beams in decoding: neither sees the other here."""
        keys, values = seen
        attended = F.scaled_dot_product_attention(_split(self.q(x), self.heads), keys, values, attn_mask=bias)
        return self.out(_join(attended))


class AverageAttention(nn.Module):
    """The mean of all words so far, and a gate that mixes it with the present word.

    Zhang et al. (2018) have a feed-forward layer and two gates, which do more work than the attention they replace.
    Here one matrix gives one gate, and a step updates the mean, so that decoding is faster than with attention.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.gate = make_linear(2 * dim, dim)

    def forward(self, x: Tensor, bias: Tensor | None = None, causal: bool = True) -> Tensor:  # noqa: ARG002
        """All positions at once: each with the mean of the words up to it and no later one."""
        counts = torch.arange(1, x.shape[1] + 1, device=x.device)[:, None]
        return self._mix(x, (x.float().cumsum(1) / counts).to(x.dtype))

    def start(self, x: Tensor) -> Cache:
        """Nothing seen yet."""
        return (torch.zeros_like(x),)

    def step(self, x: Tensor, cache: Cache, place: int) -> tuple[Tensor, Cache]:
        """One more word of each row; the cache does not grow with the sentence."""
        average = torch.lerp(cache[0], x, 1 / (place + 1))
        return self._mix(x, average), (average,)

    def _mix(self, x: Tensor, average: Tensor) -> Tensor:
        return torch.lerp(average, x, torch.sigmoid(self.gate(torch.cat((x, average), -1))))


def _split(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def _join(x: Tensor) -> Tensor:
    return x.transpose(1, 2).flatten(2)


PAD, UNKNOWN, BEGIN, END = 0, 1, 2, 3
Activation = Callable[[Tensor], Tensor]


class FeedForward(nn.Module):
    """Two matrices with a rectifier between, or another activation."""

    def __init__(self, dim: int, hidden: int, activation: Activation = F.relu) -> None:
        super().__init__()
        self.up = make_linear(dim, hidden)
        self.down = make_linear(hidden, dim)
        self.activation = activation

    def forward(self, x: Tensor) -> Tensor:
        """Each position alone."""
        return self.down(self.activation(self.up(x)))


class Vocabulary(nn.Module):
    """The piece vectors: looked up on both sides and matched against at the output."""

    def __init__(self, size: int, dim: int) -> None:
        super().__init__()
        self.scale = math.sqrt(dim)
        self.weight = nn.Parameter(torch.randn(size, dim) / self.scale)

    def look(self, pieces: Tensor) -> Tensor:
        """Vectors of pieces."""
        return F.embedding(pieces, self.weight, padding_idx=PAD) * self.scale

    def score(self, x: Tensor) -> Tensor:
        """Logits over all pieces."""
        return F.linear(x, self.weight)


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward, each normed before and added after."""

    def __init__(self, shape: Shape | SpeechShape, dropout: float, activation: Activation = F.relu) -> None:
        super().__init__()
        self.dropout = dropout
        self.attention_norm = nn.LayerNorm(shape.dim)
        self.attention = SelfAttention(shape.dim, shape.heads)
        self.ffn_norm = nn.LayerNorm(shape.dim)
        self.ffn = FeedForward(shape.dim, shape.ffn, activation)

    def forward(self, x: Tensor, bias: Tensor | None) -> Tensor:
        """All positions at once."""
        x = x + F.dropout(self.attention(self.attention_norm(x), bias), self.dropout, self.training)
        return x + F.dropout(self.ffn(self.ffn_norm(x)), self.dropout, self.training)


class DecoderLayer(nn.Module):
    """Looks back, looks at the source, and feeds forward."""

    def __init__(self, shape: Shape | SpeechShape, dropout: float, activation: Activation = F.relu) -> None:
        super().__init__()
        self.dropout = dropout
        self.history_norm = nn.LayerNorm(shape.dim)
        self.history = AverageAttention(shape.dim) if shape.aan else SelfAttention(shape.dim, shape.heads)
        self.source_norm = nn.LayerNorm(shape.dim)
        self.source = CrossAttention(shape.dim, shape.heads)
        self.ffn_norm = nn.LayerNorm(shape.dim)
        self.ffn = FeedForward(shape.dim, shape.ffn, activation)

    def forward(self, x: Tensor, memory: Tensor, bias: Tensor | None) -> Tensor:
        """All positions at once, each blind to those after it."""
        return self.onward(self.looked_back(x), self.source.look(memory), bias)

    def looked_back(self, x: Tensor) -> Tensor:
        """Each position with what stands before it."""
        return x + F.dropout(self.history(self.history_norm(x), causal=True), self.dropout, self.training)

    def step(self, x: Tensor, cache: Cache, place: int, seen: Cache, bias: Tensor | None) -> tuple[Tensor, Cache]:
        """One more word, the one at ``place``."""
        attended, cache = self.history.step(self.history_norm(x), cache, place)
        return self.onward(x + attended, seen, bias), cache

    def onward(self, x: Tensor, seen: Cache, bias: Tensor | None) -> Tensor:
        """Each position with the source, which is seen from all of them alike."""
        x = x + F.dropout(self.source(self.source_norm(x), seen, bias), self.dropout, self.training)
        return x + F.dropout(self.ffn(self.ffn_norm(x)), self.dropout, self.training)


@dataclass(slots=True)
class State:
    """What decoding has to remember of each sentence and beam."""

    caches: list[Cache]  # one a layer: what was said so far
    seen: list[Cache]  # one a layer: the source
    bias: Tensor | None
    length: int = 0

    def follow(self, rows: Tensor) -> None:
        """Let each beam continue the row it came from."""
        self.caches = [tuple(_picked(part, rows) for part in cache) for cache in self.caches]


class Transformer(nn.Module):
    """The model: encode once, then score the next piece again and again."""

    positions: Tensor

    def __init__(self, shape: Shape | SpeechShape, dropout: float = 0.0, activation: Activation = F.relu) -> None:
        super().__init__()
        self.shape = shape
        self.dropout = dropout
        self.vocabulary = Vocabulary(shape.vocabulary, shape.dim)
        self.encoder = nn.ModuleList(EncoderLayer(shape, dropout, activation) for _ in range(shape.encoder))
        self.encoder_norm = nn.LayerNorm(shape.dim)
        self.decoder = nn.ModuleList(DecoderLayer(shape, dropout, activation) for _ in range(shape.decoder))
        self.decoder_norm = nn.LayerNorm(shape.dim)
        self.register_buffer("positions", make_sinusoids(shape.positions, shape.dim), persistent=False)

    def encode(self, source: Tensor, bias: Tensor | None) -> Tensor:
        """The source, read."""
        x = self._placed(source)
        for layer in self.encoder:
            x = layer(x, bias)
        return self.encoder_norm(x)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Logits of the piece after each piece of the target."""
        bias = make_padding_bias(source, self.positions.dtype)
        memory = self.encode(source, bias)
        x = self._placed(target)
        for layer in self.decoder:
            x = layer(x, memory, bias)
        return self.vocabulary.score(self.decoder_norm(x))

    def start(self, source: Tensor, beams: int) -> State:
        """The state before the first word."""
        bias = make_padding_bias(source, self.positions.dtype) if bool((source == PAD).any()) else None
        return self.begun(self.encode(source, bias), bias, beams)

    def begun(self, memory: Tensor, bias: Tensor | None, beams: int) -> State:
        """The state before the first word about a source that was read."""
        rows = memory.new_zeros(memory.shape[0], beams, self.shape.dim)
        caches = [layer.history.start(rows) for layer in self.decoder]
        return State(caches, [layer.source.look(memory) for layer in self.decoder], bias)

    def step(self, pieces: Tensor, state: State) -> Tensor:
        """Logits after one more piece per sentence and beam; the state moves on."""
        x = self.vocabulary.look(pieces) + self.places()[state.length]
        for number, layer in enumerate(self.decoder):
            x, state.caches[number] = layer.step(x, state.caches[number], state.length, state.seen[number], state.bias)
        state.length += 1
        return self.vocabulary.score(self.decoder_norm(x))

    def places(self) -> Tensor:
        """What is added to a piece for where it stands."""
        return self.positions

    def _placed(self, pieces: Tensor) -> Tensor:
        x = self.vocabulary.look(pieces) + self.places()[: pieces.shape[1]]
        return F.dropout(x, self.dropout, self.training)


def make_sinusoids(length: int, dim: int) -> Tensor:
    """Position vectors: sines in the first half, cosines in the second."""
    rates = torch.exp(torch.arange(dim // 2) * (-math.log(10000.0) / max(1, dim // 2 - 1)))
    angles = torch.arange(length)[:, None] * rates[None]
    return torch.cat((angles.sin(), angles.cos()), 1)


def make_padding_bias(source: Tensor, dtype: torch.dtype) -> Tensor:
    """What attention adds to hide padding."""
    return hiding(source == PAD, dtype)


def hiding(hidden: Tensor, dtype: torch.dtype) -> Tensor:
    """What attention adds to hide positions; its rows are aligned as the GPU's kernels want them."""
    rows, length = hidden.shape
    width = -(-length // 16) * 16
    bias = torch.zeros(rows, 1, 1, width, dtype=dtype, device=hidden.device)
    bias = bias[..., :length]
    return bias.masked_fill_(hidden[:, None, None], float("-inf"))


def _picked(part: Tensor, rows: Tensor) -> Tensor:
    if part.dim() == 3:  # sentences × beams × dim
        return part.flatten(0, 1).index_select(0, rows).view_as(part)
    return part.index_select(0, rows)
