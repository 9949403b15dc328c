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
from epicene_lab.speech.batches import Batch
from epicene_lab.speech.model import SpeechModel, heard_positions
from epicene_lab.speech.recipe import LANGUAGES, SpeechTraining
from epicene_lab.speech.shards import Recordings, joined
from epicene_lab.speech.targets import Targets
from epicene_lab.speech.vocabulary import Pieces
from epicene_lab.updates import Weights, adamw, descend

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

State = dict[str, Tensor]


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
        self.recordings = joined([self.recordings, replace(recordings.bare(), starts=recordings.starts + self._frames)])
        self._frames = end

    def batch(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features (recordings × bands × frames), each at its speed, zero behind its end; and how many frames."""
        picked = np.stack((self.recordings.starts[batch.rows], self.recordings.frames[batch.rows], batch.frames))
        start, there, frames = on(picked, self.device)[:, :, None]
        ratio = on(batch.ratio, self.device)[:, None]
        places = torch.arange(batch.width, device=self.device)
        times = places * ratio
        before = times.long().minimum(there - 1)
        share = (times - before).clamp_(0, 1)[:, :, None]
        low, high = (self._features[start + at].float() for at in (before, (before + 1).minimum(there - 1)))
        heard = (low + (high - low) * share - CENTRE) / STEPS
        heard = heard.masked_fill_((places >= frames)[:, :, None], 0.0)
        return heard.transpose(1, 2), frames[:, 0]


def masked(heard: Tensor, frames: Tensor, training: SpeechTraining) -> Tensor:
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


class SpeechUpdater:
    """Takes batches and changes the weights."""

    def __init__(
        self, model: SpeechModel, targets: Targets, pieces: Pieces, training: SpeechTraining, device: torch.device
    ) -> None:
        self.model = model.train()
        self.weights = Weights(model, device)
        self.training = training
        self.device = device
        if device.type == "cuda":  # its plans are made per shape, of which there are many
            torch.backends.cuda.enable_cudnn_sdp(False)
        self.loss = torch.zeros(2, device=device)  # of writing and of spelling, summed since they were last read
        self._rate = torch.zeros((), device=device) if device.type == "cuda" else 0.0
        self.optimizer = adamw(self.weights, self._rate, training.decay)
        self._targets = torch.from_numpy(targets.pieces).to(device)
        self._lengths = targets.lengths
        self._prompts = torch.tensor([pieces.prompt(code) for code in LANGUAGES], device=device)
        self.mean = torch.zeros_like(self.weights.master)  # of the weights at the end
        self.counted = torch.zeros((), device=device)

    def __call__(self, sound: Sound, batch: Batch, languages: Array, rate: float, seed: int) -> None:
        """One update; all that is random in it follows from the seed."""
        torch.manual_seed(seed)
        if isinstance(self._rate, Tensor):
            self._rate.fill_(rate)
        else:
            self.optimizer.param_groups[0]["lr"] = rate
        heard, frames = sound.batch(batch)
        writing, spelling = self.losses(masked(heard, frames, self.training), batch, frames, sound, languages)
        self.weights.backward(writing + self.training.ctc * spelling)
        self.loss += torch.stack((writing.detach(), spelling.detach()))
        descend(self.weights, self.optimizer, self.training.clip)

    def losses(
        self, heard: Tensor, batch: Batch, frames: Tensor, sound: Sound, languages: Array
    ) -> tuple[Tensor, Tensor]:
        """What a piece costs, in bits of nature, written by the decoder and spelt by the encoder."""
        sentences = sound.recordings.sentence[batch.rows]
        said, wanted = self.said(sentences, languages)
        told = self.model.tell(heard.to(self.weights.working.dtype), frames, said)
        writing = F.cross_entropy(
            told.logits.float().flatten(0, 2),
            wanted.flatten(),
            ignore_index=PAD,
            label_smoothing=self.training.smoothing,
            reduction="sum",
        ) / (wanted != PAD).sum().clamp(min=1)
        return writing, self._spelling(told.spelt, sentences, batch)

    def said(self, sentences: Array, languages: Array) -> tuple[Tensor, Tensor]:
        """What the decoder is given, prompt first, and what it is to write after the prompt: PAD where nothing."""
        lengths = np.where(languages >= 0, self._lengths[languages, sentences[:, None]], 0)
        longest = max(1, int(lengths.max()))
        asked = on(np.maximum(languages, 0), self.device)
        wanted = self._targets[asked, on(sentences, self.device)[:, None], :longest].long()
        wanted = wanted.masked_fill((on(lengths, self.device) == 0)[:, :, None], PAD)
        return torch.cat((self._prompts[asked], wanted[:, :, :-1]), 2), wanted

    def _spelling(self, spelt: Tensor, sentences: Array, batch: Batch) -> Tensor:
        """Connectionist temporal classification of what was said; its blank is PAD."""
        if not self.training.ctc:
            return spelt.float().sum() * 0
        lengths = np.maximum(self._lengths[0, sentences] - 1, 0)  # without the end
        wanted = self._targets[0, on(sentences, self.device), : max(1, int(lengths.max()))].long()
        scores = torch.log_softmax(spelt.float(), -1).transpose(0, 1)
        places = heard_positions(torch.from_numpy(batch.frames))
        total = F.ctc_loss(
            scores, wanted, places, torch.from_numpy(lengths), blank=PAD, reduction="sum", zero_infinity=True
        )
        return total / max(1, int(lengths.sum()))

    def average(self) -> None:
        """Take the weights into their mean."""
        self.counted += 1
        self.mean += (self.weights.master - self.mean) / self.counted

    def state(self) -> State:
        """All that a training goes on from."""
        moments = self.optimizer.state[self.weights.master]
        found = {"master": self.weights.master, "mean": self.mean, "counted": self.counted, "loss": self.loss}
        return {name: value.detach().clone() for name, value in (found | moments).items()}

    def restore(self, state: State) -> None:
        """Go on from another state."""
        moments = self.optimizer.state[self.weights.master]
        found = {"master": self.weights.master, "mean": self.mean, "counted": self.counted, "loss": self.loss}
        for name, value in (found | moments).items():
            value.copy_(state[name])
        self.weights.publish()

    def finite(self) -> bool:
        """Whether losses and weights still are numbers."""
        return bool(torch.isfinite(self.loss).all() & torch.isfinite(self.weights.master).all())

    def result(self) -> dict[str, Array]:
        """The weights by name: their mean at the end, where one was taken."""
        if float(self.counted):
            self.weights.master.copy_(self.mean)
        return self.weights.arrays()


def on(values: Array, device: torch.device) -> Tensor:
    """An array on a device, from pinned memory, so that the copy does not wait for the device."""
    found = torch.from_numpy(np.ascontiguousarray(values))
    return found.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else found
