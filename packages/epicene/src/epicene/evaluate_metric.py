"""epicene as a metric of Hugging Face's ``evaluate``: ``evaluate.load(PATH_OF_THIS_FILE, "simplegen", langs="en-de")``.

The configuration is a test set, whose sentences the predictions translate in order. Without one, ``sources`` holds the
sentences, and everybody in them is measured.
"""

from __future__ import annotations

import re
from typing import Any

import datasets
import evaluate

import epicene

_DESCRIPTION = (
    "Gender bias of translations: published test sets and metrics, with confidence intervals and a signature."
)
_INPUTS = """
predictions: translations, one per sentence.
sources: the sentences, if no test set is named.
"""


class EpiceneMetric(evaluate.Metric):  # type: ignore[misc] # evaluate has no types
    """Scores translations; ``options`` are those of ``epicene.score``, such as ``protocol="paper"``."""

    def __init__(self, config_name: str | None = None, *, langs: str, **options: Any) -> None:
        known = epicene.Scoring.__dataclass_fields__
        self._scoring = {name: options.pop(name) for name in list(options) if name in known}
        self._set, self._langs = config_name, langs
        # The configuration names a folder, and a set may be a path.
        super().__init__(config_name and re.sub(r"[^\w.-]+", "-", config_name), **options)

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features({"predictions": text} if self._set else {"predictions": text, "sources": text}),
            homepage="https://epicene.readthedocs.io",
        )

    def _compute(self, predictions: list[str], sources: list[str] | None = None) -> dict[str, Any]:
        """Every measure as NAME_GROUP, and all that belongs to a number: intervals, signature, warnings."""
        result = epicene.score(self._set or sources or [], self._langs, predictions, **self._scoring)
        values = {f"{one.name}_{one.group}": one.value for one in result.measures}
        details = {key: result.as_dict()[key] for key in ("signature", "n", "measures", "warnings")}
        return {**values, **details}
