"""Training from the first update to the last, killed and resumed as often as it may be."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from epicene.errors import InputError
from epicene_lab import arrays
from epicene_lab.batches import Bucket, per_epoch, plan
from epicene_lab.model import Transformer
from epicene_lab.recipe import Shape, Training
from epicene_lab.updates import Updater

Progress = Callable[[int, int], None]
Log = Callable[[str], None]
CHECKPOINT, WEIGHTS = "checkpoint.npz", "weights.npz"
LOG_EVERY = 100  # updates


@dataclass(slots=True)
class Limits:
    """When to stop: by the clock, or to be resumed later."""

    minutes: float | None = None  # lowers the number of updates, once the pace is known, so that training ends by then
    deadline: float | None = None  # a time.monotonic() at which the run is saved and left
    save_every: float = 60.0  # seconds between checkpoints
    graphs: bool = True  # record each shape of batch, where a GPU can; many models at once have no memory for it


def train(
    shape: Shape,
    training: Training,
    decks: list[Bucket],
    seed: int,
    folder: Path,
    device: str = "cpu",
    limits: Limits | None = None,
    progress: Progress | None = None,
    log: Log = print,
    weights: Mapping[str, Any] | None = None,
) -> bool:
    """Train until done, writing ``weights.npz``; False when the deadline came first and a checkpoint was left.

    With ``weights`` it goes on from them.
    """
    limits = limits or Limits()
    torch.manual_seed(seed)
    model = Transformer(shape, training.dropout)
    if weights is not None:
        model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
    updater = Updater(model, decks, training, torch.device(device))
    identity = _identity(shape, training, decks, seed, weights)
    total = updates(training, decks)
    done, total = _resumed(folder / CHECKPOINT, updater, total, identity)
    if limits.graphs:
        updater.record()
    started = saved = time.monotonic()
    first = done
    for batch in plan(decks, seed, done):
        if done >= total:
            break
        updater(batch, rate(done, total, training), seed * 1_000_003 + done)
        done += 1
        if done == first + training.warmup and limits.minutes:
            updater.loss.item()  # wait for the device, so that the pace is real
            total = _affordable(done, total, first, started, limits.minutes)
        now = time.monotonic()
        late = limits.deadline is not None and now > limits.deadline
        if progress:
            progress(done, total)
        if done % LOG_EVERY == 0 or done == total:
            log(_line(done, total, updater, (done - first) / max(1e-9, now - started)))
        if (now - saved > limits.save_every or late) and done < total:
            _checkpoint(folder, updater, done, total, identity)
            saved = time.monotonic()
        if late and done < total:
            return False
    arrays.save(folder / WEIGHTS, updater.weights.arrays())
    (folder / CHECKPOINT).unlink(missing_ok=True)
    return True


def updates(training: Training, decks: list[Bucket]) -> int:
    """How many updates the epochs of a training are."""
    return max(1, round(training.epochs * per_epoch(decks)))


def pace(shape: Shape, training: Training, decks: list[Bucket], seconds: float = 2.0) -> float:
    """Updates a second on this CPU, from as many as fit into a few seconds, and at least two."""
    updater = Updater(Transformer(shape, training.dropout), decks, training, torch.device("cpu"))
    batches = plan(decks, 0, 0)
    updater(next(batches), 0.0, 0)  # the first one also pays for what is loaded lazily
    begun, done = time.monotonic(), 0
    while done < 2 or time.monotonic() - begun < seconds:
        updater(next(batches), 0.0, 0)
        done += 1
    return done / (time.monotonic() - begun)


def rate(done: int, total: int, training: Training) -> float:
    """The learning rate: up in a line, then down to nothing in a line."""
    warmup = min(training.warmup, max(1, total // 4))
    if done < warmup:
        return training.rate * (done + 1) / warmup
    return training.rate * max(0.0, (total - done) / max(1, total - warmup))


def _affordable(done: int, total: int, first: int, started: float, minutes: float) -> int:
    spent = time.monotonic() - started
    pace = spent / (done - first)
    return max(done + 1, min(total, done + int((minutes * 60 - spent) / pace)))


def _line(done: int, total: int, updater: Updater, pace: float) -> str:
    loss = float(updater.loss.item()) / (done % LOG_EVERY or LOG_EVERY)
    updater.loss.zero_()
    return json.dumps({"update": done, "of": total, "loss": round(loss, 4), "per_second": round(pace, 2)})


def _identity(
    shape: Shape, training: Training, decks: list[Bucket], seed: int, weights: Mapping[str, Any] | None
) -> str:
    sizes = [[deck.size, deck.rows, *deck.source.shape, *deck.target.shape] for deck in decks]
    begun = [] if weights is None else [float(np.abs(weights[name]).sum()) for name in sorted(weights)]
    return json.dumps([asdict(shape), asdict(training), sizes, seed, *begun], sort_keys=True)


def _checkpoint(folder: Path, updater: Updater, done: int, total: int, identity: str) -> None:
    state = updater.optimizer.state[updater.weights.master]
    arrays.save(
        folder / CHECKPOINT,
        {
            "done": np.array(done),
            "total": np.array(total),
            "identity": np.array(identity),
            "master": updater.weights.master.cpu().numpy(),
            "loss": updater.loss.cpu().numpy(),
            **{name: value.cpu().numpy() for name, value in state.items()},
        },
    )


def _resumed(path: Path, updater: Updater, total: int, identity: str) -> tuple[int, int]:
    if not path.is_file():
        return 0, total
    found: Any = arrays.load(path)
    if str(found["identity"]) != identity:
        raise InputError(f"{path} is of another model, data or seed; use another folder, or remove it to begin anew")
    weights, state = updater.weights, updater.optimizer.state[updater.weights.master]
    weights.master.copy_(torch.from_numpy(found["master"]))
    weights.publish()
    updater.loss.copy_(torch.from_numpy(found["loss"]))
    for name, value in state.items():
        value.copy_(torch.from_numpy(found[name]))
    return int(found["done"]), int(found["total"])
