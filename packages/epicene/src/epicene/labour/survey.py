"""A survey as it was collected: one line an answer, with the person who gave it.

Each person rates several occupations, so the errors of these go together. They are those of a sample of people: an
occupation's femininity is a ratio of sums over people, linearised, and what one person adds to the errors of two
occupations makes these covary.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple

from epicene.errors import InputError
from epicene.labour.figures import ENDS, Cells, Measured, Value
from epicene.labour.reference import People
from epicene.stats.clustered import Share

PERSON, WEIGHT, MOTIVE = "respondent", "weight", "motive"
_ANSWER = re.compile(r"answer\W+(\d+)\s*=\s*(\w+)\W+(\d+)\s*=\s*(\w+)\W*", re.IGNORECASE)
_POINTS = 101  # of the longest scale
_PSEUDO = 0.5  # of an answer, spread over the scale, so that agreement of a few is not taken for certainty
_FEWEST = 5  # people, from which on their answers say how much people vary


class Scale(NamedTuple):
    """The column with the answers, and what its numbers mean."""

    column: str
    masculine: int
    feminine: int

    @classmethod
    def of(cls, header: Sequence[str], path: Path) -> Scale:
        """The scale that a header states; refused where it does not say which end is which."""
        columns = [column for column in header if column.lower().startswith("answer")]
        match = _ANSWER.fullmatch(columns[0]) if len(columns) == 1 else None
        ends = {ENDS.get(match[2].lower()): int(match[1]), ENDS.get(match[4].lower()): int(match[3])} if match else {}
        if set(ends) != {True, False} or not 0 < abs(ends[True] - ends[False]) < _POINTS:
            raise InputError(
                f"{path}:1: {f'column {columns[0]}' if columns else 'no column with the answers'}: which end of the "
                "scale is masculine? Name both in the header: answer 1=masculine 6=feminine"
            )
        return cls(columns[0], ends[False], ends[True])

    def place(self, cells: Cells, row: Mapping[str, str]) -> int | None:
        """How far an answer is from the masculine end; None where the person did not answer."""
        text = row[self.column]
        if not text:
            return None
        low, high = sorted((self.masculine, self.feminine))
        if not text.isdecimal() or not low <= int(text) <= high:
            cells.refuse(
                self.column,
                f"{text!r} is no answer",
                f"expected {low} to {high}; leave the cell empty where nobody answered",
            )
        return abs(int(text) - self.masculine)

    @property
    def points(self) -> int:
        """How many answers there are to choose from."""
        return abs(self.feminine - self.masculine) + 1


@dataclass
class Answers:
    """All answers of a file, as they are read."""

    scale: Scale
    people: dict[str, int] = field(default_factory=dict)
    weights: list[float] = field(default_factory=list)
    motives: dict[str, set[int]] = field(default_factory=dict)  # who named each
    by_place: dict[tuple[int, int], int] = field(default_factory=dict)  # by person and row
    missing: int = 0
    occupations: int = 0
    beside: ClassVar = (PERSON, WEIGHT, MOTIVE)
    repeats: ClassVar = True

    @classmethod
    def of(cls, header: Sequence[str], path: Path) -> Answers:
        """No answers yet, on the scale that a header states."""
        return cls(Scale.of(header, path))

    @property
    def columns(self) -> tuple[str, ...]:
        """The column with the answers."""
        return (self.scale.column,)

    def add(self, cells: Cells, row: Mapping[str, str], occupation: int) -> None:
        """One line of the file, about an occupation."""
        person = self._person(cells, row)
        for motive in filter(None, (part.strip() for part in row.get(MOTIVE, "").split("|"))):
            self.motives.setdefault(motive, set()).add(person)
        answer = self.scale.place(cells, row)
        if answer is None:
            self.missing += 1
        elif self.by_place.setdefault((person, occupation), answer) != answer:
            cells.refuse(self.scale.column, f"a second answer of {row[PERSON]}", "expected one an occupation")
        self.occupations = max(self.occupations, occupation + 1)

    def finish(self, cells: Cells) -> Measured:
        """What people answered, for every occupation of the file."""
        if (number := len(self.weights)) < _FEWEST:
            raise InputError(f"{cells.path}: {number} people answered; it takes {_FEWEST} to say how people vary")
        return estimate(self, self.occupations)

    def _person(self, cells: Cells, row: Mapping[str, str]) -> int:
        name = row[PERSON]
        if not name:
            cells.refuse(PERSON, "is empty", "expected who gave the answer, such as a number")
        weight = cells.number(row, WEIGHT) if WEIGHT in row else 1.0
        if not weight:
            cells.refuse(WEIGHT, "is 0", "leave the lines of this person out")
        if (person := self.people.get(name)) is None:
            person = self.people[name] = len(self.weights)
            self.weights.append(weight)
        elif self.weights[person] != weight:
            cells.refuse(WEIGHT, f"{weight:g}, but {self.weights[person]:g} above", f"expected one weight of {name}")
        return person


def estimate(answers: Answers, occupations: int) -> Measured:
    """The femininity of every occupation, with errors over people and how these go together."""
    import numpy as np

    weights = np.array(answers.weights) / np.mean(answers.weights)
    distance = np.arange(answers.scale.points) - (answers.scale.points - 1) / 2
    size, side = np.abs(distance), np.maximum(distance, 0.0)
    person, row = (np.array(places, dtype=int) for places in zip(*answers.by_place, strict=True))
    answer = np.array(list(answers.by_place.values()))
    shape = (len(weights), occupations)
    sizes, sides, asked = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    sizes[person, row], sides[person, row], asked[person, row] = size[answer], side[answer], 1.0
    sizes, sides, weighed = (part * weights[:, None] for part in (sizes, sides, asked))
    number = asked.sum(axis=0)
    typical = weighed.sum(axis=0) / np.maximum(number, 1)
    total = sizes.sum(axis=0) + _PSEUDO * typical * size.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = (sides.sum(axis=0) + _PSEUDO * typical * side.mean()) / total
        pulls = np.nan_to_num((sides - middle * sizes) / total)
        pseudo = typical**2 * _PSEUDO * ((side[:, None] - middle * size[:, None]) ** 2).mean(axis=0) / total**2
    few = number / np.maximum(number - 1, 1)
    together = pulls.T @ pulls * np.sqrt(np.outer(few, few))
    together[np.diag_indices(occupations)] += np.nan_to_num(pseudo)
    error = np.sqrt(np.diag(together))
    scale = np.where(error > 0, error, 1.0)
    correlation = together / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    rated = number > 0
    mean = 100 * float(np.mean((sides.sum(axis=0) / np.maximum(sizes.sum(axis=0), 1e-300))[rated]))
    mean_error = 100 * float(np.sqrt(together[np.ix_(rated, rated)].sum())) / int(rated.sum())
    motives = {
        name: Share(np.array([weight * (at in named) for at, weight in enumerate(weights)]), weights)
        for name, named in answers.motives.items()
    }
    people = People(len(weights), tuple(map(int, number)), answers.missing, correlation, (mean, mean_error), motives)
    feminine, masculine = sides.sum(axis=0), (sizes - sides).sum(axis=0)
    values = [
        Value(float(masculine[place]), float(feminine[place]), 100 * float(error[place]))
        if rated[place]
        else Value(None, None)
        for place in range(occupations)
    ]
    asked_of = f"{people.respondents:,} people gave {sum(people.answers):,} answers, {people.missing:,} are missing"
    note = f"{asked_of}; errors are clustered by person"
    return Measured(values, sized=False, opinion=True, people=people, note=note)
