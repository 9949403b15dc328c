"""Folders of trained speech models: ``model.json``, ``weights.npz`` (or ``packed.npz``, 8 bits) and the pieces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import InputError
from epicene_lab import arrays, store
from epicene_lab.speech.recipe import SpeechShape

if TYPE_CHECKING:
    from epicene_lab.speech.model import SpeechModel

PACKED = "packed.npz"


def described(folder: Path) -> dict[str, Any]:
    """What a model folder says of itself."""
    return store.described(folder, SpeechShape, "epicene lab speech train")


def weights(folder: Path) -> dict[str, Any]:
    """The weights by name, in float32; the packed ones where the others are not there."""
    from epicene_lab.int8 import unpacked

    whole, packed = folder / store.WEIGHTS, folder / PACKED
    return unpacked(arrays.load(packed if packed.is_file() and not whole.is_file() else whole))


def load(folder: Path, device: str = "cpu") -> SpeechModel:
    """The trained model, in float32."""
    import torch

    from epicene_lab.speech.model import SpeechModel

    model = SpeechModel(described(folder)["shape"])
    found = {name: torch.from_numpy(value) for name, value in weights(folder).items()}
    try:
        missing, unknown = model.load_state_dict(found, strict=False)
    except RuntimeError as error:
        reason = str(error).splitlines()[-1].strip()
        raise InputError(f"{folder / store.WEIGHTS} does not fit {store.MODEL}: {reason}") from None
    lacking = [name for name in missing if not name.startswith("ctc")]  # which nobody needs who does not train
    if lacking or unknown:
        raise InputError(f"{folder / store.WEIGHTS} does not fit {store.MODEL}: {', '.join([*lacking, *unknown][:3])}")
    return model.eval().to(device)
