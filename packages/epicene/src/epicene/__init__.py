"""Measure gender bias in machine translation, speech translation and word embeddings."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from epicene.version import __version__

if TYPE_CHECKING:
    from epicene.act.alternatives import alternatives
    from epicene.act.control import control
    from epicene.act.rerank import rerank
    from epicene.compare.pairs import compare
    from epicene.embeddings.genderscore import genderscore
    from epicene.embeddings.weat import weat
    from epicene.embeddings.wefat import wefat
    from epicene.errors import (
        BudgetError,
        DataMissingError,
        EpiceneError,
        EvidenceError,
        InputError,
        KeyRefusedError,
        MalformedError,
        MissingExtraError,
        QuotaError,
        RefusedError,
        ServiceError,
        StoreError,
        SystemFailure,
        TryLaterError,
        UnknownNameError,
    )
    from epicene.flow.audit import Run, audit
    from epicene.flow.explain import explain
    from epicene.flow.hear import score_recognition
    from epicene.flow.plan import open_set
    from epicene.flow.score import score
    from epicene.flow.translate import estimate, translate
    from epicene.gate.gate import gate, gate_file
    from epicene.options import Asking, Limits, Reranking, Scoring
    from epicene.output.table import Answer, Table
    from epicene.result import Result
    from epicene.review.runs import apply_review, export_review, import_review, open_run
    from epicene.sets import TestSet
    from epicene.sets.custom import sentences
    from epicene.systems import FunctionSystem
    from epicene.types import Gender, Measure, Verdict

__all__ = [
    "Answer",
    "Asking",
    "BudgetError",
    "DataMissingError",
    "EpiceneError",
    "EvidenceError",
    "FunctionSystem",
    "Gender",
    "InputError",
    "KeyRefusedError",
    "Limits",
    "MalformedError",
    "Measure",
    "MissingExtraError",
    "QuotaError",
    "RefusedError",
    "Reranking",
    "Result",
    "Run",
    "Scoring",
    "ServiceError",
    "StoreError",
    "SystemFailure",
    "Table",
    "TestSet",
    "TryLaterError",
    "UnknownNameError",
    "Verdict",
    "__version__",
    "alternatives",
    "apply_review",
    "audit",
    "compare",
    "control",
    "estimate",
    "explain",
    "export_review",
    "gate",
    "gate_file",
    "genderscore",
    "import_review",
    "open_run",
    "open_set",
    "rerank",
    "score",
    "score_recognition",
    "sentences",
    "translate",
    "weat",
    "wefat",
]

# Where each public name lives; importing epicene loads none of them.
_HOMES = {
    "act.alternatives": "alternatives",
    "act.control": "control",
    "act.rerank": "rerank",
    "compare.pairs": "compare",
    "embeddings.genderscore": "genderscore",
    "embeddings.weat": "weat",
    "embeddings.wefat": "wefat",
    "errors": (
        "BudgetError DataMissingError EpiceneError EvidenceError InputError KeyRefusedError MalformedError "
        "MissingExtraError QuotaError RefusedError ServiceError StoreError SystemFailure TryLaterError "
        "UnknownNameError"
    ),
    "flow.audit": "Run audit",
    "flow.explain": "explain",
    "flow.hear": "score_recognition",
    "flow.plan": "open_set",
    "flow.score": "score",
    "flow.translate": "estimate translate",
    "gate.gate": "gate gate_file",
    "options": "Asking Limits Reranking Scoring",
    "output.table": "Answer Table",
    "result": "Result",
    "review.runs": "apply_review export_review import_review open_run",
    "sets": "TestSet",
    "sets.custom": "sentences",
    "systems": "FunctionSystem",
    "types": "Gender Measure Verdict",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


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

    globals()[name] = getattr(importlib.import_module(f"epicene.{_HOME[name]}"), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(__all__)
