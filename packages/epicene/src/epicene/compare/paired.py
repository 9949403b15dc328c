"""Two systems on the same sentences: what was gained and lost, by group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from epicene.measures.outcomes import Clusters
from epicene.stats.clustered import Estimate, difference, gap
from epicene.stats.rates import holm
from epicene.stats.student import student_quantile
from epicene.types import Measure

if TYPE_CHECKING:
    from epicene.stats.clustered import Array

ALPHA = 0.05
# What is compared: right sentences, or women among women and men written; of these, the gender that is written less.
RIGHT, FEMININE, RARER = "right", "feminine", "rarer"
# How many standard errors a test with 2.5 % in each tail sees with a power of 80 %.
_SEEN = 1.96 + 0.8416


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a sentence came out right or could not be read, what it counts for, and what it stands or falls with."""

    right: bool
    groups: tuple[str, ...]
    cluster: str
    stratum: str = ""
    unread: bool = False
    measure: str = RIGHT
    among: bool = True  # whether it counts at all: of a share among women and men, whether either was read


@dataclass(frozen=True, slots=True)
class Change:
    """How the rate of right sentences changed in a group, in points."""

    group: str
    n: int
    before: float
    after: float
    difference: float
    low: float | None
    high: float | None
    gained: int
    lost: int
    unread: tuple[int, int]  # before and after
    p: float | None  # two-sided, over clusters: under .05 exactly where the interval leaves out 0
    p_holm: float | None
    error: float | None = None
    df: float | None = None
    why: str = ""  # why there is no interval
    measure: str = RIGHT

    @property
    def said(self) -> str:
        """``worse``, ``better`` or ``no clear change``, as every output says it; of women, ``more`` or ``fewer``."""
        if self.p_holm is None or self.p_holm >= ALPHA:
            return "no clear change"
        if self.measure == FEMININE:
            return "fewer women" if self.difference < 0 else "more women"
        return "worse" if self.difference < 0 else "better"

    @property
    def detectable(self) -> float | None:
        """The smallest drop that so many sentences and clusters show, four times in five."""
        return None if self.error is None else _SEEN * self.error

    def p_drop(self, allowed: float) -> float | None:
        """One-sided: how surely more than ``allowed`` points were lost."""
        import numpy as np

        if self.error is None or self.df is None:
            return None
        value, error, df = (np.float64(each) for each in (self.difference, self.error, self.df))
        p = Estimate(value, error=error, df=df).p_below(-allowed)  # type: ignore[arg-type]
        return None if p is None else float(p)

    def interval(self, tail: float) -> tuple[float, float] | None:
        """The ends that leave out so much on either side, from the same error and df as the tests."""
        if self.error is None or self.df is None:
            return None
        half = float(student_quantile(self.df, 1 - tail)) * self.error
        return self.difference - half, self.difference + half

    def as_dict(self) -> dict[str, Any]:
        """The change as JSON has it."""
        found = {name: getattr(self, name) for name in Change.__dataclass_fields__ if name not in ("unread", "why")}
        found |= {"undetected_before": self.unread[0], "undetected_after": self.unread[1]}
        found |= {"unread_before": self.unread[0], "unread_after": self.unread[1]}  # for one version
        return {**found, "detectable": self.detectable, "said": self.said, **({"why": self.why} if self.why else {})}


def changes(before: Mapping[str, Outcome], after: Mapping[str, Outcome]) -> list[Change]:
    """The change of every group, with p-values adjusted for their number."""
    clusters = Clusters.of((outcome.cluster, outcome.stratum) for outcome in before.values())
    groups: dict[tuple[str, str], list[tuple[Outcome, Outcome]]] = {}
    for name, outcome in before.items():
        for group in outcome.groups:
            groups.setdefault((outcome.measure, group), []).append((outcome, after[name]))
    found = [
        _change(group, pairs, clusters) if measure == RIGHT else _share(group, pairs, clusters)
        for (measure, group), pairs in groups.items()
        if all(any(each[side].among for each in pairs) for side in (0, 1))
    ]
    return adjusted(found)


def adjusted(found: Sequence[Change]) -> list[Change]:
    """The changes with p-values adjusted for how many of them there are (Holm)."""
    known = [change.p for change in found if change.p is not None]
    held = iter(holm(known))
    return [change if change.p is None else replace(change, p_holm=next(held)) for change in found]


