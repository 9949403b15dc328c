"""COMET (Rei et al. 2020) by its own package (extra comet): a model that scores translations as people would."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from epicene.errors import MissingExtraError, SystemFailure, first_line
from epicene.files import checksum

MODEL = "Unbabel/wmt22-comet-da"
_BATCH = 16


def scores(
    model: str, sources: Sequence[str], texts: Sequence[str], references: Sequence[Sequence[str]]
) -> list[float]:
    """The score of each sentence; of several references, against the one that it comes nearest to."""
    loaded = _loaded(model or MODEL)
    rows, of = [], []
    for place, (source, text, accepted) in enumerate(zip(sources, texts, references, strict=True)):
        # A model that needs no reference is asked once.
        for reference in accepted if loaded.requires_references() else accepted[:1]:
            rows.append({"src": source, "mt": text, "ref": reference})
            of.append(place)
    try:
        answers = loaded.predict(rows, batch_size=_BATCH, gpus=int(_sees_gpu()), progress_bar=False)["scores"]
    except (RuntimeError, ValueError) as error:
        raise SystemFailure(f"comet:{model or MODEL}: {first_line(error)}") from None
    best = [float("-inf")] * len(texts)
    for place, answer in zip(of, answers, strict=True):
        best[place] = max(best[place], float(answer))
    return best


def signature(model: str) -> str:
    """Which model scored, of which package; a file is known by its content."""
    import importlib.metadata

    name, path = model or MODEL, Path(model)
    if model and path.is_file():
        name = f"{path.name}@{checksum(path)}"
    return f"comet:{name}|version:{importlib.metadata.version('unbabel-comet')}"


def _sees_gpu() -> bool:
    import torch

    return bool(torch.cuda.is_available())


@cache
def _loaded(model: str) -> Any:
    try:
        import comet
    except ImportError:
        raise MissingExtraError("the metric comet", "comet") from None
    import logging

    logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
    try:
        path = model if Path(model).is_file() else comet.download_model(model)
        return comet.load_from_checkpoint(path)
    except Exception as error:  # noqa: BLE001 - the loaders of many libraries raise what they like
        reason = first_line(error)
        raise SystemFailure(
            f"comet: {model} cannot be loaded: {reason}; name a local checkpoint: --metric comet:PATH/model.ckpt"
        ) from None
