"""Measures as they are shown: by whom, of what, and the one rule for when a number is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from epicene.result import Result
from epicene.types import Gender, Measure

MAX_UNDETECTED = 0.05  # share of people without a detected gender, beyond which a rate alone misleads
SMALL = 50  # people; a rate of fewer says so wherever it is named
WEAK = "weak:"  # how a note begins that says a set's own sentences to be doubtful


@dataclass(frozen=True, slots=True)
class Claim:
    """A number with all that headlines, cells, ranks and charts say of it."""

    measure: Measure
    system: str
    set: str
    pair: str
    doubt: str = ""  # why it should not be believed as it stands

    @property
    def value(self) -> float:
        """The rate in per cent."""
        return self.measure.value or 0.0

    @property
    def count(self) -> int:
        """How many count for the rate."""
        return self.measure.count or 0

    @property
    def n(self) -> int:
        """Among how many."""
        return self.measure.n

    @property
    def undetected(self) -> int:
        """Of how many no gender was detected."""
        return count_undetected(self.measure)

    @property
    def interval(self) -> tuple[float, float] | None:
        """In per cent; None where there are too few units for one."""
        return self.measure.interval

    @property
    def hides(self) -> bool:
        """Whether so much was not detected that the rate alone misleads."""
        return hides(self.measure)

    @property
    def most(self) -> float:
        """The rate if all that was not detected counted, too."""
        return self.measure.bounds[1] if self.measure.bounds else self.value

    @property
    def rounded(self) -> str:
        """The rate in whole per cents, and in tenths near 0 and 100, where whole ones hide or claim too much."""
        is_whole = 9.95 <= self.value < 90.05 or self.count in (0, self.n)
        return f"{self.value:.{0 if is_whole else 1}f}"

    @property
    def is_small(self) -> bool:
        """Whether it rests on so few people that every mention says how many."""
        return self.n < SMALL


def count_undetected(measure: Measure) -> int:
    """Of how many people no gender was detected, whether or not the rate is among them."""
    return (measure.excluded if measure.excluded is not None else measure.undetected) or 0


def hides(measure: Measure) -> bool:
    """Whether a gender was not detected for more people than a rate alone can stand for."""
    return count_undetected(measure) > MAX_UNDETECTED * (measure.n + (measure.excluded or 0))


def share_undetected(result: Result) -> float:
    """How often no gender was detected in a whole result, in per cent."""
    return 100 * result.genders[Gender.UNKNOWN] / max(1, result.n)


def doubt(measure: Measure, warnings: Sequence[str] = ()) -> str:
    """Why a number should not be believed as it stands; nothing where it should."""
    if warnings:
        return warnings[0]
    if hides(measure):
        return (
            f"gender not detected for {count_undetected(measure):,} of {measure.n + (measure.excluded or 0):,} people"
        )
    return f"only {measure.n} people" if measure.n < SMALL else ""


def claim(result: Result, name: str, group: str) -> Claim | None:
    """The claim of one measure, where the result has it."""
    for measure in result.measures:
        if (measure.name, measure.group) == (name, group) and measure.value is not None:
            return Claim(measure, result.system, result.set, result.langs, doubt=doubt(measure, result.warnings))
    return None
