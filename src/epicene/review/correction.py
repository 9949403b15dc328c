"""What a review says about a run: the detector's precision and recall, and every rate corrected for its errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from epicene.pipeline import plan
from epicene.result import Result, Review
from epicene.review.outcomes import Cell, Rate, outcomes
from epicene.review.plan import Case, Kind, cases, kind
from epicene.review.votes import agreement, settled
from epicene.stats.correction import corrected_rate, recall_and_precision
from epicene.stats.f1 import Written, corrected_f1, corrected_f1_gap
from epicene.stats.profile import Interval
from epicene.stats.ratio import Layer, corrected_ratio
from epicene.stats.rogan_gladen import Part, Stratum, corrected_gap
from epicene.store.reviews import Decision
from epicene.types import Corrected, Gender, Measure, Verdict

LEAST = 30  # reviewed sentences, below which nothing is corrected
HANDFUL = 0.02  # share of sentences that may be corrected by the errors in others, since nobody read any like them
Read = tuple[Cell, Kind]  # a sentence and how it was read, as far as counting goes
Counts = Callable[[Cell, Gender], bool | None]  # whether a sentence read so counts; None if it is not concerned


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
    return [found[place] for place in range(len(results))]


class _Own(NamedTuple):
    """A result as it was read, and what people say about those of its sentences that they settled."""

    reads: Counter[Read]
    seen: Counter[tuple[Read, Gender]]


class _Reviewed:
    """The results of one signature, so of one detector, and what people say about them."""

    def __init__(
        self, results: Sequence[Result], found: Sequence[Sequence[Case]], decisions: Sequence[Decision]
    ) -> None:
        self._results = results
        self._family = plan.family_of(results[0].set)
        self._outcomes = outcomes(self._family)
        self._kept: dict[Rate, list[Stratum]] = {}
        keys = {case.key for own in found for case in own}
        self._decisions = [each for each in decisions if each.key in keys]
        truth, self._tied = settled(self._decisions)
        self._own = []
        for own in found:
            reads = [(case.key, self._read(case.verdict)) for case in own]
            seen = Counter((read, truth[key]) for key, read in reads if key in truth)
            self._own.append(_Own(Counter(read for _, read in reads), seen))
        self._all = sum((each.reads for each in self._own), Counter[Read]())
        self._seen = sum((each.seen for each in self._own), Counter[tuple[Read, Gender]]())

    def _read(self, verdict: Verdict) -> Read:
        item = verdict.output.item
        return Cell(self._family.key(item), item.expected), kind(verdict)

    def applied(self) -> list[Result]:
        """The results with their rates corrected and the review beside them."""
        if not self._decisions:
            return [
                replace(result, measures=tuple(replace(each, corrected=None) for each in result.measures), review=None)
                for result in self._results
            ]
        people = tuple(sorted({each.reviewer for each in self._decisions}))
        measures = (*agreement(self._decisions), *self._detector())
        review = Review(self._seen.total(), self._tied, people, measures)
        return [
            replace(result, measures=tuple(self._rates(result.measures, own)), review=review)
            for result, own in zip(self._results, self._own, strict=True)
        ]

    def _rates(self, measures: Sequence[Measure], own: _Own) -> Iterator[Measure]:
        whole = {each.name for each in measures if each.group == "all"}
        for each in measures:
            # How the detector errs is measured over all sentences, where the rate is defined for all of them.
            pool = "all" if each.name in whole else each.group
            yield replace(each, corrected=self._corrected(each, pool, own))

    def _corrected(self, measure: Measure, pool: str, own: _Own) -> Corrected | None:
        if measure.name == "other_word":
            return None  # people say which gender they read, not on whose word
        if measure.value is None or measure.low is None or measure.high is None or self._seen.total() < LEAST:
            return None
        rate, apparent = (measure.name, measure.group), (measure.low / 100, measure.high / 100)
        if measure.count is None:
            found = self._of_several(rate, own, apparent)
        elif self._outcomes.fixed(rate, {cell for cell, _ in own.reads}):
            found = self._of_fixed(rate, pool, own, apparent)
        else:
            layers = self._layers(rate, own)
            found = corrected_ratio(layers, measure.n, measure.count, apparent) if layers else None
        return Corrected(*(100 * each for each in found)) if found else None

    def _of_fixed(self, rate: Rate, pool: str, own: _Own, apparent: tuple[float, float]) -> Interval | None:
        """A rate whose sentences are the same however they are read."""
        strata = self._strata_of((rate[0], pool))
        parts = _parts(own, self._of_rate(rate))
        return corrected_rate(strata, parts, apparent) if _known(strata, parts) else None

    def _of_several(self, rate: Rate, own: _Own, apparent: tuple[float, float]) -> Interval | None:
        """A gap between two groups, F1, or the gap between F1 of two genders; None for what is none of them."""
        gaps, genders = self._family.gaps, self._family.f1
        if rate[0] in gaps:
            name, *groups = gaps[rate[0]]
            strata = self._strata_of((name, "all"))
            first, second = (_parts(own, self._of_rate((name, group))) for group in groups)
            return corrected_gap(strata, first, second, apparent) if _known(strata, [*first, *second]) else None
        wanted = {"f1": rate[1:], "delta_g": tuple(genders)}.get(rate[0], ())
        written = [self._written(genders[group], own) for group in wanted if group in genders]
        if not written or not all(_known(each.strata, each.parts, each.gold) for each in written):
            return None
        return corrected_f1_gap(written[0], written[1], apparent) if written[1:] else corrected_f1(written[0], apparent)

    def _written(self, gender: Gender, own: _Own) -> Written:
        """How often sentences that tell the gender are written with one."""

        def counts(cell: Cell, read: Gender) -> bool | None:
            return None if cell.expected is None else read is gender

        return Written(gender, self._strata(counts), _parts(own, counts))

    def _strata_of(self, rate: Rate) -> list[Stratum]:
        """The strata of a rate, kept for all its groups."""
        if rate not in self._kept:
            self._kept[rate] = self._strata(self._of_rate(rate))
        return self._kept[rate]

    def _of_rate(self, rate: Rate) -> Counts:
        return lambda cell, gender: self._outcomes.of(cell, gender).get(rate)

    def _layers(self, rate: Rate, own: _Own) -> list[Layer]:
        """The strata of a group, with the sentences that people read of it; none until there are enough of them."""
        concerned = {cell for cell, _ in own.reads if self._outcomes.concerned(rate, cell)}
        size, read, inside, true = Counter[Kind](), Counter[Kind](), Counter[Kind](), Counter[Kind]()
        for (cell, how), number in own.reads.items():
            if cell in concerned:
                size[how] += number
        for ((cell, how), gender), number in own.seen.items():
            if cell in concerned:
                counts = self._outcomes.of(cell, gender).get(rate)
                read[how] += number
                inside[how] += number * (counts is not None)
                true[how] += number * bool(counts)
        unread = sum(number for how, number in size.items() if not read[how])
        if read.total() < LEAST or unread > HANDFUL * size.total():
            return []
        return [
            Layer((how.doubtful, how.read), size[how], number, inside[how], true[how]) for how, number in read.items()
        ]

    def _strata(self, counts: Counts) -> list[Stratum]:
        """The strata with what the detector and people say of them; one that nobody read joins its nearest.

        Sentences that are read surely say nothing about doubtful ones, nor feminine about masculine. So there are no
        strata at all until people have read some of each, but for a handful.
        """
        size, says, read, true = Counter[Kind](), Counter[Kind](), Counter[Kind](), Counter[Kind]()
        for (cell, how), number in self._all.items():
            if (said := counts(cell, how.read)) is not None:
                size[how] += number
                says[how] += number * said
        for ((cell, how), gender), number in self._seen.items():
            if counts(cell, how.read) is not None:
                read[how] += number
                true[how] += number * bool(counts(cell, gender))
        homes = {how: _home(how, read) for how in size}
        strangers = sum(size[how] for how, home in homes.items() if home != how)
        if strangers > HANDFUL * size.total():
            return []
        found = []
        for home in dict.fromkeys(filter(None, homes.values())):
            members = [how for how in size if homes[how] == home]
            total = sum(size[how] for how in members)
            share = sum(says[how] for how in members) / total
            found.append(Stratum(home.expected, share, total, read[home], true[home], home.doubtful))
        return found

    def _detector(self) -> list[Measure]:
        """Recall and precision by gender, over the sentences that people or the detector read so."""
        found = []
        for gender in Gender:
            n = sum(number for ((_, how), truth), number in self._seen.items() if gender in (how.read, truth))
            if not (strata := self._strata(_is(gender))):
                continue
            for name, interval in zip(("recall", "precision"), recall_and_precision(strata), strict=True):
                if n and interval:
                    value, low, high = (100 * each for each in interval)
                    found.append(Measure(name, gender.value, value, "%", n, low=low, high=high))
        return found


def _is(gender: Gender) -> Counts:
    return lambda _, read: read is gender


def _parts(own: _Own, counts: Counts) -> list[Part]:
    """The sentences of a result that are concerned, by expected gender."""
    n, right = Counter[str](), Counter[str]()
    for (cell, how), number in own.reads.items():
        if (said := counts(cell, how.read)) is not None:
            n[how.expected] += number
            right[how.expected] += number * said
    return [Part(expected, n[expected], right[expected]) for expected in sorted(n)]


def _known(strata: Sequence[Stratum], parts: Sequence[Part], gold: str = "") -> bool:
    """Whether people read sentences of every expected gender that is concerned, the one in question among them."""
    concerned = {part.expected for part in parts}
    return bool(parts) and concerned <= {stratum.expected for stratum in strata} and (not gold or gold in concerned)


def _home(how: Kind, read: Mapping[Kind, int]) -> Kind | None:
    """The stratum itself if people read any of it, else the nearest they did: as sure, read alike, or the most read."""
    near = [each for each in read if each.expected == how.expected]
    return max(
        near,
        key=lambda each: (each == how, each.doubtful == how.doubtful, each.read == how.read, read[each]),
        default=None,
    )
