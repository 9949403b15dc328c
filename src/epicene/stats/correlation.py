"""Intervals for correlations."""

from __future__ import annotations

import math

from epicene.stats.rates import Z95


def fisher(r: float, n: int, z: float = Z95) -> tuple[float, float] | None:
    """Fisher's interval for a correlation of n pairs; None where there are too few or the correlation is perfect."""
    if n <= 3 or abs(r) >= 1:
        return None
    half = z / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
