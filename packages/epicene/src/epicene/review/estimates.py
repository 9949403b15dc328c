"""Rates corrected for the errors of one detector, from what people say about some of the sentences that it read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from epicene.measures.outcomes import Outcome
from epicene.measures.rates import COMMON, Measures
from epicene.measures.rates import Rate as DeclaredRate
from epicene.review.f1 import Written, corrected_f1, corrected_f1_gap
from epicene.review.likelihood import corrected_rate, recall_and_precision
from epicene.review.outcomes import Cell, Rate, outcomes
from epicene.review.plan import Kind
from epicene.review.profile import Interval
from epicene.review.ratio import Layer, corrected_ratio
from epicene.review.rogan_gladen import Part, Stratum, corrected_gap
from epicene.types import Gender, Measure

LEAST = 30  # reviewed sentences, below which nothing is corrected
HANDFUL = 0.02  # share of sentences that may be corrected by the errors in others, since nobody read any like them
_F1 = {"male": Gender.MASCULINE, "female": Gender.FEMININE}  # ΔG is that of the first less that of the second
Read = tuple[Cell, Kind]  # a sentence and how it was read, as far as counting goes
Counts = Callable[[Cell, Gender], bool | None]  # whether a sentence read so counts; None if it is not concerned
Weights = dict[tuple[Read, Gender], float]  # sentences by what people say; a divided one counts for several in parts


class Own(NamedTuple):
    """A result as it was read, and what people say about those of its sentences that they settled."""

    reads: Counter[Read]
    seen: Weights


class Estimates:
    """The results of one detector, and the numbers that follow from what people say about them."""

    def __init__(self, measures: Measures, own: Sequence[Own]) -> None:
        self._gaps = {gap.name: gap[1:] for gap in measures.gaps}
        self._outcomes = outcomes(measures)
        self._kept: dict[Rate, list[Stratum]] = {}
        self.own = own
        self._all = sum((each.reads for each in own), Counter[Read]())
        self._seen: Weights = {}
        for each in own:
            for what, weight in each.seen.items():
                self._seen[what] = self._seen.get(what, 0.0) + weight
        self._total = sum(self._seen.values())

    def corrected(self, measure: Measure, pool: str, own: Own) -> Interval | None:
        """A measure corrected, as shares; ``pool`` is the group over which the detector's errors are measured."""
        if measure.name == "other_word":
            return None  # people say which gender they read, not on whose word
        if measure.value is None or measure.low is None or measure.high is None or self._total < LEAST:
            return None
        rate, apparent = (measure.name, measure.group), (measure.low / 100, measure.high / 100)
        if common := COMMON.get(rate):
            return self._of_everybody(common, own, apparent)
        if measure.count is None:
            found = self._of_several(rate, own, apparent)
        elif self._outcomes.fixed(rate, {cell for cell, _ in own.reads}):
            found = self._of_fixed(rate, pool, own, apparent)
        else:
            layers = self._layers(rate, own)
            found = corrected_ratio(layers, measure.n, measure.count, apparent) if layers else None
        return found

    def _of_everybody(self, rate: DeclaredRate, own: Own, apparent: tuple[float, float]) -> Interval | None:
        """A rate that every set has: who is misgendered, what was read."""

        def counts(cell: Cell, read: Gender) -> bool | None:
            outcome = Outcome(cell.expected, read)
            return rate.counted(outcome) if rate.among(outcome) else None

        strata, parts = self._strata(counts), _parts(own, counts)
        return corrected_rate(strata, parts, apparent) if _known(strata, parts) else None

    def _of_fixed(self, rate: Rate, pool: str, own: Own, apparent: tuple[float, float]) -> Interval | None:
        """A rate whose sentences are the same however they are read."""
        strata = self._strata_of((rate[0], pool))
        parts = _parts(own, self._of_rate(rate))
        return corrected_rate(strata, parts, apparent) if _known(strata, parts) else None

    def _of_several(self, rate: Rate, own: Own, apparent: tuple[float, float]) -> Interval | None:
        """A gap between two groups, F1, or the gap between F1 of two genders; None for what is none of them."""
        if rate[0] in self._gaps:
            name, *groups = self._gaps[rate[0]]
            strata = self._strata_of((name, "all"))
            first, second = (_parts(own, self._of_rate((name, group))) for group in groups)
            return corrected_gap(strata, first, second, apparent) if _known(strata, [*first, *second]) else None
        wanted = {"f1": rate[1:], "delta_g": tuple(_F1)}.get(rate[0], ())
        written = [self._written(_F1[group], own) for group in wanted if group in _F1]
        if not written or not all(_known(each.strata, each.parts, each.gold) for each in written):
            return None
        return corrected_f1_gap(written[0], written[1], apparent) if written[1:] else corrected_f1(written[0], apparent)

    def _written(self, gender: Gender, own: Own) -> Written:
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

    def _layers(self, rate: Rate, own: Own) -> list[Layer]:
        """The strata of a group, with the sentences that people read of it; none until there are enough of them."""
        concerned = {cell for cell, _ in own.reads if self._outcomes.concerned(rate, cell)}
        size = Counter[Kind]()
        read, inside, true = (_Sum() for _ in range(3))
        for (cell, how), number in own.reads.items():
            if cell in concerned:
                size[how] += number
        for ((cell, how), gender), weight in own.seen.items():
            if cell in concerned:
                counts = self._outcomes.of(cell, gender).get(rate)
                read[how] += weight
                inside[how] += weight * (counts is not None)
                true[how] += weight * bool(counts)
        unread = sum(number for how, number in size.items() if not read.get(how))
        if sum(read.values()) < LEAST or unread > HANDFUL * size.total():
            return []
        return [
            Layer((how.doubtful, how.read), size[how], number, inside[how], true[how]) for how, number in read.items()
        ]

    def _strata(self, counts: Counts) -> list[Stratum]:
        """The strata with what the detector and people say of them; one that nobody read joins its nearest.

        Sentences that are read surely say nothing about doubtful ones, nor feminine about masculine. So there are no
        strata at all until people have read some of each, but for a handful.
        """
        size, says = Counter[Kind](), Counter[Kind]()
        read, true = _Sum(), _Sum()
        for (cell, how), number in self._all.items():
            if (said := counts(cell, how.read)) is not None:
                size[how] += number
                says[how] += number * said
        for ((cell, how), gender), weight in self._seen.items():
            if counts(cell, how.read) is not None:
                read[how] += weight
                true[how] += weight * bool(counts(cell, gender))
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

    def detector(self) -> Iterator[Measure]:
        """Recall and precision by gender, over the sentences that people or the detector read so."""
        for gender in Gender:
            n = round(sum(weight for ((_, how), truth), weight in self._seen.items() if gender in (how.read, truth)))
            if not (strata := self._strata(_is(gender))):
                continue
            for name, interval in zip(("recall", "precision"), recall_and_precision(strata), strict=True):
                if n and interval:
                    value, low, high = (100 * each for each in interval)
                    yield Measure(name, gender.value, value, "%", n, low=low, high=high)


class _Sum(dict[Kind, float]):
    """Sums that begin with nought."""

    def __missing__(self, how: Kind) -> float:
        return 0.0


def _is(gender: Gender) -> Counts:
    return lambda _, read: read is gender


def _parts(own: Own, counts: Counts) -> list[Part]:
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


def _home(how: Kind, read: Mapping[Kind, float]) -> Kind | None:
    """The stratum itself if people read any of it, else the nearest they did: as sure, read alike, or the most read."""
    near = [each for each in read if each.expected == how.expected]
    return max(
        near,
        key=lambda each: (each == how, each.doubtful == how.doubtful, each.read == how.read, read[each]),
        default=None,
    )
