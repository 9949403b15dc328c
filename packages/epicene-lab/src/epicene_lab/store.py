"""Model folders: ``model.json`` (sizes and record), ``weights.npz`` and ``sentencepiece.model``."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError, MissingExtraError
from epicene.files import write_atomically
from epicene.version import __version__
from epicene_lab import arrays
from epicene_lab.recipe import Shape

if TYPE_CHECKING:
    from epicene_lab.model import Transformer

MODEL, WEIGHTS, PIECES = "model.json", "weights.npz", "sentencepiece.model"


def describe(folder: Path, shape: Any, record: dict[str, Any]) -> None:
    """Write what the model is and how it came about."""
    with write_atomically(folder / MODEL) as stream:
        json.dump({"shape": asdict(shape), **record}, stream, ensure_ascii=False, indent=1)


def choose_device(wanted: str, command: str) -> str:
    """``cuda`` or ``cpu``; ``auto`` takes a GPU where PyTorch sees one."""
    try:
        import torch
    except ImportError:
        raise MissingExtraError(command, "train", "epicene-lab") from None
    if wanted not in ("auto", "cpu", "cuda"):
        raise InputError(f"--device {wanted}; expected auto, cpu or cuda")
    there = torch.cuda.is_available()
    if wanted == "cuda" and not there:
        raise InputError("--device cuda: PyTorch sees no GPU here; --device cpu says first how long it would take")
    return wanted if wanted != "auto" else "cuda" if there else "cpu"


def describe_machine(device: str) -> dict[str, Any]:
    """With what a model was trained, and when."""
    import torch

    return {
        "epicene": __version__,
        "torch": torch.__version__,
        "python": platform.python_version(),
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": ["epicene", *sys.argv[1:]],
    }


def read_record(folder: Path, kind: type[Any] = Shape, maker: str = "epicene lab train") -> dict[str, Any]:
    """What a model folder says of itself; ``kind`` is what its sizes are."""
    try:
        record: dict[str, Any] = json.loads((folder / MODEL).read_text(encoding="utf-8"))
        record["shape"].pop("aan_ffn", None)  # of 0.2.0, whose average attention had a feed-forward layer
        record["shape"] = kind(**record["shape"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder} is no model folder of {maker}: {MODEL}: {error}") from None
    return record


def load(folder: Path, device: str = "cpu") -> Transformer:
    """The trained model, in float32."""
    import torch

    from epicene_lab.export import unpack
    from epicene_lab.model import Transformer

    model = Transformer(read_record(folder)["shape"])
    weights = unpack(arrays.load(folder / WEIGHTS))
    try:
        model.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    except RuntimeError as error:
        raise InputError(f"{folder / WEIGHTS} does not fit {MODEL}: {str(error).splitlines()[-1].strip()}") from None
    return model.eval().to(device)
