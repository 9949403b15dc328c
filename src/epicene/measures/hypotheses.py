"""WiBeMT's hypotheses: whether one group of sentences is translated with feminine forms more often than another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from epicene.stats.bootstrap import cluster_interval
from epicene.stats.contingency import Table, bonferroni, chi_square, difference, odds_ratio
from epicene.types import Measure

if TYPE_CHECKING:
    from epicene.stats.bootstrap import Array

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The first group has more feminine translations than the second, or fewer."""

    name: str
    first: str
    second: str
    tests: int  # how many tests of one family share the error: Bonferroni
    more: bool = True
    claim: str = ""


# H2b's published p of .008 is three times that of its chi-square: the authors adjusted for H2a to H2c, not for H1.
HYPOTHESES = (
    Hypothesis("H1", "verbs/feminine", "verbs/masculine", 1, claim="feminine verbs bring more feminine translations"),
    Hypothesis("H2a", "adjectives/feminine", "adjectives/none", 3, claim="feminine adjectives bring more of them"),
    Hypothesis("H2b", "adjectives/masculine", "adjectives/none", 3, False, "masculine adjectives bring fewer of them"),
    Hypothesis("H2c", "adjectives/feminine", "adjectives/masculine", 3, claim="feminine ones more than masculine ones"),
    Hypothesis("occ-M", "verbs/occ-feminine", "verbs/occ-masculine", 2, claim="feminine occupations against masculine"),
    Hypothesis("occ-N", "verbs/occ-feminine", "verbs/occ-neutral", 2, claim="feminine occupations against neutral"),
)


@dataclass(frozen=True, slots=True)
class Test:
    """A hypothesis tested: chi-square with Yates' correction, and how large the effect is."""

    hypothesis: Hypothesis
    table: Table
    chi2: float
    p: float  # after Bonferroni
    gap: float  # of %TFG, in points
    low: float
    high: float
    odds: tuple[float, float, float]  # ratio and interval

    @property
    def holds(self) -> bool:
        """Whether the difference is significant and goes the way the hypothesis says."""
        return self.p < ALPHA and (self.gap > 0) == self.hypothesis.more

    def measures(self) -> list[Measure]:
        """The test as measures."""
        name, n = self.hypothesis.name, sum(self.table)
        ratio, low, high = self.odds
        return [
            Measure("chi2", name, self.chi2, "χ²", n, p=self.p),
            Measure("delta_tfg", name, self.gap, "points", n, None, self.low, self.high),
            Measure("odds_ratio", name, ratio, "", n, None, low, high),
        ]


def run_tests(counts: Mapping[str, Array]) -> list[Test]:
    """All hypotheses whose groups are there; ``counts`` has a row per occupation: feminine, masculine, …"""
    pairs = ((each, counts.get(each.first), counts.get(each.second)) for each in HYPOTHESES)
    tests = (_tested(each, a, b) for each, a, b in pairs if a is not None and b is not None)
    return [test for test in tests if test is not None]


def _tested(hypothesis: Hypothesis, first: Array, second: Array) -> Test | None:
    import numpy as np

    table = Table(*(int(cell) for side in (first, second) for cell in side.sum(axis=0)[:2]))
    chi, gap, odds = chi_square(table), difference(table), odds_ratio(table)
    if chi is None or gap is None or odds is None:
        return None
    joined = np.hstack([first[:, :2], second[:, :2]])
    # Sentences of one occupation stand or fall together, so occupations are drawn; the wider interval is told.
    low, high = 100 * gap[1], 100 * gap[2]
    if interval := cluster_interval(joined[joined.any(axis=1)], _gap):
        low, high = min(low, interval[0]), max(high, interval[1])
    p = bonferroni(chi[1], hypothesis.tests)
    return Test(hypothesis, table, chi[0], p, 100 * gap[0], low, high, odds)


def _gap(sums: Array) -> Array:
    first = sums[:, 0] / (sums[:, 0] + sums[:, 1])
    second = sums[:, 2] / (sums[:, 2] + sums[:, 3])
    gap: Array = 100 * (first - second)
    return gap
