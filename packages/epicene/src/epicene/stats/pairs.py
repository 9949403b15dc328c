"""The same sentences under two conditions: their mean difference, over clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from epicene.stats.clustered import Share, mean


class Gap(NamedTuple):
    """A mean difference over pairs with its interval and a p that agrees with it; neither where ``why`` says so."""

    value: float
    low: float | None
    high: float | None
    p: float | None
    n: int
    why: str = ""


def paired_gap(differences: Sequence[float], clusters: Sequence[str]) -> Gap | None:
    """First less second in points, averaged over sentences; None where there are none."""
    import numpy as np

    n = len(differences)
    if n == 0:
        return None
    rows: dict[str, list[float]] = {}
    for value, cluster in zip(differences, clusters, strict=True):
        row = rows.setdefault(cluster, [0.0, 0.0])
        row[0] += value
        row[1] += 1
    table = np.array(list(rows.values()))
    found = mean(Share(table[:, 0], table[:, 1]))
    value, p = float(found.value), found.p_value()
    if not any(differences):
        # Where nothing differs, as many as three in n might have, unseen (the rule of three).
        return Gap(value, -300 / n, 300 / n, 1.0, n)
    if found.low is None or found.high is None or p is None:
        return Gap(value, None, None, None, n, found.why)
    return Gap(value, float(found.low), float(found.high), float(p), n)
