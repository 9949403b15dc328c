"""The association of words with two attributes (WEAT, Caliskan et al. 2017): pure functions on vectors.

Each sum is rounded once, correctly, whatever the order of its terms, so scores are the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import starmap
from operator import mul
from typing import Any

import numpy as np
import numpy.typing as npt

from epicene.stats.exact import Counts, signs
from epicene.stats.means import fisher
from epicene.stats.rates import wilson
from epicene.types import Measure

Array = npt.NDArray[np.float64]
# Scores as whole numbers of 2⁻⁴⁰, about 10⁻¹²: finer than any vector file, and the sum of a million fits in 64 bits.
FRACTION_BITS = 40

Components = Sequence[float]


def unit(vector: Iterable[float]) -> list[float]:
    """A vector of length one in the same direction."""
    components = list(vector)
    # A power of two takes the size out exactly, so that squares neither overflow nor vanish.
    _, exponent = math.frexp(max(map(abs, components)))
    scaled = [math.ldexp(number, -exponent) for number in components]
    length = math.sqrt(math.fsum(number * number for number in scaled))
    return [number / length for number in scaled]


def unit_rows(rows: Array) -> Array:
    """Rows of length one."""
    return np.asarray(rows / np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None])


def scores(targets: Iterable[Components], first: Iterable[Components], second: Iterable[Components]) -> list[float]:
    """How much closer each target is to the first attribute than to the second, in mean cosines: s(w, A, B)."""
    # The mean of cosines is the cosine with the mean of unit vectors, so one product a target suffices.
    direction = [a - b for a, b in zip(_mean(first), _mean(second), strict=True)]
    return [math.fsum(starmap(mul, zip(unit(target), direction, strict=True))) for target in targets]


def _mean(vectors: Iterable[Components]) -> list[float]:
    columns = list(zip(*map(unit, vectors), strict=True))
    return [math.fsum(column) / len(column) for column in columns]


def fixed(values: Iterable[float]) -> list[int]:
    """Scores in fixed point."""
    return [round(math.ldexp(value, FRACTION_BITS)) for value in values]


def statistic(x: Sequence[float], y: Sequence[float]) -> float:
    """The test statistic s(X, Y, A, B): the sum over X less the sum over Y."""
    return math.fsum(x) - math.fsum(y)


def effect_size(x: Sequence[float], y: Sequence[float], ddof: int = 1) -> float | None:
    """Cohen's d: the difference of means in standard deviations of all; None where all scores are the same."""
    everything = [*x, *y]
    if len(set(everything)) == 1 or len(everything) <= ddof:
        return None
    mean = math.fsum(everything) / len(everything)
    variance = math.fsum((score - mean) ** 2 for score in everything) / (len(everything) - ddof)
    return (math.fsum(x) / len(x) - math.fsum(y) / len(y)) / math.sqrt(variance)


def effect_interval(d: float, x: int, y: int, ddof: int = 1) -> tuple[float, float] | None:
    """The 95 % interval of an effect size, from how many words of X and Y it comes.

    Scaled by its largest value, d is the correlation of score and side; Fisher's interval for that keeps within bounds
    and covers where resampling eight words does not.
    """
    n = x + y
    largest = math.sqrt(n * (n - ddof) / (x * y))
    interval = fisher(d / largest, n)
    return (largest * interval[0], largest * interval[1]) if interval else None


def effect(name: str, x: Sequence[float], y: Sequence[float], ddof: int) -> Measure:
    """The effect size of a test with its interval."""
    d = effect_size(x, y, ddof)
    low, high = (d is not None and effect_interval(d, len(x), len(y), ddof)) or (None, None)
    return Measure("effect_size", name, d, "d", len(x) + len(y), None, low, high)


def p_values(name: str, counts: Counts) -> tuple[Measure, Measure]:
    """One-sided: the share of partitions above the observed one (Equation 2); two-sided: of those as far from zero.

    Neither is ever zero: of all partitions, the observed one is as extreme as itself; of those drawn, it counts as one.
    """
    measures = []
    for kind, count in (("p_one_sided", counts.greater), ("p_two_sided", counts.extreme)):
        n = counts.partitions
        low, high = (None, None) if counts.exact else wilson(count, n)
        measures.append(Measure(kind, name, share(count, n, counts.exact), "p", n, count, low, high))
    return measures[0], measures[1]


def share(count: int, ways: int, exact: bool) -> float:
    """The p of so many ways that reach as far: among all of them the observed one is, to those drawn it is added."""
    return max(count, 1) / ways if exact else (count + 1) / (ways + 1)


def share_of(reached: Any, exact: bool) -> float:
    """The p of ways (an array of truths) that reach as far as the observed one."""
    return share(int(reached.sum()), len(reached), exact)


def sign_p(values: Array, draws: int, seed: int) -> float:
    """How often turning values round, all ways or some drawn, gives a sum as far from zero as theirs."""
    sums = signs(len(values), draws, seed) @ values
    return share_of(abs(sums) >= abs(values.sum()) - 1e-12, len(sums) == 2 ** len(values))