def p_drops(found: Sequence[Change], allowed: float) -> list[float | None]:
    """One-sided, for each change: how surely more than ``allowed`` points were lost, adjusted for their number."""
    tests = [change.p_drop(allowed) for change in found]
    held = iter(holm([p for p in tests if p is not None]))
    return [None if p is None else next(held) for p in tests]


def _share(group: str, pairs: Sequence[tuple[Outcome, Outcome]], clusters: Clusters) -> Change:
    """Women among women and men written, of all sentences in which a system wrote either."""
    old, new = (clusters.share((e[s].cluster, e[s].right, 1) for e in pairs if e[s].among) for s in (0, 1))
    found = gap(new, old, clusters.strata)
    before, after = (100 * float(share.counted.sum() / share.of.sum()) for share in (old, new))
    low, high, error = _points(found.low, found.high, found.error)
    p = found.p_value()
    return Change(
        group,
        sum(one.among or other.among for one, other in pairs),
        before,
        after,
        after - before,
        low,
        high,
        sum(other.right and not one.right for one, other in pairs),
        sum(one.right and not other.right for one, other in pairs),
        _unread(pairs),
        None if p is None else float(p),
        None if p is None else float(p),
        error,
        None if found.df is None else float(found.df),
        found.why,
        FEMININE,
    )


def rarer(before: Mapping[str, Outcome], after: Mapping[str, Outcome]) -> list[Change]:
    """How the share of the gender that is written less changed, where the source leaves it open; less is worse."""
    clusters = Clusters.of((outcome.cluster, outcome.stratum) for outcome in before.values())
    groups: dict[str, list[tuple[Outcome, Outcome]]] = {}
    for name, outcome in before.items():
        if outcome.measure == FEMININE:
            for group in outcome.groups:
                groups.setdefault(group, []).append((outcome, after[name]))
    sides = {
        group: [_less_written(each) for each in zip(*pairs, strict=True)]
        for group, pairs in groups.items()
        if all(any(each[side].among for each in pairs) for side in (0, 1))
    }
    found = [_share(group, list(zip(*both, strict=True)), clusters) for group, both in sides.items()]
    return adjusted([replace(change, measure=RARER) for change in found])


def _less_written(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes of one system, with those counted that are of the gender which it writes less."""
    told = [each for each in outcomes if each.among]
    if 2 * sum(each.right for each in told) <= len(told):
        return list(outcomes)
    return [replace(each, right=each.among and not each.right) for each in outcomes]


def _points(*values: Array | None) -> list[float | None]:
    return [None if each is None else 100 * float(each) for each in values]


def _unread(pairs: Sequence[tuple[Outcome, Outcome]]) -> tuple[int, int]:
    return sum(old.unread for old, _ in pairs), sum(new.unread for _, new in pairs)


def _change(group: str, pairs: Sequence[tuple[Outcome, Outcome]], clusters: Clusters) -> Change:
    n = len(pairs)
    gains = clusters.share((old.cluster, new.right and not old.right, 1) for old, new in pairs)
    losses = clusters.share((old.cluster, old.right and not new.right, 1) for old, new in pairs)
    found = difference(gains.counted, losses.counted, gains.of, clusters.strata)
    low, high, error = _points(found.low, found.high, found.error)
    p = found.p_value()
    gained, lost = int(gains.counted.sum()), int(losses.counted.sum())
    before, change = 100 / n * sum(old.right for old, _ in pairs), 100 / n * (gained - lost)
    return Change(
        group,
        n,
        before,
        before + change,
        change,
        low,
        high,
        gained,
        lost,
        _unread(pairs),
        None if p is None else float(p),
        None if p is None else float(p),
        error,
        None if found.df is None else float(found.df),
        found.why,
    )


def rates_of(outcomes: Iterable[Outcome], name: str) -> list[Measure]:
    """How many sentences of each group came out right, or as women."""
    concerned = [outcome for outcome in outcomes if outcome.measure == name]
    clusters = Clusters.of((outcome.cluster, outcome.stratum) for outcome in concerned)
    groups = dict.fromkeys(group for outcome in concerned for group in outcome.groups)
    return [
        clusters.rate(name, group, clusters.share((o.cluster, o.right, 1) for o in concerned if group in o.groups))
        for group in groups
    ]


def undetected_of(outcomes: Sequence[Outcome]) -> Measure:
    """In how many sentences no gender was detected."""
    clusters = Clusters.of((outcome.cluster, outcome.stratum) for outcome in outcomes)
    return clusters.rate("unread", "all", clusters.share((o.cluster, o.unread, 1) for o in outcomes))
