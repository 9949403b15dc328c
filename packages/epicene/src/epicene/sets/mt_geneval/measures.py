"""Measures of sentences that stand there twice, about a woman and about a man: is each kept, and are both?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from epicene.labour.reference import Reference
from epicene.measures.outcomes import Outcome, Outcomes
from epicene.measures.rates import Gap, Measures, Rate, is_right
from epicene.types import Gender, Item, Measure


def _groups(item: Item) -> tuple[str, ...]:
    """All, and the expected gender."""
    return ("all", item.expected.value) if item.expected else ()


def _is_wrong(outcome: Outcome) -> bool:
    return outcome.shown and not outcome.other_word and outcome.gender is not outcome.expected


def _is_without_evidence(outcome: Outcome) -> bool:
    """Whether nothing names a gender, or nothing of this person."""
    return not outcome.shown or outcome.other_word


def _both_right(outcomes: Outcomes, references: Sequence[Reference]) -> list[Measure]:  # noqa: ARG001
    """The share of whole pairs of which the woman and the man are right; none where no sentence has its twin."""
    sides: dict[str, dict[Gender | None, bool]] = {}
    for profile, outcome, _ in outcomes.cells():
        sides.setdefault(profile.unit, {})[outcome.expected] = outcome.right
    whole = {pair: rights for pair, rights in sides.items() if len(rights) == 2}
    if not whole:
        return []
    share = outcomes.clusters.share((pair, all(rights.values()), 1) for pair, rights in whole.items())
    return [replace(outcomes.clusters.rate("both_right", "pairs", share), unit="% of pairs")]


MEASURES = Measures(
    groups=_groups,
    rates=(
        Rate("accuracy", is_right),
        Rate("wrong", _is_wrong),
        Rate("no_evidence", _is_without_evidence, undetected=False),
    ),
    gaps=(Gap("gap", "accuracy", "feminine", "masculine"),),
    order=lambda _: ("all", "feminine", "masculine"),
    own=_both_right,
    gated=("gap",),
)
