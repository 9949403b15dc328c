"""Systems on the same sentences: what each gained and lost of the other's, by group, with tests that share their error.

Two systems are a table of two: all pairs of systems are tested by one function, over clusters. Where all of them are
measured on the same sentences, a pair differs by what one gained and lost; where what counts depends on what was
read, as in a share of women among women and men, the two shares are compared over the same clusters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from epicene.measures.outcomes import Outcomes, mark
from epicene.measures.rates import FEMININE, RIGHT, Holds, Rate, is_stated
from epicene.stats import clustered
from epicene.stats.clustered import Adjusted, Estimate, Share

if TYPE_CHECKING:
    from epicene.measures.outcomes import Clusters
    from epicene.types import Measure

Marks = npt.NDArray[np.bool_]  # a row a system, a column a sentence
Rows = npt.NDArray[np.int_]

ALPHA = 0.05
RARER = "rarer"  # the share of the gender that a system writes less, where the source leaves it open
# How many standard errors a test with 2.5 % in each tail sees with a power of 80 %.
_SEEN = 1.96 + 0.8416


@dataclass(frozen=True, slots=True)
class PairedTest:
    """How a rate of one group differs between two systems on the same sentences, in points."""

    group: str
    n: int
    before: float
    after: float
    difference: float
    low: float | None
    high: float | None
    gained: int
    lost: int
    undetected: tuple[int, int]  # before and after
    p: float | None  # two-sided, over clusters: under .05 exactly where the interval leaves out 0
    p_holm: float | None
    error: float | None = None
    df: float | None = None
    why: str = ""  # why there is no interval
    measure: str = RIGHT.name

    @property
    def verdict(self) -> str:
        """``worse``, ``better`` or ``no clear change``, as every output says it; of women, ``more`` or ``fewer``."""
        if self.p_holm is None or self.p_holm >= ALPHA:
            return "no clear change"
        if self.measure == FEMININE.name:
            return "fewer women" if self.difference < 0 else "more women"
        return "worse" if self.difference < 0 else "better"

    @property
    def detectable(self) -> float | None:
        """The smallest drop that so many sentences and clusters show, four times in five."""
        return None if self.error is None else _SEEN * self.error

    @property
    def estimate(self) -> Estimate:
        """The difference as inference has it."""
        if self.error is None or self.df is None:
            return Estimate(np.float64(self.difference), why=self.why)  # type: ignore[arg-type]
        value, error, df = (np.float64(number) for number in (self.difference, self.error, self.df))
        return Estimate(value, error=error, df=df)  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, Any]:
        """The test as JSON has it."""
        record = {name: getattr(self, name) for name in PairedTest.__dataclass_fields__}
        before, after = record.pop("undetected")
        record |= {"undetected_before": before, "undetected_after": after}
        record |= {"detectable": self.detectable, "verdict": self.verdict}
        record |= {"unread_before": before, "unread_after": after, "said": self.verdict}  # for one version
        return record if self.why else {name: value for name, value in record.items() if name != "why"}


class Shared:
    """Systems on the sentences that all of them have: what became of each sentence, and its cluster."""

    def __init__(self, outcomes: Sequence[Outcomes]) -> None:
        self.first, *_ = outcomes
        self.clusters: Clusters = self.first.clusters
        places = [{name: place for place, name in enumerate(system.ids or ())} for system in outcomes]
        order = [name for name in self.first.ids or () if all(name in others for others in places)]
        rows = [np.array([others[name] for name in order], dtype=int) for others in places]
        self.sentences, *_ = rows
        self.units: Rows = self.first.rows()[0][self.sentences]
        self.codes: Rows = np.stack([one.rows()[1][index] for one, index in zip(outcomes, rows, strict=True)])

    def mark(self, holds: Holds) -> Marks:
        """Of which outcomes something holds, a row a system."""
        return mark(holds)[self.codes]

    def rate(self, rate: Rate, group: str | None = None) -> Measure:
        """A rate of the last system among everybody, or in a group."""
        inside = self.first.members(group)[self.sentences]
        share = sum_shares(self.mark(rate.counted), self.mark(rate.among) & inside, self.units, self.clusters)
        return self.clusters.rate(rate.name, group or "all", Share(share.counted[-1], share.of[-1]))

    def questions(self) -> Iterator[tuple[Rate, str, Marks]]:
        """What is asked of each group, and of whom: right answers where a gender is stated, else the share of women."""
        profiles, rows = self.first.profiles, self.first.profile_rows()[self.sentences]
        stated = mark(is_stated)[self.first.rows()[1]][self.sentences]
        asked: dict[tuple[Rate, str], None] = {}
        for row, is_right in dict.fromkeys(zip(rows.tolist(), stated.tolist(), strict=True)):
            asked |= dict.fromkeys((RIGHT if is_right else FEMININE, group) for group in profiles[row].groups)
        for rate, group in asked:
            yield rate, group, self.first.members(group)[self.sentences] & (stated == (rate is RIGHT))


def compare_groups(before: Outcomes, after: Outcomes, *, identical: bool = False) -> list[PairedTest]:
    """Every group of two systems on the sentences they share, with p-values adjusted for their number.

    ``identical``: the systems wrote the same, word for word, so that no cluster hides a change.
    """
    both = Shared([before, after])
    tests = (_test_group(both, *question, identical) for question in both.questions())
    return adjust_tests([test for test in tests if test])


def compare_rarer(before: Outcomes, after: Outcomes, *, identical: bool = False) -> list[PairedTest]:
    """The share of the gender that each system writes less, where the source leaves it open; less is worse."""
    both = Shared([before, after])
    questions = (question for question in both.questions() if question[0] is FEMININE)
    tests = (_test_group(both, *question, identical, rarer=True) for question in questions)
    return adjust_tests([test for test in tests if test])


def _test_group(
    both: Shared, rate: Rate, group: str, inside: Marks, identical: bool, rarer: bool = False
) -> PairedTest | None:
    """What one group gained and lost; None where nobody of it counts for the rate in one of the systems."""
    among = both.mark(rate.among) & inside
    if not among.any(axis=1).all():
        return None
    counted = both.mark(rate.counted) & among
    if rarer:
        are_most = 2 * counted.sum(axis=1, keepdims=True) > among.sum(axis=1, keepdims=True)
        counted = (counted ^ are_most) & among
    estimate = estimate_pairs(counted, among, both.units, both.clusters, reach=not identical).of_row(0)
    missed, later_missed = (both.mark(lambda outcome: outcome.undetected) & inside).sum(axis=1).tolist()
    old, new = (100 * counted.sum(axis=1) / among.sum(axis=1)).tolist()
    p, error, df = estimate.p_value(), estimate.error, estimate.df
    return PairedTest(
        group,
        int(among.any(axis=0).sum()),
        old,
        new,
        new - old,
        *estimate.ends(),
        int((counted[1] & ~counted[0]).sum()),
        int((counted[0] & ~counted[1]).sum()),
        (missed, later_missed),
        None if p is None else float(p),
        None,
        None if error is None else 100 * float(error),
        None if df is None else float(df),
        estimate.why,
        RARER if rarer else rate.name,
    )


def adjust_tests(tests: Sequence[PairedTest]) -> list[PairedTest]:
    """The tests with p-values adjusted for how many of them there are (Holm)."""
    adjusted = clustered.adjust([test.estimate for test in tests])
    return [replace(test, p_holm=one.p) for test, one in zip(tests, adjusted, strict=True)]


def adjust_drops(tests: Sequence[PairedTest], allowed: float) -> list[Adjusted]:
    """How surely each lost more than ``allowed`` points, and the difference: adjusted for their number (Holm)."""
    return clustered.adjust([test.estimate for test in tests], -allowed)


def sum_shares(counted: Marks, among: Marks, units: Rows, clusters: Clusters) -> Share:
    """What is counted in each cluster and among how many, a row a system."""
    return Share(_sum(counted & among, units, clusters), _sum(among, units, clusters))


def estimate_pairs(counted: Marks, among: Marks, units: Rows, clusters: Clusters, reach: bool = True) -> Estimate:
    """The difference of every pair of systems, from what each gained and lost of the other's sentences."""
    share = sum_shares(counted, among, units, clusters)
    if not (among == among[:1]).all():
        return estimate_gaps(share, clusters, reach)
    first, second = np.triu_indices(len(counted), 1)
    marks = counted & among
    both = _sum(marks[first] & marks[second], units, clusters)
    return clustered.difference(
        share.counted[second] - both, share.counted[first] - both, share.of[first], clusters.design, reach=reach
    )


def estimate_gaps(share: Share, clusters: Clusters, reach: bool = True) -> Estimate:
    """The difference of every pair of shares over the same clusters."""
    first, second = np.triu_indices(len(share.of), 1)
    one, other = (Share(share.counted[side], share.of[side]) for side in (first, second))
    return clustered.gap(other, one, clusters.design, reach=reach)


def _sum(marks: Marks, units: Rows, clusters: Clusters) -> npt.NDArray[np.float64]:
    sums = np.zeros((len(marks), len(clusters.rows)))
    np.add.at(sums.T, units, marks.T.astype(np.float64))
    return sums
