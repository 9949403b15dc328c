"""What was read where each gender is stated, whole and by occupation: the drill-down of pages and charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from epicene.measures.outcomes import OPPOSITE
from epicene.stats.rates import wilson
from epicene.types import Gender, Measure, Verdict

Cells = Counter[tuple[Gender | None, Gender]]  # by what is stated and what was read


class Breakdown(NamedTuple):
    """How often each gender was read where each was stated."""

    whole: Cells
    occupations: dict[str, Cells]  # by the word for the person, as charts name them

    def stated(self, gender: Gender | None) -> int:
        """How many people the sentences say to be so."""
        return sum(number for (stated, _), number in self.whole.items() if stated is gender)

    def share_stated(self) -> float | None:
        """Women among the people whose gender the sentences state, in per cent."""
        women, men = (self.stated(gender) for gender in OPPOSITE)
        return 100 * women / (women + men) if women + men else None


def break_down(verdicts: Iterable[Verdict]) -> Breakdown:
    """Count verdicts by what is stated and read."""
    breakdown = Breakdown(Counter(), {})
    for verdict in verdicts:
        item = verdict.output.item
        cell = (item.expected, verdict.gender)
        breakdown.whole[cell] += 1
        breakdown.occupations.setdefault(item.labels.get("occupation") or item.person.concept, Counter())[cell] += 1
    return breakdown


def misgendered(cells: Cells, gender: Gender, occupation: str = "") -> Measure | None:
    """How often people of a gender are written with the other, within one occupation: Wilson's interval."""
    numbers = {read: number for (stated, read), number in cells.items() if stated is gender}
    return _rate("misgendered", occupation, numbers.get(OPPOSITE[gender], 0), sum(numbers.values()))


def feminine(cells: Cells, occupation: str = "") -> Measure | None:
    """How often the feminine was read among the feminine and masculine, within an occupation or a few."""
    women, men = (sum(number for (_, read), number in cells.items() if read is gender) for gender in OPPOSITE)
    return _rate("feminine", occupation, women, women + men)


def _rate(name: str, group: str, count: int, n: int) -> Measure | None:
    low, high = (100 * end for end in wilson(count, n))
    return Measure(name, group, 100 * count / n, "%", n, count, low, high) if n else None
