"""What a review says about a run: how well the reader reads, and every rate as people would have found it.

Sentences of a group are parted by how they were read. People read a random sample of each part, so the share of it that
counts by their word, weighted by the size of the part, is what they would have found in the whole group. Nothing is
assumed about groups or systems of which people read too little: those are not corrected.

A sentence on which people are divided counts half for each answer; the interval reaches from what it is if all of them
fall one way to what it is if all fall the other way.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from epicene import sets
from epicene.measures.rates import COMMON, Measures, Outcome, Rate
from epicene.result import Result, Review
from epicene.review.plan import Case, Kind, cases, kind
from epicene.review.store import Decision
from epicene.review.votes import Votes, agreement, attach_decisions, count_votes
from epicene.stats.rates import Z95
from epicene.types import Corrected, Gender, Measure

LEAST = 30  # reviewed sentences of a group, below which nothing is corrected
MIN_KAPPA = 0.4  # of every two people, below which their disagreements must be adjudicated before anything is corrected
MAX_DIVIDED = 0.1  # share of the reviewed sentences on which people may be divided
HANDFUL = 0.02  # share of a group that may have been read in ways of which people saw no sentence
Counts = Callable[[Kind, Gender], bool]  # whether a sentence counts, by what people say of it
Options = tuple[Gender, ...]  # what people say of a sentence; several where they are divided


class Layer(NamedTuple):
    """Sentences of a group that were read alike, and what people say of those that they read."""

    size: int
    as_read: bool  # whether these sentences count by what was read
    read: int
    fewest: float  # that count by what people say, if divided sentences do not
    counted: float
    most: float  # if divided sentences do

    @property
    def errors(self) -> float:
        """How many of those that people read count otherwise than they were read."""
        return self.read - self.counted if self.as_read else self.counted


class Spread(NamedTuple):
    """A share, and how far it may lie below and above for want of reading all sentences."""

    value: float
    below: float
    above: float


def weigh_layers(layers: Sequence[Layer]) -> Spread:
    """The share of all sentences that count, from the sample that people read of each layer."""
    total = sum(layer.size for layer in layers)
    usual = {as_read: _usual_errors(layers, as_read) for as_read in (True, False)}
    value = lower = upper = variance = 0.0
    for layer in layers:
        weight = layer.size / total
        value += weight * layer.counted / layer.read
        lower += weight * (layer.counted - layer.fewest) / layer.read
        upper += weight * (layer.most - layer.counted) / layer.read
        # Few errors are seen in a layer, often none: it errs as others do, until its own say more. Of one that was read
        # to the last sentence nothing is left to chance.
        errs = (layer.errors + usual[layer.as_read]) / (layer.read + 1)
        variance += weight**2 * errs * (1 - errs) / layer.read * (1 - layer.read / layer.size)
    chance = Z95 * math.sqrt(variance)
    return Spread(value, lower + chance, upper + chance)


def _usual_errors(layers: Sequence[Layer], as_read: bool) -> float:
    """How often sentences that count as they were read, or do not, are errors; never nought."""
    alike = [layer for layer in layers if layer.as_read is as_read]
    return (sum(layer.errors for layer in alike) + 0.5) / (sum(layer.read for layer in alike) + 1)


@dataclass(slots=True)
class _Group:
    """The sentences of a group by how they were read, and what people say of some."""

    sizes: Counter[Kind] = field(default_factory=Counter)
    seen: Counter[tuple[Kind, Options]] = field(default_factory=Counter)

    def add(self, how: Kind, options: Options) -> None:
        self.sizes[how] += 1
        if options:
            self.seen[how, options] += 1

    def layers(self, counts: Counts, among: Callable[[Kind], bool], part: bool = False) -> list[Layer]:
        """The layers that are concerned; none where people read too little of them, or of all if these are a part."""
        read = Counter[Kind]()
        sums: dict[Kind, list[float]] = {}
        for (how, options), number in self.seen.items():
            answers = [counts(how, gender) for gender in options]
            parts = sums.setdefault(how, [0.0, 0.0, 0.0])
            for place, share in enumerate((all(answers), sum(answers) / len(answers), any(answers))):
                parts[place] += number * share
            read[how] += number
        sizes = {how: size for how, size in self.sizes.items() if among(how)}
        strangers = sum(size for how, size in sizes.items() if not read[how])
        whole = self.sizes if part else sizes
        if sum(read[how] for how in whole) < LEAST or strangers > HANDFUL * sum(whole.values()):
            return []
        return [Layer(size, counts(how, how.read), read[how], *sums[how]) for how, size in sizes.items() if read[how]]


def correct(results: Sequence[Result], decisions: Sequence[Decision]) -> list[Result]:
    """The results with what people found; without decisions they are as the reader left them."""
    by_result = [cases([result]) for result in results]
    outputs = {case.key: case.verdict.output.text for result_cases in by_result for case in result_cases}
    # A run that was made anew may have other translations; decisions about the old ones do not hold.
    current = [decision for decision in decisions if outputs.get(decision.key) == decision.output and decision.gender]
    of_reader: dict[str, list[Case]] = {}
    for result, result_cases in zip(results, by_result, strict=True):
        of_reader.setdefault(result.signature, []).extend(result_cases)
    reviews = {signature: _Reviewed(every, current) for signature, every in of_reader.items()}
    pairs = zip(results, by_result, strict=True)
    corrected = [reviews[result.signature].apply(result, result_cases) for result, result_cases in pairs]
    return attach_decisions(corrected, current)


class _Reviewed:
    """What people say about the results of one signature, so of one reader."""

    def __init__(self, every: Sequence[Case], decisions: Sequence[Decision]) -> None:
        keys = {case.key for case in every}
        self._decisions = [decision for decision in decisions if decision.key in keys]
        self._votes = count_votes(self._decisions)
        self._all = _Group()
        for case in every:
            self._all.add(kind(case.verdict), _options(self._votes, case))

    def apply(self, result: Result, result_cases: Sequence[Case]) -> Result:
        """The result with its rates corrected and the review beside them."""
        plain = replace(result, measures=tuple(replace(measure, corrected=None) for measure in result.measures))
        if not self._decisions:
            return replace(plain, review=None)
        people = tuple(sorted({decision.reviewer for decision in self._decisions}))
        agreed = agreement(self._decisions)
        settled, divided = len(self._votes.truth), len(self._votes.divided)
        refused = refuse(settled, divided, agreed)
        quality = (*agreed, *_reader_quality(self._all))
        review = Review(settled, divided, people, quality, len(self._votes.adjudicated), refused)
        if refused:
            return replace(plain, review=review)
        declared = sets.of_result(result.set).measures
        groups = _by_group(declared, result_cases, self._votes)
        measures = (replace(measure, corrected=_corrected(measure, declared, groups)) for measure in result.measures)
        return replace(result, measures=tuple(measures), review=review)


def refuse(settled: int, divided: int, agreed: Sequence[Measure]) -> str:
    """Why nothing is corrected by what people said, and what it would take; nothing where they said enough."""
    if settled < LEAST:
        return f"not corrected: {settled} sentences are settled; at least {LEAST} of a group are needed"
    most = int(MAX_DIVIDED * (settled + divided))
    if divided > most:
        return f"not corrected: people are divided on {divided} sentences; adjudicate until it is {most} at most"
    low = [(kappa.value, kappa.group) for kappa in agreed if kappa.value is not None and kappa.value < MIN_KAPPA]
    if low and divided:
        value, pair = min(low)
        return (
            f"not corrected: κ of {pair} is {value:.2f}, below {MIN_KAPPA}; adjudicate the {divided} sentences on "
            "which people are divided, or agree on what counts and review again"
        )
    return ""


def _options(votes: Votes, case: Case) -> Options:
    """What people say of a sentence; nothing where they do not."""
    truth = votes.truth.get(case.key)
    return votes.divided.get(case.key, ()) if truth is None else (truth,)


def _by_group(declared: Measures, result_cases: Sequence[Case], votes: Votes) -> Mapping[str | None, _Group]:
    """The sentences of every group, and under None those of all."""
    groups: dict[str | None, _Group] = {None: _Group()}
    for case in result_cases:
        how, options = kind(case.verdict), _options(votes, case)
        for group in (None, *declared.groups(case.verdict.output.item)):
            groups.setdefault(group, _Group()).add(how, options)
    return groups


def _corrected(measure: Measure, declared: Measures, groups: Mapping[str | None, _Group]) -> Corrected | None:
    """A rate or a gap as people would have found it; None for any other measure, or where they read too little."""
    if measure.value is None or measure.low is None or measure.high is None:
        return None
    gap = next((gap for gap in declared.gaps if gap.name == measure.name), None)
    if gap:
        first, second = (_spread(_rate(declared, gap.rate), groups.get(group)) for group in (gap.first, gap.second))
        review = first and second and Spread(first.value - second.value, *_beside(first, second))
    elif common := COMMON.get((measure.name, measure.group)):
        review = _spread(common, groups[None])
    else:
        review = _spread(_rate(declared, measure.name), groups.get(measure.group))
    if review is None:
        return None
    # Which sentences there happened to be, and which of them people happened to read, vary independently.
    below = math.hypot(review.below, (measure.value - measure.low) / 100)
    above = math.hypot(review.above, (measure.high - measure.value) / 100)
    least = -1.0 if gap else 0.0
    ends = max(least, review.value - below), min(1.0, review.value + above)
    return Corrected(*(100 * end for end in (review.value, *ends)))


def _beside(first: Spread, second: Spread) -> tuple[float, float]:
    """How far the difference of two shares may lie below and above."""
    return math.hypot(first.below, second.above), math.hypot(first.above, second.below)


def _rate(declared: Measures, name: str) -> Rate | None:
    """The rate of a name, if people's answers can correct it: they say which gender they read, not on whose word."""
    return next((rate for rate in declared.rates if rate.name == name and name != "other_word"), None)


