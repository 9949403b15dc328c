"""What was read where each gender is stated, whole and by occupation: the measures behind the charts of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from epicene.measures.rates import OPPOSITE
from epicene.stats.rates import wilson
from epicene.types import Gender, Measure, Verdict

NOT_STATED = "not stated"
Cells = Counter[tuple[Gender | None, Gender]]  # by what is stated and what was read


class Breakdown:
    """Rates with Wilson's intervals: what each stated gender became, and who is misgendered in each occupation.

    ``read`` has groups such as "feminine as masculine"; ``women_misgendered``, ``men_misgendered`` and ``feminine``
    (among those shown as women or men) have a group for each occupation; ``stated feminine`` is the share of women
    among the people whose gender is stated.
    """

    def __init__(self, verdicts: Iterable[Verdict]) -> None:
        whole, occupations = Cells(), dict[str, Cells]()
        for verdict in verdicts:
            item = verdict.output.item
            cell = (item.expected, verdict.gender)
            whole[cell] += 1
            occupations.setdefault(item.labels.get("occupation") or item.person.concept, Cells())[cell] += 1
        self.occupations = list(occupations)  # as charts name them, in the order of the set
        rates = [*_share_readings(whole), *_share_occupations(occupations)]
        self.measures = {(rate.name, rate.group): rate for rate in rates}

    def find(self, name: str, group: str) -> Measure | None:
        """A measure, where anybody counts for it."""
        return self.measures.get((name, group))


MISGENDERED = {Gender.FEMININE: "women_misgendered", Gender.MASCULINE: "men_misgendered"}


def _share_readings(whole: Cells) -> Iterator[Measure]:
    for stated in (*Gender, None):
        n = sum(number for (own, _), number in whole.items() if own is stated)
        for read in Gender if n else ():
            yield _rate("read", f"{stated or NOT_STATED} as {read}", whole[stated, read], n)
    women, men = (sum(number for (stated, _), number in whole.items() if stated is gender) for gender in OPPOSITE)
    if women + men:
        yield _rate("stated", "feminine", women, women + men)


def _share_occupations(occupations: dict[str, Cells]) -> Iterator[Measure]:
    for occupation, cells in occupations.items():
        for gender, name in MISGENDERED.items():
            if n := sum(number for (stated, _), number in cells.items() if stated is gender):
                yield _rate(name, occupation, cells[gender, OPPOSITE[gender]], n)
        women, men = (sum(number for (_, read), number in cells.items() if read is gender) for gender in OPPOSITE)
        if women + men:
            yield _rate("feminine", occupation, women, women + men)


def _rate(name: str, group: str, count: int, n: int) -> Measure:
    low, high = (100 * end for end in wilson(count, n))
    return Measure(name, group, 100 * count / n, "%", n, count, low, high)
