"""The stage ``train``: a model folder from a prepared text and a folder of shards."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

from epicene.errors import InputError, MissingExtraError
from epicene_lab import arrays, store
from epicene_lab.speech import folder as folders
from epicene_lab.speech import shards

if TYPE_CHECKING:
    from epicene_lab.speech.training import Order

LOG = "log.jsonl"


def device(wanted: str) -> str:
    """``cuda`` or ``cpu``; ``auto`` takes a GPU where PyTorch sees one."""
    try:
        import torch
    except ImportError:
        raise MissingExtraError("epicene lab speech train", "train", "epicene-lab") from None
    if wanted not in ("auto", "cpu", "cuda"):
        raise InputError(f"--device {wanted}; expected auto, cpu or cuda")
    there = torch.cuda.is_available()
    if wanted == "cuda" and not there:
        raise InputError("--device cuda: PyTorch sees no GPU here; give --device cpu for a small recipe")
    return wanted if wanted != "auto" else "cuda" if there else "cpu"


def train(order: Order, say: Callable[[str], None], progress: Callable[[int, int], None] | None = None) -> None:
    """Train, or go on training, and describe the model; one that is trained already is left as it is."""
    from epicene_lab.int8 import packed
    from epicene_lab.speech.training import hours
    from epicene_lab.speech.training import train as run

    folder = order.folder
    if (folder / store.WEIGHTS).is_file():
        say(f"{folder}: trained before")
        return
    folder.mkdir(parents=True, exist_ok=True)
    say(f"{folder}: training on {order.device}")
    with (folder / LOG).open("a", encoding="utf-8") as stream:
        done = run(order, lambda line: print(line, file=stream, flush=True), say, progress)
    shutil.copyfile(order.data / store.PIECES, folder / store.PIECES)
    at, heard, names = done.at, done.heard(), dict(enumerate(shards.voices(order.speech)))
    record = {
        "languages": done.targets.languages,
        "training": asdict(order.recipe.training),
        "sentences": int(done.targets.lengths.shape[1]),
        "recordings": len(heard),
        "hours": round(hours(heard), 2),
        "voices": [names.get(number, str(number)) for number in sorted(set(heard.voice.tolist()))],
        "seed": order.seed,
        "updates": at.done,
        "epochs": at.epoch,
        "seconds": round(at.elapsed),
        "loss": at.losses,
        "diverged": at.falls,
    }
    store.describe(folder, order.recipe.shape, {**record, **store.machine(order.device)})
    weights = arrays.load(folder / store.WEIGHTS)
    # The layers that only spell in training stay at home.
    arrays.save(folder / folders.PACKED, packed({name: each for name, each in weights.items() if name[:3] != "ctc"}))
    say(f"{folder}: {at.done} updates in {at.elapsed:.0f} s, loss {at.losses}")
