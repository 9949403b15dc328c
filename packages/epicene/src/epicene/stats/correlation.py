"""Correlations and their intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from epicene.stats.rates import Z95


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    """The correlation of pairs; None where there are too few or one side never changes."""
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    return statistics.correlation(x, y)


def fisher(r: float, n: int, z: float = Z95) -> tuple[float, float] | None:
    """Fisher's interval for a correlation of n pairs; None where there are too few or the correlation is perfect."""
    if n <= 3 or abs(r) >= 1:
        return None
    half = z / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
