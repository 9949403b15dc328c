"""Measure gender bias in machine translation, speech translation and word embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epicene.version import __version__

if TYPE_CHECKING:
    from epicene.acting import alternatives, control, rerank
    from epicene.api import (
        apply_review,
        audit,
        estimate,
        open_run,
        score,
        score_recognition,
        score_transcripts,
        translate,
    )
    from epicene.embeddings.ceat import ceat
    from epicene.embeddings.debias import debiasing
    from epicene.embeddings.genderscore import genderscore
    from epicene.embeddings.panel import panel
    from epicene.embeddings.weat import weat
    from epicene.embeddings.wefat import wefat
    from epicene.pipeline.compare import compare
    from epicene.pipeline.explain import explain
    from epicene.pipeline.gate import gate
    from epicene.pipeline.gating import gate_file

__all__ = [
    "__version__",
    "alternatives",
    "apply_review",
    "audit",
    "ceat",
    "compare",
    "control",
    "debiasing",
    "estimate",
    "explain",
    "gate",
    "gate_file",
    "genderscore",
    "open_run",
    "panel",
    "rerank",
    "score",
    "score_recognition",
    "score_transcripts",
    "translate",
    "weat",
    "wefat",
]

# Where each public name lives; importing epicene loads none of them.
_HOMES = {
    "alternatives": "acting",
    "apply_review": "api",
    "audit": "api",
    "ceat": "embeddings.ceat",
    "compare": "pipeline.compare",
    "control": "acting",
    "debiasing": "embeddings.debias",
    "estimate": "api",
    "explain": "pipeline.explain",
    "gate": "pipeline.gate",
    "gate_file": "pipeline.gating",
    "genderscore": "embeddings.genderscore",
    "open_run": "api",
    "panel": "embeddings.panel",
    "rerank": "acting",
    "score": "api",
    "score_recognition": "api",
    "score_transcripts": "api",
    "translate": "api",
    "weat": "embeddings.weat",
    "wefat": "embeddings.wefat",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'epicene' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"epicene.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
