"""SimpleGEN's measures: right, wrong and inconclusive per group, and the gaps between groups (Table 4)."""

from __future__ import annotations

from epicene.measures.outcomes import Outcome
from epicene.measures.rates import OTHER_WORD, Gap, Measures, Rate, is_right
from epicene.types import Item

GROUPS = {
    "MOMC": ("MOMC",),
    "MOFC": ("MOFC",),
    "FOFC": ("FOFC",),
    "FOMC": ("FOMC",),
    "pro": ("MOMC", "FOFC"),
    "anti": ("MOFC", "FOMC"),
    "all": ("MOMC", "MOFC", "FOFC", "FOMC"),
}


def _groups(item: Item) -> tuple[str, ...]:
    return tuple(name for name, parts in GROUPS.items() if item.labels["group"] in parts)


def _stratum(item: Item) -> str:
    """Whether men or women dominate the occupation: MO or FO."""
    return item.labels["group"][:2]


def _is_wrong(outcome: Outcome) -> bool:
    return outcome.shown and outcome.gender is not outcome.expected


def _is_inconclusive(outcome: Outcome) -> bool:
    """Whether the form names no gender, or none was detected."""
    return not outcome.shown and outcome.gender is not outcome.expected


MEASURES = Measures(
    groups=_groups,
    rates=(
        Rate("correct", is_right),
        Rate("wrong", _is_wrong),
        Rate("inconclusive", _is_inconclusive, undetected=False),
        OTHER_WORD._replace(undetected=True),
    ),
    gaps=(
        Gap("delta", "correct", "pro", "anti"),
        Gap("delta_fc", "correct", "FOFC", "MOFC"),
        Gap("delta_mc", "correct", "MOMC", "FOMC"),
    ),
    stratum=_stratum,
    order=lambda _: GROUPS,
    gated=("delta",),
)
