"""Measure gender bias in machine translation, speech translation and word embeddings."""

from __future__ import annotations

import sys
from types import ModuleType
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
    from epicene.errors import (
        BudgetError,
        DataMissingError,
        EpiceneError,
        EvidenceError,
        InputError,
        KeyRefusedError,
        MissingExtraError,
        QuotaError,
        RefusedError,
        ServiceError,
        StoreError,
        SystemFailure,
        TryLaterError,
        UnknownNameError,
    )
    from epicene.flow.explain import explain
    from epicene.gate.gate import gate
    from epicene.gate.gating import gate_file
    from epicene.options import Asking, Limits, Scoring
    from epicene.output.table import Answer, Table
    from epicene.result import Result
    from epicene.types import Gender, Measure, Verdict

__all__ = [
    "Answer",
    "Asking",
    "BudgetError",
    "DataMissingError",
    "EpiceneError",
    "EvidenceError",
    "Gender",
    "InputError",
    "KeyRefusedError",
    "Limits",
    "Measure",
    "MissingExtraError",
    "QuotaError",
    "RefusedError",
    "Result",
    "Scoring",
    "ServiceError",
    "StoreError",
    "SystemFailure",
    "Table",
    "TryLaterError",
    "UnknownNameError",
    "Verdict",
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
    "act.verbs": ("alternatives", "control", "rerank"),
    "api": (
        "apply_review",
        "audit",
        "estimate",
        "open_run",
        "score",
        "score_recognition",
        "score_transcripts",
        "translate",
    ),
    "compare.pairs": ("compare",),
    "embeddings.ceat": ("ceat",),
    "embeddings.debias": ("debiasing",),
    "embeddings.genderscore": ("genderscore",),
    "embeddings.panel": ("panel",),
    "embeddings.weat": ("weat",),
    "embeddings.wefat": ("wefat",),
    "errors": (
        "BudgetError",
        "DataMissingError",
        "EpiceneError",
        "EvidenceError",
        "InputError",
        "KeyRefusedError",
        "MissingExtraError",
        "QuotaError",
        "RefusedError",
        "ServiceError",
        "StoreError",
        "SystemFailure",
        "TryLaterError",
        "UnknownNameError",
    ),
    "flow.explain": ("explain",),
    "gate.gate": ("gate",),
    "gate.gating": ("gate_file",),
    "options": ("Asking", "Limits", "Scoring"),
    "output.table": ("Answer", "Table"),
    "result": ("Result",),
    "types": ("Gender", "Measure", "Verdict"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


class _Package(ModuleType):
    """This package: a verb is not hidden by the folder of the same name, such as ``compare``, once that is loaded."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _HOME or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'epicene' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"epicene.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
