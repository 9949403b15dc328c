"""Folders of model weights, found by name: those that ``epicene-models`` ships, and any other package's."""

from __future__ import annotations

from pathlib import Path

from epicene import registry

MODELS = registry.Kind(
    "model", "epicene.models", (Path,), dict, "The shipped models come with: pip install 'epicene[translate]'"
)


def model_folder(name: str) -> Path:
    """The folder of a model that is installed."""
    return MODELS.find(name)
