"""Accuracy of the gender, whole, by expected gender and by the user's own groups."""

from __future__ import annotations

from epicene.measures.rates import OTHER_WORD, Measures, Rate, is_right, is_stated
from epicene.types import Item


def _groups(item: Item) -> tuple[str, ...]:
    """All, the expected gender and the user's own group."""
    expected = item.expected.value if item.expected else ""
    return tuple(filter(None, ("all", expected, item.labels["group"])))


MEASURES = Measures(
    groups=_groups,
    rates=(Rate("accuracy", is_right, is_stated), OTHER_WORD._replace(among=is_stated)),
    shares=True,
)
