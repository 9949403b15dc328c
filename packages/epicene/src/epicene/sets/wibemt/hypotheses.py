"""WiBeMT's hypotheses: whether one group of sentences is translated with feminine forms more often than another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from epicene.stats import clustered
from epicene.stats.clustered import Share
from epicene.stats.rates import Table, bonferroni, chi_square, odds_ratio
from epicene.types import Measure

if TYPE_CHECKING:
    from epicene.stats.clustered import Array

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
    low: float | None
    high: float | None
    odds: tuple[float, float, float]  # ratio and interval
    clustered_p: float | None = None  # of the gap, over occupations; agrees with its interval

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
            Measure("delta_tfg", name, self.gap, "points", n, None, self.low, self.high, self.clustered_p),
            Measure("odds_ratio", name, ratio, "", n, None, low, high),
        ]


def run_tests(counts: Mapping[str, Array], strata: Sequence[int] | None = None) -> list[Test]:
    """All hypotheses whose groups are there; ``counts`` has a row per occupation: feminine, masculine, …"""
    pairs = ((each, counts.get(each.first), counts.get(each.second)) for each in HYPOTHESES)
    tests = (_tested(each, a, b, strata) for each, a, b in pairs if a is not None and b is not None)
    return [test for test in tests if test is not None]


def _tested(hypothesis: Hypothesis, first: Array, second: Array, strata: Sequence[int] | None) -> Test | None:
    table = Table(*(int(cell) for side in (first, second) for cell in side.sum(axis=0)[:2]))
    chi, odds = chi_square(table), odds_ratio(table)
    if chi is None or odds is None:
        return None
    shares = [Share(side[:, 0], side[:, 0] + side[:, 1]) for side in (first, second)]
    gap = clustered.gap(shares[0], shares[1], strata)
    low, high = (None if end is None else 100 * float(end) for end in (gap.low, gap.high))
    p, own = bonferroni(chi[1], hypothesis.tests), gap.p_value()
    clustered_p = None if own is None else float(own)
    return Test(hypothesis, table, chi[0], p, 100 * float(gap.value), low, high, odds, clustered_p)
