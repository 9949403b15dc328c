"""What translations are compared with: how many men and women do a job, or how feminine people find it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# What the rows of a reference are about: the label of an item, and what it is called in messages.
KEYS = {"occupation": "occupation", "feor08": "FEOR-08 code", "isco08": "ISCO-08 code", "soc": "SOC code"}
# Answers from 1, very masculine, to 6, very feminine, at their distance from the middle of the scale.
LIKERT = (2.5, 1.5, 0.5, 0.5, 1.5, 2.5)


@dataclass(frozen=True, slots=True)
class Share:
    """Men and women in a job, as heads, weighted answers or percentages."""

    men: float
    women: float
    unit: str  # the row or rows that it comes from

    @property
    def women_pct(self) -> float:
        """The share of women, in per cent."""
        return 100 * self.women / (self.men + self.women)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a reference: a category of a classification, an occupation or a survey's item."""

    name: str
    codes: tuple[str, ...]
    men: float | None  # None with women: the source publishes no share
    women: float | None


@dataclass(frozen=True, slots=True)
class Reference:
    """Statistics or a survey, by the codes of a classification or by occupation."""

    name: str
    identity: str  # name and checksum
    key: str  # one of KEYS
    rows: tuple[Row, ...]
    sized: bool  # whether men and women are heads, so that a row weighs as much as it has
    _row_of: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_row_of", {code: place for place, row in enumerate(self.rows) for code in row.codes})

    def share(self, labels: Mapping[str, str]) -> Share | str:
        """Men and women of an occupation, or why there are none.

        An occupation with codes in several rows has its part of each: the heads of a row are shared out equally among
        the codes that the row covers.
        """
        codes = self._codes(labels)
        parts: dict[int, int] = {}
        for code in codes:
            if code in self._row_of:
                place = self._row_of[code]
                parts[place] = parts.get(place, 0) + 1
        if not parts:
            return f"no row for the {KEYS[self.key]}" if codes else f"no {KEYS[self.key]}"
        shares = [(part / len(self.rows[place].codes), self.rows[place]) for place, part in sorted(parts.items())]
        known = [(part, row) for part, row in shares if row.men is not None and row.women is not None]
        if not known:
            return "no share is published for the category"
        men = math.fsum(part * (row.men or 0) for part, row in known)
        women = math.fsum(part * (row.women or 0) for part, row in known)
        if men + women == 0:
            return "nobody is counted in the category"
        return Share(men, women, "; ".join(row.name for _, row in known))

    def _codes(self, labels: Mapping[str, str]) -> Sequence[str]:
        """An occupation is looked up by its word, else by its English name."""
        if self.key != "occupation":
            return labels[self.key].split()
        names = (labels["occupation"].lower(), labels["english"].lower())
        return [name for name in names if name in self._row_of][:1] or names[:1]

    def unused(self, items: Sequence[Mapping[str, str]]) -> list[str]:
        """The rows that no item is looked up in."""
        used = {self._row_of[code] for labels in items for code in self._codes(labels) if code in self._row_of}
        return [row.name for place, row in enumerate(self.rows) if place not in used]


def weighed(answers: Sequence[float]) -> tuple[float, float]:
    """Masculinity and femininity as sums: the numbers of answers 1 to 6, times 2.5, 1.5, 0.5, 0.5, 1.5 and 2.5."""
    values = [weight * count for weight, count in zip(LIKERT, answers, strict=True)]
    return math.fsum(values[:3]), math.fsum(values[3:])


def femininity(answers: Sequence[float]) -> float | None:
    """How feminine people find an occupation, in per cent, from the numbers of their answers 1 to 6."""
    masculine, feminine = weighed(answers)
    return 100 * feminine / (masculine + feminine) if masculine + feminine else None


def masculinity(answers: Sequence[float]) -> float | None:
    """How masculine people find an occupation, in per cent: the rest of its femininity."""
    feminine = femininity(answers)
    return None if feminine is None else 100 - feminine
