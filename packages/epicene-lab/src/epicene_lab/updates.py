"""One update of the weights: loss, gradients, AdamW; recorded once per shape where a GPU can replay it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from epicene_lab.batches import Batch, Bucket
from epicene_lab.model import PAD, Transformer
from epicene_lab.recipe import Training

if TYPE_CHECKING:
    from epicene_lab.arrays import Arrays


class Weights:
    """All parameters end to end: a float32 master that learns and, on a GPU, a bfloat16 copy that computes."""

    def __init__(self, model: nn.Module, device: torch.device) -> None:
        self.names = [name for name, _ in model.named_parameters()]
        self.parts = list(model.parameters())
        self.master = torch.cat([part.detach().float().flatten() for part in self.parts]).to(device)
        self.gradient = torch.zeros_like(self.master)
        half = device.type == "cuda"
        self.working = self.master.to(torch.bfloat16) if half else self.master
        model.to(device)
        if half:
            model.positions = model.positions.to(torch.bfloat16)
        self._gradients = []
        start = 0
        for part in self.parts:
            end = start + part.numel()
            part.data = self.working[start:end].view(part.shape)
            self._gradients.append(self.gradient[start:end].view(part.shape))
            start = end

    def backward(self, loss: Tensor) -> None:
        """Gradients of a loss, in float32."""
        torch._foreach_copy_(self._gradients, list(torch.autograd.grad(loss, self.parts)))

    def publish(self) -> None:
        """Let the model compute with what was learnt."""
        if self.working is not self.master:
            self.working.copy_(self.master)

    def arrays(self) -> Arrays:
        """The master by parameter name."""
        flat = self.master.cpu().numpy()
        ends = np.cumsum([part.numel() for part in self.parts])
        pieces = np.split(flat, ends[:-1])
        return {
            name: piece.reshape(part.shape) for name, piece, part in zip(self.names, pieces, self.parts, strict=True)
        }


def adamw(weights: Weights, rate: Tensor | float, decay: float) -> torch.optim.AdamW:
    """What moves the master of weights; a rate that is a tensor can be changed in a recorded update."""
    master = weights.master
    master.grad = weights.gradient
    found = torch.optim.AdamW(
        [master],
        lr=rate,
        betas=(0.9, 0.98),
        weight_decay=decay,
        fused=True,
        capturable=master.device.type == "cuda",
    )
    found.state[master] = {
        "step": torch.zeros((), device=master.device),
        "exp_avg": torch.zeros_like(master),
        "exp_avg_sq": torch.zeros_like(master),
    }
    return found


def descend(weights: Weights, optimizer: torch.optim.AdamW, clip: float) -> None:
    """A step along the gradient, which is clipped."""
    norm = torch.linalg.vector_norm(weights.gradient)
    weights.gradient.mul_((clip / (norm + 1e-6)).clamp(max=1.0))
    optimizer.step()
    weights.publish()


class Updater:
    """Takes batches and changes the weights."""

    def __init__(self, model: Transformer, decks: list[Bucket], training: Training, device: torch.device) -> None:
        self.model = model.train()
        self.weights = Weights(model, device)
        self.training = training
        self.device = device
        self.loss = torch.zeros((), device=device)  # summed since it was last read
        self._decks = [(_on(deck.source, device), _on(deck.target, device)) for deck in decks]
        self._rows = [deck.rows for deck in decks]
        gpu = device.type == "cuda"
        if gpu:  # its plans are made per shape, which costs more than such short sentences win
            torch.backends.cuda.enable_cudnn_sdp(False)
        self._rate = torch.zeros((), device=device) if gpu else 0.0
        self.optimizer = adamw(self.weights, self._rate, training.decay)
        self._replays: dict[int, Callable[[Tensor, Tensor], None]] = {}
        self._pool: Any = None

    def __call__(self, batch: Batch, rate: float, seed: int) -> None:
        """One update; all that is random in it follows from the seed."""
        torch.manual_seed(seed)
        if isinstance(self._rate, Tensor):
            self._rate.fill_(rate)
        else:
            self.optimizer.param_groups[0]["lr"] = rate
        sources, targets = self._decks[batch.bucket]
        rows = torch.from_numpy(batch.pairs)
        if self.device.type == "cuda":  # from pinned memory, so that the copy does not wait for the device
            rows = rows.pin_memory().to(self.device, non_blocking=True)
        source, target = sources[batch.source].index_select(0, rows), targets[batch.target].index_select(0, rows)
        self._replays.get(batch.bucket, self._update)(source, target)

    def record(self) -> None:
        """Record the update once per shape, to be replayed without the cost of launching each kernel."""
        if self.device.type != "cuda":
            return
        try:
            for number, (sources, targets) in enumerate(self._decks):
                rows = self._rows[number]
                self._replays[number] = self._recorded(sources[0][:rows], targets[0][:rows])
        except RuntimeError as error:
            self._replays.clear()
            print(f"no CUDA graphs, so training is slower: {str(error).splitlines()[0]}", file=sys.stderr)
        self.loss.zero_()

    def _recorded(self, source: Tensor, target: Tensor) -> Callable[[Tensor, Tensor], None]:
        source, target = source.clone(), target.clone()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self.weights.backward(self._loss(source, target))
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool):
            self._update(source, target)
        self._pool = graph.pool()

        def replay(new_source: Tensor, new_target: Tensor) -> None:
            source.copy_(new_source)
            target.copy_(new_target)
            graph.replay()

        return replay

    def _update(self, source: Tensor, target: Tensor) -> None:
        loss = self._loss(source, target)
        self.weights.backward(loss)
        self.loss += loss.detach()
        descend(self.weights, self.optimizer, self.training.clip)

    def _loss(self, source: Tensor, target: Tensor) -> Tensor:
        logits = self.model(source, target[:, :-1])
        wanted = target[:, 1:].reshape(-1).long()
        total = F.cross_entropy(
            logits.float().flatten(0, 1),
            wanted,
            ignore_index=PAD,
            label_smoothing=self.training.smoothing,
            reduction="sum",
        )
        return total / (wanted != PAD).sum()


def _on(pieces: Any, device: torch.device) -> Tensor:
    return torch.from_numpy(pieces.astype(np.int32)).to(device)
