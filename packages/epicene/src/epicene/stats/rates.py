"""Intervals for rates, exact paired tests, and their correction for many."""

from __future__ import annotations

import math
from fractions import Fraction

Z95 = 1.959963984540054


def wilson(count: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval for a proportion, as proportions; (0, 1) where there is nothing to count.

    Numbers need not be whole: a count of dependent sentences stands for fewer independent ones.
    """
    if n == 0:
        return 0.0, 1.0
    share = count / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def holm(p_values: list[float]) -> list[float]:
    """Holm's step-down adjustment, in the order given."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, index in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = running
    return adjusted


def median_interval(values: list[float], level: float = 0.95) -> tuple[float, float] | None:
    """The interval of a median by order statistics, which holds whatever the distribution; None for too few values.

    The k-th smallest and the k-th largest value, k as large as the binomial distribution of one half allows.
    """
    n = len(values)
    # Integers are exact however many values there are.
    most = Fraction(1 - level) / 2 * (1 << n)
    total = rank = 0
    while rank < n and (total := total + math.comb(n, rank)) <= most:
        rank += 1
    if rank == 0:
        return None
    ordered = sorted(values)
    return ordered[rank - 1], ordered[-rank]
