"""What a page counts in the verdicts of a result: expected against read gender, whole and by occupation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from epicene.measures.outcomes import Clusters
from epicene.stats.rates import wilson
from epicene.types import Gender, Item, Verdict

OPPOSITE = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
DOUBTFUL = 0.05  # of the sentences unread, from which on a page warns
Cells = Counter[tuple[Gender | None, Gender]]


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of n with its interval, in per cent."""

    count: int
    n: int
    unread: int = 0
    clustered: tuple[float, float] | None = None  # the interval that keeps sentences of one occupation together
    within: bool = True  # whether all sentences are of one occupation, so that none have to be kept together

    @property
    def value(self) -> float:
        """The share in per cent."""
        return 100 * self.count / self.n

    @property
    def interval(self) -> tuple[float, float] | None:
        """In per cent: over occupations, Wilson's within one; None where there are too few occupations."""
        return self.over_sentences if self.within else self.clustered

    @property
    def over_sentences(self) -> tuple[float, float]:
        """Wilson's interval, which holds within one occupation."""
        low, high = wilson(self.count, self.n)
        return 100 * low, 100 * high

    @property
    def most(self) -> float:
        """The share if all that could not be read counted, too."""
        return 100 * (self.count + self.unread) / self.n

    @property
    def doubtful(self) -> bool:
        """Whether so much could not be read that the share alone misleads."""
        return self.unread > DOUBTFUL * self.n


@dataclass(slots=True)
class Counts:
    """How often each gender was read where each was expected."""

    cells: Cells = field(default_factory=Counter)
    occupations: dict[str, Cells] = field(default_factory=dict)  # by the word for the person, as charts name them
    units: dict[str, Cells] = field(default_factory=dict)  # by what stands or falls together, as intervals need them
    strata: dict[str, str] = field(default_factory=dict)  # of units

    def misgendered(self, *expected: Gender) -> Rate | None:
        """How often the other of the two genders was read; None where no sentence expects one of these, or any."""
        return self._clustered(lambda cells: misgendered(cells, expected or tuple(OPPOSITE)))

    def written(self, gender: Gender) -> Rate | None:
        """How often a gender was read, whatever was expected."""
        return self._clustered(lambda cells: written(cells, gender))

    def _clustered(self, rated: Callable[[Cells], Rate | None]) -> Rate | None:
        whole = rated(self.cells)
        if not whole or not self.units:
            return whole
        clusters = Clusters.of((name, self.strata.get(name, "")) for name in self.units)
        parts = {name: rate for name, cells in self.units.items() if (rate := rated(cells))}
        share = clusters.share((name, rate.count, rate.n) for name, rate in parts.items())
        found = clusters.rate("", "", share)
        ends = None if found.low is None or found.high is None else (found.low, found.high)
        return replace(whole, clustered=ends, within=False)


def count(verdicts: Iterable[Verdict], stratum: Callable[[Item], str] = lambda _: "") -> Counts:
    """Count verdicts."""
    found = Counts()
    for verdict in verdicts:
        item = verdict.output.item
        cell = (item.expected, verdict.gender)
        found.cells[cell] += 1
        unit, word = item.unit, item.labels.get("occupation") or item.person.concept
        found.occupations.setdefault(word, Counter())[cell] += 1
        found.units.setdefault(unit, Counter())[cell] += 1
        found.strata[unit] = found.strata.get(unit) or stratum(item)
    return found


def misgendered(cells: Cells, expected: Iterable[Gender] = tuple(OPPOSITE)) -> Rate | None:
    """How often the opposite of an expected gender was read."""
    wanted = set(expected)
    n = sum(number for (gold, _), number in cells.items() if gold in wanted)
    wrong = sum(number for (gold, read), number in cells.items() if gold in wanted and read is OPPOSITE[gold])
    unread = sum(number for (gold, read), number in cells.items() if gold in wanted and read is Gender.UNKNOWN)
    return Rate(wrong, n, unread) if n else None


def written(cells: Cells, gender: Gender) -> Rate | None:
    """How often a gender was read."""
    count = sum(number for (_, read), number in cells.items() if read is gender)
    unread = sum(number for (_, read), number in cells.items() if read is Gender.UNKNOWN)
    return Rate(count, cells.total(), unread) if cells else None


def share_feminine(cells: Cells) -> Rate | None:
    """How often the feminine was read among the feminine and masculine."""
    feminine = sum(number for (_, read), number in cells.items() if read is Gender.FEMININE)
    masculine = sum(number for (_, read), number in cells.items() if read is Gender.MASCULINE)
    return Rate(feminine, feminine + masculine) if feminine + masculine else None


def outcome(verdict: Verdict) -> str:
    """What a verdict comes to, as a page sorts sentences."""
    expected, read = verdict.output.item.expected, verdict.gender
    if read is Gender.UNKNOWN:
        return "unread"
    if expected is None:
        return "no expectation"
    if read is expected:
        return "right" if verdict.right else "right gender, other word"
    return "no gender" if read is Gender.NEUTRAL else "wrong"
