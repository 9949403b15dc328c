"""Measures of passages about one person: right, misgendered or undetected, by gender and family; late binding apart."""

from __future__ import annotations

from collections.abc import Mapping

from epicene.measures.rates import Gap, Measures, Rate, is_misgendered
from epicene.types import Item

_LATE = "late_binding"
_FIRST = ("all", "feminine", "masculine", "without late binding")  # rows before those of families


def _groups(item: Item) -> tuple[str, ...]:
    """All, the gender and the family."""
    family = item.labels["family"]
    late = () if family == _LATE else ("without late binding",)
    return ("all", item.expected.value, *late, family) if item.expected else ()


def _order(sizes: Mapping[str, int]) -> list[str]:
    return [*(group for group in _FIRST if group in sizes), *sorted(sizes.keys() - set(_FIRST))]


MEASURES = Measures(
    groups=_groups,
    rates=(Rate("accuracy", lambda outcome: outcome.gender is outcome.expected), Rate("misgendered", is_misgendered)),
    gaps=(Gap("gap", "accuracy", "feminine", "masculine"),),
    unit=lambda item: item.id,  # the passage
    order=_order,
    gated=("gap",),
)
