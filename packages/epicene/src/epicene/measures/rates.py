"""What a set declares to be measured: rates of groups and gaps between them; ``misgendered`` is one that all sets have.

A rate that is declared is scored, compared, gated and corrected without further code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from epicene.types import Gender, Item, Measure

if TYPE_CHECKING:
    from epicene.labour.reference import Reference
    from epicene.measures.outcomes import Outcomes

Cell = str | tuple[str, str]  # a unit; or a unit and a template
OPPOSITE = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}


class Outcome(NamedTuple):
    """What a sentence says of a person's gender, and what was read."""

    expected: Gender | None
    gender: Gender
    other_word: bool = False  # whether the gender was read from somebody else's word

    @property
    def right(self) -> bool:
        """Whether the person has the expected gender; one on another's word is none of the person's."""
        return self.gender is self.expected and not self.other_word

    @classmethod
    def judged(cls, gender: Gender, right: bool) -> Outcome:
        """An answer that a reference calls right or wrong: what it expects follows from that."""
        return cls(gender if right else OPPOSITE.get(gender, Gender.FEMININE), gender)

    @property
    def misgendered(self) -> bool:
        """Whether the other of the two genders was read."""
        return self.expected in OPPOSITE and self.gender is OPPOSITE[self.expected]

    @property
    def shown(self) -> bool:
        """Whether the translation shows a woman or a man."""
        return self.gender in OPPOSITE

    @property
    def undetected(self) -> bool:
        """Whether no gender was detected."""
        return self.gender is Gender.UNKNOWN


class Profile(NamedTuple):
    """All that measures look at in an item before it is read."""

    groups: tuple[str, ...]
    unit: str  # what stands or falls together, such as an occupation
    stratum: str  # that the unit is drawn from
    labels: tuple[str, ...] = ()  # what the set's own measures need besides
    template: str = ""  # that the sentence was made of, as others were about other units

    @property
    def cell(self) -> Cell:
        """The unit, or the unit in the template."""
        return (self.unit, self.template) if self.template else self.unit


Holds = Callable[[Outcome], bool]
is_right: Holds = attrgetter("right")
is_shown: Holds = attrgetter("shown")
is_misgendered: Holds = attrgetter("misgendered")
is_undetected: Holds = attrgetter("undetected")


def anybody(outcome: Outcome) -> bool:  # noqa: ARG001
    """Everybody counts."""
    return True


def is_stated(outcome: Outcome) -> bool:
    """Whether the sentence states a gender."""
    return outcome.expected is not None


def is_open(outcome: Outcome) -> bool:
    """Whether the sentence leaves the gender open."""
    return outcome.expected is None


def is_hidden(outcome: Outcome) -> bool:
    """Whether the translation shows neither a woman nor a man."""
    return not outcome.shown


def is_as_expected(outcome: Outcome) -> bool:
    """Whether the expected gender was read, be it from somebody else's word."""
    return outcome.gender is outcome.expected


def both(first: Holds, second: Holds) -> Holds:
    """Whether two things hold."""
    return lambda outcome: first(outcome) and second(outcome)


def is_right_on_other_word(outcome: Outcome) -> bool:
    """Whether the gender is right, but was read from somebody else's word."""
    return is_as_expected(outcome) and outcome.other_word


def expects(*genders: Gender) -> Holds:
    """Whether the sentence says one of these genders."""
    return lambda outcome: outcome.expected in genders


def reads(*genders: Gender) -> Holds:
    """Whether one of these genders was read."""
    return lambda outcome: outcome.gender in genders


class Rate(NamedTuple):
    """A share of people: who counts, among whom."""

    name: str
    counted: Holds
    among: Holds = anybody
    excluded: Holds | None = None  # who is concerned but not among them, since the translation shows too little
    undetected: bool = True  # whether it says of how many among them no gender was detected
    quiet: bool = False  # in no printed table where nobody at all counts for it
    groups: tuple[str, ...] = ()  # that it is of, if not of all


class Gap(NamedTuple):
    """A rate of one group less that of another."""

    name: str
    rate: str
    first: str
    second: str


RIGHT = Rate("right", is_right, is_stated)
FEMININE = Rate("feminine", reads(Gender.FEMININE), both(is_open, is_shown), both(is_open, is_undetected))
UNDETECTED = Rate("undetected", is_undetected)
OTHER_WORD = Rate("other_word", is_right_on_other_word, undetected=False, quiet=True)
# People who are written with the other gender than the sentence states, by group.
MISGENDERED = {
    "all": Rate("misgendered", is_misgendered, expects(*OPPOSITE)),
    "female": Rate("misgendered", is_misgendered, expects(Gender.FEMININE)),
    "male": Rate("misgendered", is_misgendered, expects(Gender.MASCULINE)),
}
SHARES = {gender.value: Rate("share", reads(gender), undetected=gender is not Gender.UNKNOWN) for gender in Gender}
# Rates of everybody by name and group, whatever groups a set has.
COMMON = {(rate.name, group): rate for rates in (MISGENDERED, SHARES) for group, rate in rates.items()}


