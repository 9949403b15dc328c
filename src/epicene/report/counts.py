"""What a page counts in the verdicts of a result: expected against read gender, whole and by occupation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from epicene.stats.rates import wilson
from epicene.types import Gender, Verdict

OPPOSITE = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}
Cells = Counter[tuple[Gender | None, Gender]]


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of n with its interval, in per cent."""

    count: int
    n: int

    @property
    def value(self) -> float:
        """The share in per cent."""
        return 100 * self.count / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval in per cent."""
        low, high = wilson(self.count, self.n)
        return 100 * low, 100 * high


@dataclass(slots=True)
class Counts:
    """How often each gender was read where each was expected."""

    cells: Cells = field(default_factory=Counter)
    occupations: dict[str, Cells] = field(default_factory=dict)

    def misgendered(self, expected: Gender) -> Rate | None:
        """How often the other of the two genders was read; None where no sentence expects this one."""
        return misgendered(self.cells, (expected,))


def count(verdicts: Iterable[Verdict]) -> Counts:
    """Count verdicts."""
    found = Counts()
    for verdict in verdicts:
        item = verdict.output.item
        cell = (item.expected, verdict.gender)
        found.cells[cell] += 1
        name = item.labels.get("occupation") or item.focus.concept
        found.occupations.setdefault(name, Counter())[cell] += 1
    return found


def misgendered(cells: Cells, expected: Iterable[Gender] = tuple(OPPOSITE)) -> Rate | None:
    """How often the opposite of an expected gender was read."""
    wanted = set(expected)
    n = sum(number for (gold, _), number in cells.items() if gold in wanted)
    wrong = sum(number for (gold, read), number in cells.items() if gold in wanted and read is OPPOSITE[gold])
    return Rate(wrong, n) if n else None


def share_feminine(cells: Cells) -> Rate | None:
    """How often the feminine was read among the feminine and masculine."""
    feminine = sum(number for (_, read), number in cells.items() if read is Gender.FEMININE)
    masculine = sum(number for (_, read), number in cells.items() if read is Gender.MASCULINE)
    return Rate(feminine, feminine + masculine) if feminine + masculine else None


def outcome(expected: Gender | None, read: Gender) -> str:
    """What a verdict comes to, as a page sorts sentences."""
    if read is Gender.UNKNOWN:
        return "unread"
    if expected is None:
        return "no expectation"
    if read is expected:
        return "right"
    return "no gender" if read is Gender.NEUTRAL else "wrong"
