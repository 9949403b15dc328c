"""Two systems on the same sentences: what was gained and lost, by group."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from epicene.stats.bootstrap import resampled
from epicene.stats.rates import Z95, holm, mcnemar_exact

ALPHA = 0.05
# How many standard errors a one-sided test at 5 % sees with a power of 80 %.
_SEEN = 1.6449 + 0.8416


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a sentence came out right, and what it counts for."""

    right: bool
    groups: tuple[str, ...]
    cluster: str


@dataclass(frozen=True, slots=True)
class Change:
    """How the rate of right sentences changed in a group, in points."""

    group: str
    n: int
    before: float
    after: float
    difference: float
    low: float
    high: float
    gained: int
    lost: int
    p: float
    p_holm: float
    detectable: float  # the smallest drop that so many sentences show

    def as_dict(self) -> dict[str, Any]:
        """The change as JSON has it."""
        return {name: getattr(self, name) for name in Change.__dataclass_fields__}


def changes(before: Mapping[str, Outcome], after: Mapping[str, Outcome]) -> list[Change]:
    """The change of every group, with p-values adjusted for their number."""
    groups: dict[str, list[tuple[Outcome, bool]]] = {}
    for name, outcome in before.items():
        for group in outcome.groups:
            groups.setdefault(group, []).append((outcome, after[name].right))
    found = [_change(group, pairs) for group, pairs in groups.items()]
    adjusted = holm([change.p for change in found])
    return [replace(change, p_holm=p) for change, p in zip(found, adjusted, strict=True)]


def _change(group: str, pairs: list[tuple[Outcome, bool]]) -> Change:
    n = len(pairs)
    gained = sum(right and not outcome.right for outcome, right in pairs)
    lost = sum(outcome.right and not right for outcome, right in pairs)
    before = 100 / n * sum(outcome.right for outcome, _ in pairs)
    difference = 100 / n * (gained - lost)
    p = mcnemar_exact(gained, lost)
    low, high, error = _spread(pairs, difference, gained + lost)
    # Where nothing changed, as many as three in n might have, unseen (the rule of three).
    detectable = max(_SEEN * error, 300 / n)
    return Change(group, n, before, before + difference, difference, low, high, gained, lost, p, p, detectable)


def _spread(pairs: list[tuple[Outcome, bool]], difference: float, changed: int) -> tuple[float, float, float]:
    """Interval and standard error of a difference: the wider of those over occupations and over sentences."""
    import numpy as np

    n = len(pairs)
    error = 100 * math.sqrt(max(0.0, changed / n - (difference / 100) ** 2) / n)
    low, high = difference - Z95 * error, difference + Z95 * error
    clusters: dict[str, list[int]] = {}
    for outcome, right in pairs:
        row = clusters.setdefault(outcome.cluster, [0, 0])
        row[0] += 1
        row[1] += right - outcome.right
    values = resampled(np.array(list(clusters.values()), dtype=float), lambda sums: 100 * sums[:, 1] / sums[:, 0])
    if values is not None:
        error = max(error, float(np.std(values)))
        lowest, highest = np.quantile(values, [0.025, 0.975])
        low, high = min(low, float(lowest)), max(high, float(highest))
    return max(-100.0, low), min(100.0, high), error


def judge(change: Change, max_drop: float) -> str:
    """``regression``, ``ok`` or ``unclear``: whether the group lost more than it may."""
    drop = -change.difference
    if drop > max_drop and change.p_holm < ALPHA:
        return "regression"
    if max(-change.low, 300 / change.n) <= max_drop:
        return "ok"
    return "ok" if max(drop, change.detectable) <= max_drop else "unclear"
