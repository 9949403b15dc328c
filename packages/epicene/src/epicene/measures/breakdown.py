"""What was read where each gender is stated, whole and by occupation: the measures behind the charts of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import Measures, Rate, expects, is_misgendered, is_open, reads
from epicene.stats.rates import wilson
from epicene.types import Gender, Item, Measure, Verdict

NOT_STATED = "not stated"
MISGENDERED = {Gender.FEMININE: "women_misgendered", Gender.MASCULINE: "men_misgendered"}
_BY_OCCUPATION = (*(Rate(name, is_misgendered, expects(gender)) for gender, name in MISGENDERED.items()),)
_OF_ALL = {
    f"{stated or NOT_STATED} as {read}": Rate("read", reads(read), expects(stated) if stated else is_open)
    for stated in (*Gender, None)
    for read in Gender
}


class Breakdown:
    """Rates with Wilson's intervals: what each stated gender became, and who is misgendered in each occupation.

    ``read`` has groups such as "feminine as masculine"; ``women_misgendered`` and ``men_misgendered`` have a group for
    each occupation.
    """

    def __init__(self, verdicts: Iterable[Verdict]) -> None:
        outcomes = Outcomes.of(Measures(groups=_name_occupation), verdicts)
        self.occupations = list(outcomes.group_sizes())  # as charts name them, in the order of the set
        self.measures = {(rate.name, rate.group): rate for rate in _list_rates(outcomes, self.occupations)}

    def find(self, name: str, group: str) -> Measure | None:
        """A measure, where anybody counts for it."""
        return self.measures.get((name, group))


def _name_occupation(item: Item) -> tuple[str]:
    return (item.labels.get("occupation") or item.person.concept,)


def _list_rates(outcomes: Outcomes, occupations: Iterable[str]) -> Iterator[Measure]:
    of_all = [(rate, group, outcomes.share(rate)) for group, rate in _OF_ALL.items()]
    by_occupation = ((rate, group, outcomes.share(rate, group)) for group in occupations for rate in _BY_OCCUPATION)
    for rate, group, share in (*of_all, *by_occupation):
        count, n = int(share.counted.sum()), int(share.of.sum())
        if n:
            low, high = (100 * end for end in wilson(count, n))
            yield Measure(rate.name, group, 100 * count / n, "%", n, count, low, high)
