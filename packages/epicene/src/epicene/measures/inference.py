"""Measures with the intervals that all of them have: over clusters of sentences, drawn within strata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from epicene.stats import clustered
from epicene.stats.clustered import Estimate, Share
from epicene.types import Measure


@dataclass(frozen=True, slots=True)
class Clusters:
    """The units that sentences belong to, such as occupations, in rows, and the stratum that each is drawn from."""

    rows: Mapping[str, int]
    strata: Sequence[int]

    @classmethod
    def of(cls, units: Iterable[tuple[str, str]]) -> Clusters:
        """Clusters from pairs of unit and stratum; a unit keeps the first stratum that any of its sentences names."""
        found: dict[str, str] = {}
        for unit, stratum in units:
            found[unit] = found.get(unit) or stratum
        names = {name: number for number, name in enumerate(sorted(set(found.values())))}
        ordered = sorted(found)
        return cls({unit: row for row, unit in enumerate(ordered)}, [names[found[unit]] for unit in ordered])

    def share(self, counts: Iterable[tuple[str, float, float]]) -> Share:
        """What is counted and among how many, from (unit, counted, among) in any order."""
        import numpy as np

        table = np.zeros((2, len(self.rows)))
        for unit, counted, among in counts:
            table[:, self.rows[unit]] += counted, among
        return Share(table[0], table[1])

    def rate(
        self,
        name: str,
        group: str,
        share: Share,
        unread: int | None = None,
        apart: int | None = None,
        detail: bool | None = None,
    ) -> Measure:
        """A share in per cent; not defined where there is nothing to count."""
        n, count = round(float(share.of.sum())), round(float(share.counted.sum()))
        if not n:
            return Measure(name, group, None, "%", 0, 0, unread=unread, apart=apart, detail=detail)
        low, high, why = _ends(clustered.rate(share, self.strata))
        value = 100 * count / n
        return Measure(name, group, value, "%", n, count, low, high, None, unread, apart, detail, why=why)

    def gap(self, name: str, group: str, first: Share, second: Share, n: int | None = None) -> Measure:
        """The first share less the second, in points; ``n`` where they share sentences."""
        total = round(float(first.of.sum() + second.of.sum())) if n is None else n
        if not first.of.any() or not second.of.any():
            return Measure(name, group, None, "points", total)
        low, high, why = _ends(clustered.gap(first, second, self.strata))
        one, other = (100 * float(share.counted.sum()) / float(share.of.sum()) for share in (first, second))
        return Measure(name, group, one - other, "points", total, None, low, high, why=why)

    def mean(self, name: str, group: str, unit: str, share: Share, n: int, scale: float = 1.0) -> Measure:
        """A ratio that may be any number."""
        if not share.of.any():
            return Measure(name, group, None, unit, n)
        estimate = clustered.mean(share, self.strata)
        low, high, why = _ends(estimate, scale)
        return Measure(name, group, scale * float(estimate.value), unit, n, None, low, high, why=why)


def _ends(estimate: Estimate, scale: float = 100.0) -> tuple[float | None, float | None, str | None]:
    if estimate.low is None or estimate.high is None:
        return None, None, estimate.why
    return scale * float(estimate.low), scale * float(estimate.high), None


def add(first: Share, second: Share) -> Share:
    """Two shares of the same clusters taken together."""
    return Share(first.counted + second.counted, first.of + second.of)
