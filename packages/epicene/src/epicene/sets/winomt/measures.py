"""WinoMT's measures: accuracy, F1 by gender, ΔG and ΔS, with intervals over occupations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from epicene.labour.reference import Reference
from epicene.measures.outcomes import OPPOSITE, Outcomes
from epicene.measures.rates import OTHER_WORD, Gap, Measures, Rate, expects, is_right, reads
from epicene.stats.clustered import Share
from epicene.types import Gender, Item, Measure

GROUPS = ("all", "male", "female", "neutral", "pro", "anti")
_F1 = {"male": Gender.MASCULINE, "female": Gender.FEMININE}  # ΔG is that of the first less that of the second
_SUBSETS = ("pro", "anti")


def _groups(item: Item) -> tuple[str, ...]:
    """All, the gold gender, and pro or anti."""
    subset = item.labels["subset"]
    return ("all", item.labels["gold"], *((subset,) if subset in _SUBSETS else ()))


def _stratum(item: Item) -> str:
    """The stereotype of the occupation, which sentences of WinoBias tell: masculine or feminine."""
    subset, expected = item.labels["subset"], item.expected
    if expected not in OPPOSITE or subset not in _SUBSETS:
        return ""
    return expected.value if subset == "pro" else OPPOSITE[expected].value


def _f1_and_gap(outcomes: Outcomes, references: Sequence[Reference]) -> list[Measure]:  # noqa: ARG001
    shares = {name: _f1(outcomes, gender) for name, gender in _F1.items()}
    rates = [outcomes.clusters.rate("f1", name, share) for name, share in shares.items()]
    n = len(outcomes)
    gap = outcomes.clusters.gap("delta_g", "-".join(_F1), shares["male"], shares["female"], n)
    return [*(replace(rate, n=n, count=None) for rate in rates), gap]


def _f1(outcomes: Outcomes, gender: Gender) -> Share:
    """F1 as a ratio: twice what is right among what is expected and what is read; nought where none is read."""
    right = outcomes.share(Rate("", is_right, expects(gender)))
    read = outcomes.share(Rate("", reads(gender)))
    return Share(2 * right.counted, right.of + read.counted, size=read.of)


MEASURES = Measures(
    groups=_groups,
    rates=(Rate("accuracy", is_right), OTHER_WORD),
    gaps=(Gap("delta_s", "accuracy", "pro", "anti"),),
    stratum=_stratum,
    order=lambda _: GROUPS,
    own=_f1_and_gap,
    gated=("delta_g", "delta_s"),
)
