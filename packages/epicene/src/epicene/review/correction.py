"""What a review says about a run: the detector's precision and recall, and every rate corrected for its errors.

Sentences on which people are divided are not left out, which would make the detector look better than it is. Nobody
knows whether they are like the sentences on which people agree, or as open as a coin; what adjudicators found so far
counts for the rest. The number lies between the two. Its interval goes from the lower end of the one's to the upper end
of the other's, each with the chance in the single sentences: whichever holds, it is covered.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from epicene.flow import plan
from epicene.result import Result, Review
from epicene.review.estimates import Estimates, Own, Read, Weights
from epicene.review.outcomes import Cell
from epicene.review.plan import Case, Kind, cases, kind
from epicene.review.profile import Interval
from epicene.review.store import Decision
from epicene.review.votes import agreement, counted, said
from epicene.stats.rates import Z95
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


Shares = tuple[float, ...]  # how often each answer may be the truth


class _Split(NamedTuple):
    """Sentences of one stratum on which people are divided in the same way."""

    options: tuple[Gender, ...]
    sentences: tuple[tuple[int, Read], ...]  # the place of the result, and the sentence
    ends: tuple[Shares, Shares]  # as where people agree, and as a coin falls

    @property
    def middle(self) -> Shares:
        """Between the two."""
        return tuple((one + other) / 2 for one, other in zip(*self.ends, strict=True))

    def moved(self, likely: Shares) -> Iterator[Shares]:
        """Shares that are as far off as chance may have it, towards each option and away from it."""
        for place in range(len(self.options) - (len(self.options) == 2)):
            own = likely[place]
            reach = Z95 * math.sqrt(own * (1 - own) / len(self.sentences))
            for end in (max(0.0, own - reach), min(1.0, own + reach)):
                rest = (1 - end) / (1 - own) if own < 1 else 0.0
                yield tuple(end if at == place else share * rest for at, share in enumerate(likely))


class _Variants(NamedTuple):
    """The numbers with divided sentences between both ends; at each end, and moved from it by chance, by split."""

    base: Estimates
    ends: tuple[tuple[Estimates, tuple[tuple[Estimates, ...], ...]], ...]


class _Reviewed:
    """The results of one signature, so of one detector, and what people say about them."""

    def __init__(
        self, results: Sequence[Result], found: Sequence[Sequence[Case]], decisions: Sequence[Decision]
    ) -> None:
        self._results = results
        self._measures = plan.measures_of(results[0].set)
        keys = {case.key for own in found for case in own}
        self._decisions = [each for each in decisions if each.key in keys]
        self._votes = counted(self._decisions)
        self._reads = [[(case.key, self._read(case)) for case in own] for own in found]
        self._splits = self._divided()

    def _read(self, case: Case) -> Read:
        item = case.verdict.output.item
        return Cell(self._measures.profile(item), item.expected), kind(case.verdict)

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
        known = [settled[how, option] for option in options]

        def blended(shares: Sequence[float]) -> Shares:
            found = zip(shares, known, strict=True)
            return tuple((share * _PRIOR + number) / (_PRIOR + sum(known)) for share, number in found)

        alike, coin = [weight / sum(weights) for weight in weights], [1 / len(options)] * len(options)
        return _Split(options, tuple(sentences), (blended(alike), blended(coin)))

    def _estimates(self, shares: Sequence[Shares]) -> Estimates:
        """What follows from what people say, with the open sentences of every split in such shares."""
        own = [Own(Counter(read for _, read in reads), {}) for reads in self._reads]
        for place, reads in enumerate(self._reads):
            for key, read in reads:
                if key in self._votes.truth:
                    _add(own[place].seen, read, self._votes.truth[key], 1.0)
        for split, parts in zip(self._splits, shares, strict=True):
            for place, read in split.sentences:
                for option, part in zip(split.options, parts, strict=True):
                    _add(own[place].seen, read, option, part)
        return Estimates(self._measures, own)

    def _variants(self) -> _Variants:
        base = self._estimates([split.middle for split in self._splits])
        ends = []
        for end in (0, 1) if self._splits else ():
            shares = [split.ends[end] for split in self._splits]
            moved = tuple(
                tuple(self._estimates([*shares[:at], own, *shares[at + 1 :]]) for own in split.moved(shares[at]))
                for at, split in enumerate(self._splits)
            )
            ends.append((self._estimates(shares), moved))
        return _Variants(base, tuple(ends))

    def applied(self) -> list[Result]:
        """The results with their rates corrected and the review beside them."""
        if not self._decisions:
            return [
                replace(result, measures=tuple(replace(each, corrected=None) for each in result.measures), review=None)
                for result in self._results
            ]
        people = tuple(sorted({each.reviewer for each in self._decisions}))
        variants = self._variants()
        measures = (*agreement(self._decisions), *variants.base.detector())
        review = Review(
            len(self._votes.truth), len(self._votes.divided), people, measures, len(self._votes.adjudicated)
        )
        found = []
        for place, result in enumerate(self._results):
            rates = tuple(self._rates(result.measures, place, variants))
            found.append(replace(result, measures=rates, review=review))
        return found

    @staticmethod
    def _rates(measures: Sequence[Measure], place: int, variants: _Variants) -> Iterator[Measure]:
        whole = {each.name for each in measures if each.group == "all"}
        for each in measures:
            # How the detector errs is measured over all sentences, where the rate is defined for all of them.
            pool = "all" if each.name in whole else each.group

            def found(estimates: Estimates, each: Measure = each, pool: str = pool) -> Interval | None:
                return estimates.corrected(each, pool, estimates.own[place])

            interval = found(variants.base)
            if interval and variants.ends:
                ends = [(found(end), [list(map(found, split)) for split in moved]) for end, moved in variants.ends]
                interval = _widened(interval, ends, -1.0 if each.unit == "points" else 0.0)
            yield replace(each, corrected=Corrected(*(100 * end for end in interval)) if interval else None)


def _add(seen: Weights, read: Read, gender: Gender, weight: float) -> None:
    seen[read, gender] = seen.get((read, gender), 0.0) + weight


End = tuple[Interval | None, Sequence[Sequence[Interval | None]]]  # a number, and the same moved by each split


def _widened(middle: Interval, ends: Sequence[End], least: float) -> Interval:
    """An interval that covers what lies between the ends, and the chance in how each split falls out.

    Splits fall out independently, so the squares of how far each moves the value add up; where between the ends all of
    them lie is one and the same question.
    """
    known = [(end, moved) for end, moved in ends if end]
    if not known:
        return middle
    reaches = []
    for (value, low, high), moved in known:
        below, above = (value - low) ** 2, (high - value) ** 2
        for split in moved:
            steps = [each[0] - value for each in split if each]
            below += min((0.0, *steps)) ** 2
            above += max((0.0, *steps)) ** 2
        reaches.append((value, math.sqrt(below), math.sqrt(above)))
    first, last = min(reaches), max(reaches)
    return middle[0], max(least, first[0] - first[1]), min(1.0, last[0] + last[2])
