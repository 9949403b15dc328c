"""Measure gender bias in machine translation, speech translation and word embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epicene.version import __version__

if TYPE_CHECKING:
    from epicene.act.verbs import alternatives, control, rerank
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
    from epicene.compare.pairs import compare
    from epicene.embeddings.ceat import ceat
    from epicene.embeddings.debias import debiasing
    from epicene.embeddings.genderscore import genderscore
    from epicene.embeddings.panel import panel
    from epicene.embeddings.weat import weat
    from epicene.embeddings.wefat import wefat
    from epicene.flow.explain import explain
    from epicene.gate.gate import gate
    from epicene.gate.gating import gate_file

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
    "alternatives": "act.verbs",
    "apply_review": "api",
    "audit": "api",
    "ceat": "embeddings.ceat",
    "compare": "compare.pairs",
    "control": "act.verbs",
    "debiasing": "embeddings.debias",
    "estimate": "api",
    "explain": "flow.explain",
    "gate": "gate.gate",
    "gate_file": "gate.gating",
    "genderscore": "embeddings.genderscore",
    "open_run": "api",
    "panel": "embeddings.panel",
    "rerank": "act.verbs",
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
