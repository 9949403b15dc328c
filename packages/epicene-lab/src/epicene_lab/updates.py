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

State = dict[str, Tensor]


def seed_update(seed: int, done: int) -> None:
    """Let all that is random in an update follow from the seed and how many were done."""
    torch.manual_seed(seed * 1_000_003 + done)


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


class Learner:
    """A model that learns: its weights, what moves them, its losses since they were last read, and their mean."""

    def __init__(self, model: nn.Module, device: torch.device, decay: float, clip: float, losses: int) -> None:
        self.device, self.clip = device, clip
        self.weights = Weights(model.train(), device)
        self.loss = torch.zeros(losses, device=device)  # summed since they were last read
        if device.type == "cuda":  # its plans are made per shape, which costs more than such short examples win
            torch.backends.cuda.enable_cudnn_sdp(False)
        self._rate = torch.zeros((), device=device) if device.type == "cuda" else 0.0
        self.optimizer = _open_optimizer(self.weights, self._rate, decay)
        self._mean: Tensor | None = None
        self._counted = torch.zeros((), device=device)

    def set_rate(self, rate: float) -> None:
        """The rate of the next update, also of a recorded one."""
        if isinstance(self._rate, Tensor):
            self._rate.fill_(rate)
        else:
            self.optimizer.param_groups[0]["lr"] = rate

    def descend(self, loss: Tensor, losses: Tensor) -> None:
        """A step along the gradient of a loss, which is clipped; ``losses`` are what it is made of."""
        self.weights.backward(loss)
        self.loss += losses
        norm = torch.linalg.vector_norm(self.weights.gradient)
        self.weights.gradient.mul_((self.clip / (norm + 1e-6)).clamp(max=1.0))
        self.optimizer.step()
        self.weights.publish()

    def average(self) -> None:
        """Take the weights into their mean."""
        if self._mean is None:
            self._mean = torch.zeros_like(self.weights.master)
        self._counted += 1
        self._mean += (self.weights.master - self._mean) / self._counted

    def _tensors(self) -> State:
        tensors = {"master": self.weights.master, "loss": self.loss, **self.optimizer.state[self.weights.master]}
        return tensors if self._mean is None else tensors | {"mean": self._mean, "counted": self._counted}

    def state(self) -> State:
        """All that a training resumes from."""
        return {name: value.detach().clone() for name, value in self._tensors().items()}

    def restore(self, state: State) -> None:
        """Resume from another state."""
        self._mean = torch.zeros_like(self.weights.master) if "mean" in state else None
        self._counted.zero_()
        for name, value in self._tensors().items():
            value.copy_(state[name])
        self.weights.publish()

    def finite(self) -> bool:
        """Whether losses and weights still are numbers."""
        return bool(torch.isfinite(self.loss).all() & torch.isfinite(self.weights.master).all())

    def result(self) -> Arrays:
        """The weights by name: their mean at the end, where one was taken."""
        if self._mean is not None:
            self.weights.master.copy_(self._mean)
        return self.weights.arrays()


def _open_optimizer(weights: Weights, rate: Tensor | float, decay: float) -> torch.optim.AdamW:
    """What moves the master of weights; a rate that is a tensor can be changed in a recorded update."""
    master = weights.master
    master.grad = weights.gradient
    optimizer = torch.optim.AdamW(
        [master],
        lr=rate,
        betas=(0.9, 0.98),
        weight_decay=decay,
        fused=True,
        capturable=master.device.type == "cuda",
    )
    optimizer.state[master] = {
        "step": torch.zeros((), device=master.device),
        "exp_avg": torch.zeros_like(master),
        "exp_avg_sq": torch.zeros_like(master),
    }
    return optimizer


class Updater(Learner):
    """Takes batches of text and changes the weights."""

    def __init__(self, model: Transformer, decks: list[Bucket], training: Training, device: torch.device) -> None:
        super().__init__(model, device, training.decay, training.clip, losses=1)
        self.model, self.training = model, training
        self._decks = [(_on(deck.source, device), _on(deck.target, device)) for deck in decks]
        self._rows = [deck.rows for deck in decks]
        self._replays: dict[int, Callable[[Tensor, Tensor], None]] = {}
        self._pool: Any = None

    def __call__(self, batch: Batch, rate: float) -> None:
        """One update."""
        self.set_rate(rate)
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
        self.descend(loss, loss.detach())

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
