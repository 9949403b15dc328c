"""Measures of dialogues: agreement with what is told, and what is chosen where nothing is, by role and stereotype."""

from __future__ import annotations

from collections.abc import Mapping

from epicene.measures.outcomes import Outcome
from epicene.measures.rates import Gap, Holds, Measures, Rate, is_open, is_stated, reads
from epicene.types import Gender, Item

_ORDER = ("all", "feminine", "masculine", "speaker", "listener", "named", "man or woman", "pronoun")
_NOT_TOLD = "not told: "


def _groups(item: Item) -> tuple[str, ...]:
    """All, the gender, the role, how it is told, and the stereotype; under other names where nothing is told."""
    role, told, stereotype = (item.labels[name] for name in ("role", "told", "stereotype"))
    described = f"{stereotype} stereotype" if stereotype else ""
    if item.expected is None:
        return tuple(_NOT_TOLD + name for name in ("all", role, described) if name)
    return tuple(filter(None, ("all", item.expected.value, role, told, described)))


def _order(sizes: Mapping[str, int]) -> list[str]:
    """The groups as docs list them, whatever the first dialogue is about."""

    def place(group: str) -> tuple[bool, int, str]:
        name = group.removeprefix(_NOT_TOLD)
        return name != group, _ORDER.index(name) if name in _ORDER else len(_ORDER), name

    return sorted(sizes, key=place)


def _where(concerned: Holds, shown: bool) -> Holds:
    """Whether somebody is concerned, and is shown as a woman or a man, or not."""

    def holds(outcome: Outcome) -> bool:
        return concerned(outcome) and outcome.shown is shown

    return holds


MEASURES = Measures(
    groups=_groups,
    rates=(
        Rate("accuracy", lambda o: o.gender is o.expected, _where(is_stated, True), _where(is_stated, False)),
        Rate("masculine", reads(Gender.MASCULINE), _where(is_open, True), _where(is_open, False)),
    ),
    gaps=(Gap("gap", "accuracy", "feminine", "masculine"),),
    order=_order,
    gated=("gap",),
)
