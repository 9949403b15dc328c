"""BLEU by sacreBLEU, with its bootstrap interval."""

from __future__ import annotations

from collections.abc import Sequence

from epicene.errors import MissingExtraError
from epicene.types import Measure

_RESAMPLES = 1000


def bleu(group: str, pairs: Sequence[tuple[str, str]]) -> Measure:
    """BLEU of translations against one reference each."""
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError:
        raise MissingExtraError("BLEU against references", "speech") from None
    hypotheses, references = (list(side) for side in zip(*pairs, strict=True))
    if len(pairs) < 2:
        return Measure("bleu", group, float(BLEU().corpus_score(hypotheses, [references]).score), "BLEU", len(pairs))
    found = BLEU().corpus_score(hypotheses, [references], n_bootstrap=_RESAMPLES)
    low, high = found._mean - found._ci, found._mean + found._ci
    return Measure("bleu", group, float(found.score), "BLEU", len(pairs), None, float(low), float(high))
