"""The same sentences under two conditions: their difference, its interval, and an exact test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from epicene.stats.bootstrap import resampled
from epicene.stats.rates import Z95, mcnemar_exact


class Gap(NamedTuple):
    """A mean difference over pairs with its interval and the exact p of its sign."""

    value: float
    low: float
    high: float
    p: float
    n: int


def paired_gap(differences: Sequence[float], clusters: Sequence[str]) -> Gap | None:
    """First less second in points, averaged over sentences; None where there are none.

    The test is the exact sign test over the sentences that differ, which for right and wrong is McNemar's. The
    interval is the wider of those over clusters and over sentences.
    """
    import numpy as np

    n = len(differences)
    if n == 0:
        return None
    values = np.array(differences, dtype=float)
    mean = float(values.mean())
    half = Z95 * float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else abs(mean)
    low, high = mean - half, mean + half
    rows: dict[str, list[float]] = {}
    for value, cluster in zip(differences, clusters, strict=True):
        row = rows.setdefault(cluster, [0.0, 0.0])
        row[0] += 1
        row[1] += value
    drawn = resampled(np.array(list(rows.values())), lambda sums: sums[:, 1] / sums[:, 0])
    if drawn is not None:
        lowest, highest = np.quantile(drawn, [0.025, 0.975])
        low, high = min(low, float(lowest)), max(high, float(highest))
    if not values.any():
        # Where nothing differs, as many as three in n might have, unseen (the rule of three).
        low, high = -300 / n, 300 / n
    p = mcnemar_exact(int((values > 0).sum()), int((values < 0).sum()))
    return Gap(mean, low, high, p, n)