class Judged(NamedTuple):
    """Whether an answer is right by a reference, what it counts for, and the category it stands or falls with."""

    reference: str
    right: bool
    groups: tuple[str, ...]
    category: str


@dataclass(frozen=True, eq=False)
class Measures:
    """What is measured of a set: pure functions on items and outcomes."""

    groups: Callable[[Item], tuple[str, ...]]  # those that an item counts for
    rates: tuple[Rate, ...] = ()
    gaps: tuple[Gap, ...] = ()
    unit: Callable[[Item], str] = attrgetter("unit")  # what stands or falls together, such as an occupation
    stratum: Callable[[Item], str] = lambda _: ""  # that the unit is drawn from, where the set has strata
    # What the sentence is made of, as sentences about other units are; what a template brings falls together too.
    template: Callable[[Item], str] = lambda item: item.labels.get("template", "")
    labels: Callable[[Item], tuple[str, ...]] = lambda _: ()  # what ``own`` needs of an item besides
    order: Callable[[Mapping[str, int]], Iterable[str]] = tuple  # the groups as they are listed, from their sizes
    own: Callable[[Outcomes], list[Measure]] = lambda _: []  # F1, hypotheses …
    against: Callable[[Outcomes, Sequence[Reference]], list[Measure]] = lambda *_: []  # by what references say
    notes: Callable[[Outcomes, Sequence[Reference]], list[str]] = lambda *_: []  # what references say nothing about
    compared: Callable[[Item], tuple[str, ...]] | None = None  # groups when systems are compared, if others
    gated: tuple[str, ...] = ()  # gaps that a gate judges by --max-gap
    shares: bool = False  # whether shares of each gender read are printed; where nobody is stated they are there anyway
    misgendered: bool = True  # whether a verdict of the other gender means that somebody is misgendered
    # For sets whose right answers a reference defines: from the measures of a result, what judges answers by each of
    # its references; nothing of what they say nothing of.
    right: Callable[[Sequence[Measure]], Callable[[Item, Gender], list[Judged]]] | None = None
    quality: bool = True  # whether BLEU and chrF stand beside them where items have references

    def profile(self, item: Item) -> Profile:
        """All that is looked at in an item before it is read."""
        return Profile(self.groups(item), self.unit(item), self.stratum(item), self.labels(item), self.template(item))

    def compared_groups(self, item: Item) -> tuple[str, ...]:
        """The groups that an item counts for when systems are compared; none where its gender is open."""
        if self.compared is not None:
            return self.compared(item)
        return self.groups(item) if item.expected else ()

    def compute(self, outcomes: Outcomes, references: Sequence[Reference] = ()) -> list[Measure]:
        """All measures: rates by group, the set's own, gaps, then who is misgendered and what was read."""
        measures = [*self._rates(outcomes), *self.own(outcomes), *self.against(outcomes, references)]
        measures += self._gaps(outcomes)
        seen = {(measure.name, measure.group) for measure in measures}
        return measures + [measure for measure in self.common(outcomes) if (measure.name, measure.group) not in seen]

    def common(self, outcomes: Outcomes) -> Iterator[Measure]:
        """Who is misgendered, and what was read: measures that every set has."""
        stated = [rate for rate in MISGENDERED.items() if self.misgendered and outcomes.share(rate[1]).of.any()]
        for group, rate in stated:
            if measure := outcomes.measure(rate, group, everybody=True):
                yield measure
        if self.shares or not stated:
            for group, rate in SHARES.items():
                measure = outcomes.measure(rate, group, everybody=True)
                if measure:
                    yield measure if self.shares else replace(measure, detail=True)

    def _rates(self, outcomes: Outcomes) -> Iterator[Measure]:
        for group in self.order(outcomes.group_sizes()):
            for rate in self.rates:
                if (not rate.groups or group in rate.groups) and (measure := outcomes.measure(rate, group)):
                    yield measure

    def _gaps(self, outcomes: Outcomes) -> Iterator[Measure]:
        rates = {rate.name: rate for rate in self.rates}
        for name, rate, first, second in self.gaps:
            one, other = (outcomes.share(rates[rate], group) for group in (first, second))
            yield outcomes.clusters.gap(name, f"{first}-{second}", one, other)
