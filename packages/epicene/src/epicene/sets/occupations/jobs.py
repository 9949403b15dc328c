"""What was said of occupations, and who does them: answers joined with the men and women of a reference.

A stochastic translator is asked several times: its answers for one occupation are one job, whose error E_t is the mean
over the answers that name a gender. A pronoun fails those whom it does not name: "she" for a job with 60 % women has 40
error points, "he" has 60.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from epicene.labour.reference import Reference, Share
from epicene.measures.rates import Judged
from epicene.stats.rates import Z95
from epicene.types import Gender, Measure

NEAR_EVEN = (45.0, 55.0)  # per cent of women, between which neither pronoun is much better than the other
NOBODY = 0.001  # per cent: what fewer than one in 100,000 do counts as done by nobody
ADJECTIVES = ("good", "very-good", "bad", "very-bad")
ALWAYS_HE = "always he"  # the baseline: a translator that says he of everybody
DOMINATED = {"female-dominated": Gender.FEMININE, "male-dominated": Gender.MASCULINE}  # by whose pronoun is right
WRONG = {"wrongly_he": "he", "wrongly_she": "she"}  # measures of wrong jobs, and what was said of these
CHANGES = ("she_she", "he_he", "she_he", "he_she")  # from the plain sentence to another wording
_OCCUPATION = " occupation "


def optimal_error(women_pct: float) -> float:
    """E_o: the error of the optimal deterministic translator, which always takes the pronoun of the majority."""
    return min(women_pct, 100 - women_pct)


def probabilistic_error(women_pct: float) -> float:
    """The mean error of the optimal probabilistic translator, which says "she" as often as there are women."""
    return 2 * women_pct * (100 - women_pct) / 100


def error(women_pct: float, said: Gender) -> float | None:
    """E_t: the error of a translator that said this; None for an answer that names no gender or was not read."""
    if said is Gender.FEMININE:
        return 100 - women_pct
    return women_pct if said is Gender.MASCULINE else None


def optimal(women_pct: float) -> Gender | None:
    """The pronoun of the majority; None where there are as many women as men, and either is right."""
    if women_pct == 50:
        return None
    return Gender.FEMININE if women_pct > 50 else Gender.MASCULINE


def is_wrong(women_pct: float, said: Gender) -> bool:
    """Whether a pronoun was given, and it is the one of the minority."""
    return said in (Gender.FEMININE, Gender.MASCULINE) and optimal(women_pct) not in (None, said)


class Answer(NamedTuple):
    """What was said of an occupation."""

    labels: Mapping[str, str]
    said: Gender

    @property
    def names_gender(self) -> bool:
        """Whether the answer is he or she."""
        return self.said in (Gender.FEMININE, Gender.MASCULINE)


@dataclass(frozen=True)
class Job:
    """The answers for one occupation, and the men and women who do it."""

    labels: Mapping[str, str]
    share: Share
    said: tuple[Gender, ...]

    @cached_property
    def women(self) -> float:
        """Per cent of women."""
        return self.share.women_pct

    @property
    def unit(self) -> str:
        """The category of the reference."""
        return self.share.unit

    @cached_property
    def near_even(self) -> bool:
        """Whether about as many women as men do it."""
        return NEAR_EVEN[0] <= self.women <= NEAR_EVEN[1]

    @cached_property
    def majority(self) -> Gender | None:
        """Whose pronoun is right; None where there are as many women as men."""
        return optimal(self.women)

    def count(self, gender: Gender) -> int:
        """How many answers said so."""
        return self.said.count(gender)

    @cached_property
    def gendered(self) -> int:
        """How many answers named a gender."""
        return self.count(Gender.FEMININE) + self.count(Gender.MASCULINE)

    @cached_property
    def wrong(self) -> int:
        """How many answers took the pronoun of the minority."""
        return sum(is_wrong(self.women, pronoun) for pronoun in self.said)

    @cached_property
    def she(self) -> float | None:
        """How many of the answers that name a gender are she, in per cent."""
        return 100 * self.count(Gender.FEMININE) / self.gendered if self.gendered else None

    @cached_property
    def error(self) -> float | None:
        """E_t, in points; None where no answer names a gender."""
        values = [value for pronoun in self.said if (value := error(self.women, pronoun)) is not None]
        return math.fsum(values) / len(values) if values else None

    @cached_property
    def bias(self) -> float | None:
        """B = (E_t - E_o) / E_o; infinite where it is unbounded, None where no answer names a gender.

        Unbounded too where E_o may be 0 by the reference's own error, since nothing then limits B.
        """
        made, needed = self.error, optimal_error(self.women)
        if made is None:
            return None
        if made == needed:
            return 0.0
        return (made - needed) / needed if needed > max(NOBODY, Z95 * self.share.error) else math.inf


def joined(reference: Reference, answers: Sequence[Answer]) -> list[Job]:
    """The occupations that the reference has a figure for, each with all its answers."""
    by_occupation: dict[tuple[str, ...], list[Answer]] = {}
    for answer in answers:
        by_occupation.setdefault(tuple(answer.labels.values()), []).append(answer)
    shares = ((answers, reference.share(answers[0].labels)) for answers in by_occupation.values())
    return [
        Job(answers[0].labels, share, tuple(answer.said for answer in answers))
        for answers, share in shares
        if isinstance(share, Share)
    ]


def women_of(measures: Sequence[Measure]) -> dict[str, dict[str, float]]:
    """The share of women by reference and occupation, in per cent, as a result says it."""
    women: dict[str, dict[str, float]] = {}
    for measure in measures:
        reference, mark, word = measure.group.partition(_OCCUPATION)
        if measure.name == "women" and mark and measure.value is not None:
            women.setdefault(reference, {})[word] = measure.value
    return women


def judged(labels: Mapping[str, str], said: Gender, women: Mapping[str, Mapping[str, float]]) -> list[Judged]:
    """An answer by every reference that has a figure for the occupation.

    Right are the pronoun of the majority and answers that name no gender; what could not be read is not right.
    """
    rulings = []
    category = labels["feor08"] or labels["soc"] or labels["occupation"]
    for reference, shares in women.items():
        if (share := shares.get(labels["occupation"])) is not None:
            right = said is not Gender.UNKNOWN and not is_wrong(share, said)
            whose = [name for name, gender in DOMINATED.items() if gender is optimal(share)]
            groups = (reference, *(f"{reference} {name}" for name in whose))
            rulings.append(Judged(reference, right, groups, category))
    return rulings
