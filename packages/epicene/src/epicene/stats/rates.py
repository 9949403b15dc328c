"""Intervals and tests of rates and of two by two tables, and their correction for many."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Number = TypeVar("Number", float, "npt.NDArray[np.float64]")
Z95 = 1.959963984540054


def wilson(count: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval for a proportion, as proportions; (0, 1) where there is nothing to count.

    Numbers need not be whole: a count of dependent sentences stands for fewer independent ones.
    """
    if n == 0:
        return 0.0, 1.0
    low, high = wilson_ends(count / n, n, z)
    return max(0.0, low), min(1.0, high)


def wilson_ends(share: Number, n: Number, z: Number) -> tuple[Number, Number]:
    """The same of a share, or of an array of shares; the ends may miss 0 and 1 by a rounding error."""
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z / scale * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return centre - half, centre + half


def holm(p_values: list[float]) -> list[float]:
    """Holm's step-down adjustment, in the order given."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, index in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = running
    return adjusted


class Table(NamedTuple):
    """How often each of two outcomes was seen in each of two groups."""

    a: int  # first group, first outcome
    b: int  # first group, second outcome
    c: int  # second group, first outcome
    d: int  # second group, second outcome


def chi_square(table: Table) -> tuple[float, float] | None:
    """Chi-square with Yates' continuity correction, and its p-value; None where a row or column is empty."""
    a, b, c, d = table
    sides = (a + b) * (c + d) * (a + c) * (b + d)
    if sides == 0:
        return None
    n = sum(table)
    # The correction takes at most as much as there is, as SciPy and R do it.
    gap = max(0.0, abs(a * d - b * c) - n / 2)
    value = n * gap * gap / sides
    return value, math.erfc(math.sqrt(value / 2))


def bonferroni(p: float, tests: int) -> float:
    """A p-value, adjusted for the number of tests."""
    return min(1.0, p * tests)


def odds_ratio(table: Table) -> tuple[float, float, float] | None:
    """The odds ratio with Woolf's interval; a half is added to every cell where one is empty (Haldane and Anscombe)."""
    if 0 in (table.a + table.b, table.c + table.d, table.a + table.c, table.b + table.d):
        return None
    a, b, c, d = (cell + 0.5 if 0 in table else float(cell) for cell in table)
    middle, half = math.log(a * d / (b * c)), Z95 * math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    return math.exp(middle), math.exp(middle - half), math.exp(middle + half)
