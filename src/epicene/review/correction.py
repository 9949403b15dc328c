"""What a review says about a run: the detector's precision and recall, and every rate corrected for its errors.

Sentences on which people are divided are not left out, which would make the detector look better than it is. Until
somebody adjudicates, each counts in parts for what people say of it, and the interval is as much wider as the truth
about these sentences may move the number: by chance, and by what nobody knows, namely whether they are like the
sentences on which people agree or as open as a coin. What adjudicators found so far counts for the rest.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from epicene.output.counts import OPPOSITE, count
from epicene.pipeline import plan
from epicene.result import Result, Review
from epicene.review.estimates import MISGENDERED, Estimates, Own, Read, Weights
from epicene.review.outcomes import Cell
from epicene.review.plan import Case, Kind, cases, kind
from epicene.review.votes import agreement, counted, said
from epicene.stats.profile import Interval
from epicene.stats.rates import Z95
from epicene.store.reviews import Decision
from epicene.types import Corrected, Gender, Measure

_PRIOR = 2.0  # adjudicated sentences that what is assumed about divided ones weighs as much as


def reviewed(results: Sequence[Result], decisions: Sequence[Decision]) -> list[Result]:
    """The results with what people found; without decisions they are as the detector left them."""
    every = [cases([result]) for result in results]
    outputs = {case.key: case.verdict.output.text for own in every for case in own}
    # A run that was made anew may have other translations; decisions about the old ones do not hold.
    current = [each for each in decisions if outputs.get(each.key) == each.output and each.gender]
    found: dict[int, Result] = {}
    for signature in dict.fromkeys(result.signature for result in results):
        places = [place for place, result in enumerate(results) if result.signature == signature]
        review = _Reviewed([results[place] for place in places], [every[place] for place in places], current)
        found.update(zip(places, review.applied(), strict=True))
    return said([found[place] for place in range(len(results))], current)


class _Split(NamedTuple):
    """Sentences of one stratum on which people are divided in the same way."""

    how: Kind
    options: tuple[Gender, ...]
    sentences: tuple[tuple[int, Read], ...]  # the place of the result, and the sentence
    likely: tuple[float, ...]  # how often each option may be the truth
    unknown: tuple[float, ...]  # how far off that may be

    def moved(self) -> Iterator[tuple[float, ...]]:
        """Shares that are as far off as they may be, towards each option and away from it."""
        for place in range(len(self.options) - (len(self.options) == 2)):
            own = self.likely[place]
            reach = math.hypot(Z95 * math.sqrt(own * (1 - own) / len(self.sentences)), self.unknown[place])
            for end in (max(0.0, own - reach), min(1.0, own + reach)):
                rest = (1 - end) / (1 - own) if own < 1 else 0.0
                yield tuple(end if at == place else share * rest for at, share in enumerate(self.likely))


class _Reviewed:
    """The results of one signature, so of one detector, and what people say about them."""

    def __init__(
        self, results: Sequence[Result], found: Sequence[Sequence[Case]], decisions: Sequence[Decision]
    ) -> None:
        self._results = results
        self._family = plan.family_of(results[0].set)
        keys = {case.key for own in found for case in own}
        self._decisions = [each for each in decisions if each.key in keys]
        self._votes = counted(self._decisions)
        self._reads = [[(case.key, self._read(case)) for case in own] for own in found]
        self._splits = self._divided()

    def _read(self, case: Case) -> Read:
        item = case.verdict.output.item
        return Cell(self._family.key(item), item.expected), kind(case.verdict)

    def _divided(self) -> list[_Split]:
        """The sentences that are still open, with how often each answer may be the true one."""
        usual, settled = Counter[tuple[Kind, Gender]](), Counter[tuple[Kind, Gender]]()
        groups: dict[tuple[Kind, tuple[Gender, ...]], list[tuple[int, Read]]] = defaultdict(list)
        for place, own in enumerate(self._reads):
            for key, read in own:
                if key in self._votes.divided:
                    groups[read[1], self._votes.divided[key]].append((place, read))
                elif key in self._votes.truth:
                    (settled if key in self._votes.adjudicated else usual)[read[1], self._votes.truth[key]] += 1
        return [self._split(how, options, found, usual, settled) for (how, options), found in groups.items()]

    @staticmethod
    def _split(
        how: Kind,
        options: tuple[Gender, ...],
        sentences: Sequence[tuple[int, Read]],
        usual: Counter[tuple[Kind, Gender]],
        settled: Counter[tuple[Kind, Gender]],
    ) -> _Split:
        weights = [usual[how, option] + 0.5 for option in options]
        alike = [weight / sum(weights) for weight in weights]
        coin = 1 / len(options)
        known = sum(settled[how, option] for option in options)
        trust = _PRIOR / (_PRIOR + known)
        likely = [
            ((share + coin) / 2 * _PRIOR + settled[how, option]) / (_PRIOR + known)
            for share, option in zip(alike, options, strict=True)
        ]
        unknown = [abs(share - coin) / 2 * trust for share in alike]
        return _Split(how, options, tuple(sentences), tuple(likely), tuple(unknown))

    def _estimates(self, moved: int = -1, shares: tuple[float, ...] = ()) -> Estimates:
        """What follows from what people say, with the open sentences in parts; those of one split in other parts."""
        own = [Own(Counter(read for _, read in reads), {}) for reads in self._reads]
        for place, reads in enumerate(self._reads):
            for key, read in reads:
                if key in self._votes.truth:
                    _add(own[place].seen, read, self._votes.truth[key], 1.0)
        for number, split in enumerate(self._splits):
            parts = shares if number == moved else split.likely
            for place, read in split.sentences:
                for option, part in zip(split.options, parts, strict=True):
                    _add(own[place].seen, read, option, part)
        return Estimates(self._family, own)

    def applied(self) -> list[Result]:
        """The results with their rates corrected and the review beside them."""
        if not self._decisions:
            return [
                replace(result, measures=tuple(replace(each, corrected=None) for each in result.measures), review=None)
                for result in self._results
            ]
        people = tuple(sorted({each.reviewer for each in self._decisions}))
        base = self._estimates()
        others = [
            [self._estimates(number, shares) for shares in split.moved()] for number, split in enumerate(self._splits)
        ]
        measures = (*agreement(self._decisions), *base.detector())
        review = Review(
            len(self._votes.truth), len(self._votes.divided), people, measures, (), len(self._votes.adjudicated)
        )
        found = []
        for place, result in enumerate(self._results):
            rates = tuple(self._rates(result.measures, place, base, others))
            led = tuple(self._rates(tuple(_misgendered(result, self._family.stratum)), place, base, others))
            found.append(replace(result, measures=rates, review=replace(review, rates=led)))
        return found

    @staticmethod
    def _rates(
        measures: Sequence[Measure], place: int, base: Estimates, others: Sequence[Sequence[Estimates]]
    ) -> Iterator[Measure]:
        whole = {each.name for each in measures if each.group == "all"}
        for each in measures:
            # How the detector errs is measured over all sentences, where the rate is defined for all of them.
            pool = "all" if each.name in whole else each.group
            found = base.corrected(each, pool, base.own[place])
            if found:
                moved = [[other.corrected(each, pool, other.own[place]) for other in split] for split in others]
                found = _widened(found, moved, least=-1.0 if each.count is None and each.unit == "points" else 0.0)
            yield replace(each, corrected=Corrected(*(100 * end for end in found)) if found else None)


def _add(seen: Weights, read: Read, gender: Gender, weight: float) -> None:
    seen[read, gender] = seen.get((read, gender), 0.0) + weight


def _widened(found: Interval, moved: Sequence[Sequence[Interval | None]], least: float) -> Interval:
    """An interval with how far each split moves the value; splits are independent, so their squares add up."""
    value, low, high = found
    below, above = (value - low) ** 2, (high - value) ** 2
    for split in moved:
        steps = [each[0] - value for each in split if each]
        below += min((0.0, *steps)) ** 2
        above += max((0.0, *steps)) ** 2
    return value, max(least, value - math.sqrt(below)), min(1.0, value + math.sqrt(above))


def _misgendered(result: Result, stratum: object) -> Iterator[Measure]:
    """How often women and men are written as the other, as pages lead with."""
    counts = count(result.verdicts, stratum)  # type: ignore[arg-type]
    for gender in OPPOSITE:
        rate = counts.misgendered(gender)
        if rate and rate.interval:
            low, high = rate.interval
            yield Measure(MISGENDERED, gender.value, rate.value, "%", rate.n, rate.count, low, high, unread=rate.unread)
