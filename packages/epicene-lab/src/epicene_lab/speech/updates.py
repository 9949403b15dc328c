"""One update: sound made faster or slower and masked, a loss in several languages at once, AdamW."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from epicene.speech.features import BANDS, CENTRE, STEPS
from epicene_lab.model import PAD
from epicene_lab.speech.model import SpeechModel, heard_positions
from epicene_lab.speech.recipe import LANGUAGES, SpeechTraining
from epicene_lab.speech.shards import Batch, Recordings, join
from epicene_lab.speech.targets import Pieces, Targets
from epicene_lab.updates import Learner

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


class Sound:
    """Recordings on the device, as bytes; a batch of them is what the model hears."""

    def __init__(self, recordings: Recordings, device: torch.device) -> None:
        self.recordings = recordings.bare()  # which they are; their features lie on the device
        self.device = device
        self._features = torch.from_numpy(recordings.features).to(device)
        self._frames = len(recordings.features)

    def add(self, recordings: Recordings) -> None:
        """More recordings, for which room is made ahead, so that most of them move nothing that is there."""
        end = self._frames + len(recordings.features)
        if end > len(self._features):
            room = torch.empty((2 * end, BANDS), dtype=torch.uint8, device=self.device)
            room[: self._frames] = self._features[: self._frames]
            self._features = room
        self._features[self._frames : end] = torch.from_numpy(recordings.features).to(self.device)
        self.recordings = join([self.recordings, replace(recordings.bare(), starts=recordings.starts + self._frames)])
        self._frames = end

    def batch(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features (recordings × bands × frames), each at its speed, zero behind its end; and how many frames."""
        picked = np.stack((self.recordings.starts[batch.rows], self.recordings.frames[batch.rows], batch.frames))
        start, there, frames = move_to(picked, self.device)[:, :, None]
        ratio = move_to(batch.ratio, self.device)[:, None]
        places = torch.arange(batch.width, device=self.device)
        times = places * ratio
        before = times.long().minimum(there - 1)
        share = (times - before).clamp_(0, 1)[:, :, None]
        low, high = (self._features[start + at].float() for at in (before, (before + 1).minimum(there - 1)))
        heard = (low + (high - low) * share - CENTRE) / STEPS
        heard = heard.masked_fill_((places >= frames)[:, :, None], 0.0)
        return heard.transpose(1, 2), frames[:, 0]


def mask(heard: Tensor, frames: Tensor, training: SpeechTraining) -> Tensor:
    """SpecAugment: some stretches of time and some bands of each recording are set to their mean, which is 0."""
    rows, bands, width = heard.shape
    hidden = torch.zeros(rows, 1, width, dtype=torch.bool, device=heard.device)
    places = torch.arange(width, device=heard.device)
    for _ in range(training.time_masks):
        size, start = torch.rand(2, rows, 1, device=heard.device)
        size = size * training.time_mask * frames[:, None]
        start = start * (frames[:, None] - size)
        hidden |= ((places >= start) & (places < start + size))[:, None]
    silent = torch.zeros(rows, bands, 1, dtype=torch.bool, device=heard.device)
    places = torch.arange(bands, device=heard.device)
    for _ in range(training.band_masks):
        size, start = torch.rand(2, rows, 1, device=heard.device)
        size = size * training.band_mask
        start = start * (BANDS - size)
        silent |= ((places >= start) & (places < start + size))[:, :, None]
    return heard.masked_fill(hidden | silent, 0.0)


class SpeechUpdater(Learner):
    """Takes batches of recordings and changes the weights; its losses are those of writing and of spelling."""

    def __init__(
        self, model: SpeechModel, targets: Targets, pieces: Pieces, training: SpeechTraining, device: torch.device
    ) -> None:
        super().__init__(model, device, training.decay, training.clip, losses=2)
        self.model, self.training = model, training
        self._targets = torch.from_numpy(targets.pieces).to(device)
        self._lengths = targets.lengths
        self._prompts = torch.tensor([pieces.prompt(code) for code in LANGUAGES], device=device)

    def __call__(self, sound: Sound, batch: Batch, languages: Array, rate: float) -> None:
        """One update."""
        self.set_rate(rate)
        heard, frames = sound.batch(batch)
        writing, spelling = self.losses(mask(heard, frames, self.training), batch, frames, sound, languages)
        self.descend(writing + self.training.ctc * spelling, torch.stack((writing.detach(), spelling.detach())))

    def losses(
        self, heard: Tensor, batch: Batch, frames: Tensor, sound: Sound, languages: Array
    ) -> tuple[Tensor, Tensor]:
        """What a piece costs, in bits of nature, written by the decoder and spelt by the encoder."""
        sentences = sound.recordings.sentence[batch.rows]
        said, wanted = self.said(sentences, languages)
        heard_targets = self.model.tell(heard.to(self.weights.working.dtype), frames, said)
        writing = F.cross_entropy(
            heard_targets.logits.float().flatten(0, 2),
            wanted.flatten(),
            ignore_index=PAD,
            label_smoothing=self.training.smoothing,
            reduction="sum",
        ) / (wanted != PAD).sum().clamp(min=1)
        return writing, self._spelling(heard_targets.spelt, sentences, batch)

    def said(self, sentences: Array, languages: Array) -> tuple[Tensor, Tensor]:
        """What the decoder is given, prompt first, and what it is to write after the prompt: PAD where nothing."""
        lengths = np.where(languages >= 0, self._lengths[languages, sentences[:, None]], 0)
        longest = max(1, int(lengths.max()))
        asked = move_to(np.maximum(languages, 0), self.device)
        wanted = self._targets[asked, move_to(sentences, self.device)[:, None], :longest].long()
        wanted = wanted.masked_fill((move_to(lengths, self.device) == 0)[:, :, None], PAD)
        return torch.cat((self._prompts[asked], wanted[:, :, :-1]), 2), wanted

    def _spelling(self, spelt: Tensor, sentences: Array, batch: Batch) -> Tensor:
        """Connectionist temporal classification of what was said; its blank is PAD."""
        if not self.training.ctc:
            return spelt.float().sum() * 0
        lengths = np.maximum(self._lengths[0, sentences] - 1, 0)  # without the end
        wanted = self._targets[0, move_to(sentences, self.device), : max(1, int(lengths.max()))].long()
        scores = torch.log_softmax(spelt.float(), -1).transpose(0, 1)
        places = heard_positions(torch.from_numpy(batch.frames))
        total = F.ctc_loss(
            scores, wanted, places, torch.from_numpy(lengths), blank=PAD, reduction="sum", zero_infinity=True
        )
        return total / max(1, int(lengths.sum()))


def move_to(values: Array, device: torch.device) -> Tensor:
    """An array on a device, from pinned memory, so that the copy does not wait for the device."""
    tensor = torch.from_numpy(np.ascontiguousarray(values))
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor
