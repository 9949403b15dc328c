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


def at_least_wilson(interval: tuple[float, float] | None, count: float, n: float) -> tuple[float, float]:
    """A share's interval in per cent, as wide as resampling found it, and never narrower than Wilson's.

    Where all clusters agree, as they do where nothing was right, resampling finds no width at all.
    """
    low, high = (100 * bound for bound in wilson(count, n))
    return (min(low, interval[0]), max(high, interval[1])) if interval else (low, high)


def mcnemar_exact(gained: int, lost: int) -> float:
    """Two-sided exact McNemar p-value from the discordant pairs: a binomial test of one half."""
    n = gained + lost
    # By symmetry the two tails are equal, so twice the smaller one is the two-sided value.
    # Integers are exact however many pairs; their quotient is a correctly rounded float.
    tail = sum(math.comb(n, k) for k in range(min(gained, lost) + 1))
    return min(1.0, 2 * tail / (1 << n))


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
