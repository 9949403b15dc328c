"""The model in Whisper's layout: two convolutions, a Transformer that reads sound, one that writes pieces."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from epicene.speech.features import BANDS
from epicene_lab.model import State, Transformer, hiding, make_linear
from epicene_lab.speech.recipe import SpeechShape
from epicene_lab.speech.targets import PROMPT


class Told(NamedTuple):
    """What a model makes of recordings whose targets are known."""

    logits: Tensor  # recordings × targets × pieces × vocabulary
    spelt: Tensor  # recordings × positions × vocabulary: the words as the encoder spells them


class SpeechModel(Transformer):
    """Hears features, 50 frames a second, and writes what was said, or its translation."""

    def __init__(self, shape: SpeechShape, dropout: float = 0.0) -> None:
        super().__init__(shape, dropout, F.gelu)
        self.first = nn.Conv1d(BANDS, shape.dim, 3, padding=1)
        self.second = nn.Conv1d(shape.dim, shape.dim, 3, stride=2, padding=1)
        self.learnt_places = nn.Parameter(0.02 * torch.randn(shape.length, shape.dim))
        self.ctc_layer = shape.ctc_layer
        self.ctc_norm = nn.LayerNorm(shape.dim)
        self.ctc = make_linear(shape.dim, shape.vocabulary)
        self.vocabulary.scale = 1.0  # as Whisper looks pieces up

    def places(self) -> Tensor:
        """What is added to a piece for where it stands, which is learnt."""
        return self.learnt_places

    def heard(self, features: Tensor, frames: Tensor | None) -> tuple[Tensor, Tensor | None, Tensor]:
        """The recordings as the encoder has them, what hides their padding, and the layer that spells.

        ``features`` is recordings × bands × frames; ``frames`` says how many of each are sound, None that all are.
        """
        x = F.gelu(self.first(features))
        if frames is not None:  # as if the recording ended there: beyond its end a convolution sees zeros
            x = x * (torch.arange(x.shape[2], device=x.device) < frames[:, None])[:, None]
        x = F.gelu(self.second(x)).transpose(1, 2)
        bias = None
        if frames is not None:
            hidden = torch.arange(x.shape[1], device=x.device) >= heard_positions(frames)[:, None]
            bias = hiding(hidden, x.dtype)
        x = F.dropout(x + self.positions[: x.shape[1]], self.dropout, self.training)
        spelling = x
        for number, layer in enumerate(self.encoder, 1):
            x = layer(x, bias)
            if number == self.ctc_layer:
                spelling = x
        return self.encoder_norm(x), bias, spelling

    def tell(self, features: Tensor, frames: Tensor, said: Tensor) -> Told:
        """Logits of the piece after each of ``said`` (recordings × targets × pieces), from the prompt's last on."""
        memory, bias, spelling = self.heard(features, frames)
        rows, targets, length = said.shape
        x = self._placed(said.flatten(0, 1))
        for layer in self.decoder:
            x = layer.looked_back(x).view(rows, targets * length, -1)
            # All targets of a recording look at it together, so that its keys are computed once.
            x = layer.onward(x, layer.source.look(memory), bias).view(rows * targets, length, -1)
        x = self.decoder_norm(x).view(rows, targets, length, -1)[:, :, PROMPT - 1 :]
        return Told(self.vocabulary.score(x), self.ctc(self.ctc_norm(spelling)))

    def listen(self, features: Tensor, frames: Tensor | None, prompts: Tensor, beams: int) -> tuple[State, Tensor]:
        """The state before the first piece, and the prompt's last one, once per beam."""
        memory, bias, _ = self.heard(features, frames)
        state = self.begun(memory, bias, beams)
        for place in range(prompts.shape[1] - 1):
            self.step(prompts[:, place, None].expand(-1, beams), state)
        return state, prompts[:, -1, None].expand(-1, beams)


def heard_positions(frames: Tensor) -> Tensor:
    """Positions of the encoder for so many frames."""
    return (frames + 1) // 2