def _spread(rate: Rate | None, group: _Group | None) -> Spread | None:
    """The rate of a group by what people say; None where what is read decides which sentences it is over."""
    if rate is None or group is None or any(_is_moving(rate, how) for how in group.sizes):
        return None
    layers = group.layers(
        lambda how, gender: rate.counted(_outcome(how, gender)), lambda how: rate.among(_outcome(how, how.read))
    )
    return weigh_layers(layers) if layers else None


def _is_moving(rate: Rate, how: Kind) -> bool:
    return len({rate.among(_outcome(how, gender)) for gender in Gender}) > 1


def _outcome(how: Kind, gender: Gender) -> Outcome:
    return Outcome(Gender(how.expected) if how.expected else None, gender)


def _reader_quality(group: _Group) -> Iterator[Measure]:
    """Recall and precision by gender, over the sentences that people or the reader read so."""
    for gender in Gender:
        n = sum(number for (how, options), number in group.seen.items() if gender in (how.read, *options))
        size = sum(size for how, size in group.sizes.items() if how.read is gender)
        right, missed = (_count_of(group, gender, read_so) for read_so in (True, False))
        if not n or not right or not missed:
            continue
        if right[0] + missed[0]:
            ends = ((right[0], missed[0]), (right[1], missed[2]), (right[2], missed[1]))
            yield _percent("recall", gender, n, [one / (one + other) if one else 0.0 for one, other in ends])
        if size:
            yield _percent("precision", gender, n, [end / size for end in right])


def _count_of(group: _Group, gender: Gender, read_so: bool) -> tuple[float, float, float] | None:
    """How many sentences show a gender, and between which ends, among those that were read so or otherwise."""
    size = sum(size for how, size in group.sizes.items() if (how.read is gender) is read_so)
    if not size:
        return 0.0, 0.0, 0.0
    layers = group.layers(lambda _, truth: truth is gender, lambda how: (how.read is gender) is read_so, part=True)
    if not layers:
        return None
    value, below, above = weigh_layers(layers)
    return size * value, size * max(0.0, value - below), size * min(1.0, value + above)


def _percent(name: str, gender: Gender, n: int, ends: Iterable[float]) -> Measure:
    value, low, high = (100 * end for end in ends)
    return Measure(name, gender.value, value, "%", n, low=low, high=high)
