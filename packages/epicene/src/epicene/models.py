"""Folders of model weights, found by name: those that ``epicene-models`` ships, and any other package's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from epicene import registry
from epicene.errors import MissingExtraError
from epicene.files import fingerprint

MODELS = registry.Registry(
    "model", "epicene.models", (Path,), dict, "The shipped models come with: pip install 'epicene[translate]'"
)


def model_folder(name: str) -> Path:
    """The folder of a model that is installed."""
    return MODELS.find(name)


def import_transformers(what: str) -> Any:
    """The library that runs models of Hugging Face's, which then prints errors alone; ``what`` cannot do without it."""
    try:
        import torch  # noqa: F401 - all of its models are PyTorch's
        import transformers
    except ImportError:
        raise MissingExtraError(what, "huggingface") from None
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    return transformers


def weights_checksum(folder: Path) -> str:
    """A checksum of the weights in a folder of transformers; empty if there are none."""
    weights = sorted([*folder.glob("*.safetensors"), *folder.glob("pytorch_model*.bin")]) if folder.is_dir() else []
    return fingerprint(weights) if weights else ""


def name_with_weights(name: str) -> str:
    """The name of a model of transformers; a local folder's has its weights' checksum, so that retraining is seen."""
    checksum = weights_checksum(Path(name))
    return f"{Path(name).name}@{checksum}" if checksum else name


def count_threads() -> int:
    """Cores to use: as many as this process may run on, or as OMP_NUM_THREADS says, which cluster workers get."""
    threads = os.environ.get("OMP_NUM_THREADS", "")
    if threads.isdecimal() and int(threads):
        return int(threads)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
