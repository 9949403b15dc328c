"""Quality beside gender, by sacreBLEU: BLEU with its bootstrap interval, chrF of either side of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from epicene.errors import MissingExtraError
from epicene.measures.inference import Clusters
from epicene.types import Gender, Item, Measure, Verdict

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


@dataclass(slots=True)
class Quality:
    """The mean chrF of sentences against the reference of their gender, and how far women's and men's lie apart."""

    scores: dict[Gender, dict[str, float]] = field(default_factory=dict)  # by expected gender and pair
    _chrf: Any = None

    def add(self, verdict: Verdict) -> None:
        """Look at one verdict, if its sentence has a reference that is right."""
        item = verdict.output.item
        if item.expected is not None and (right := _right(item)):
            self._chrf = self._chrf or _chrf()
            score = float(self._chrf.sentence_score(verdict.output.text, right).score)
            self.scores.setdefault(item.expected, {})[item.unit] = score

    def measures(self) -> list[Measure]:
        """The mean of either side, and the feminine less the masculine one, over pairs."""
        found = []
        for gender, scores in self.scores.items():
            clusters = Clusters.of((unit, "") for unit in scores)
            share = clusters.share((unit, score, 1) for unit, score in scores.items())
            found.append(clusters.mean("chrf", gender.value, "chrF", share, len(scores)))
        women, men = (self.scores.get(gender, {}) for gender in (Gender.FEMININE, Gender.MASCULINE))
        if both := sorted(women.keys() & men.keys()):
            clusters = Clusters.of((unit, "") for unit in both)
            share = clusters.share((unit, women[unit] - men[unit], 1) for unit in both)
            found.append(clusters.mean("chrf_gap", "feminine-masculine", "chrF", share, len(both)))
        return found


def _right(item: Item) -> list[str]:
    return [text for text, gender in item.references if gender is item.expected]


def _chrf() -> Any:
    try:
        from sacrebleu.metrics.chrf import CHRF
    except ImportError:
        raise MissingExtraError("chrF against references", "speech") from None
    return CHRF()
