"""What was read of each person, one small row a verdict, and the intervals over clusters that all measures have."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from epicene.measures.rates import Cell, Holds, Measures, Outcome, Profile, Rate
from epicene.stats import clustered
from epicene.stats.clustered import Design, Share
from epicene.types import Gender, Measure, Verdict

Marks = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int_]

OUTCOMES = tuple(Outcome(*parts) for parts in product((None, *Gender), Gender, (False, True)))
_CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}


class Outcomes:
    """The outcomes of one system on one set: a few bytes a verdict, and each kind of item once."""

    def __init__(self, measures: Measures, paired: bool = False) -> None:
        self.measures = measures
        self.ids: list[str] | None = [] if paired else None  # only where systems are compared sentence by sentence
        self.empty = 0
        self.refused = 0  # of the empty ones, those that a service takes at no time
        self._profiles: dict[Profile, int] = {}
        self._rows = array("I")
        self._codes = bytearray()

    @classmethod
    def of(cls, measures: Measures, verdicts: Iterable[Verdict], paired: bool = False) -> Outcomes:
        """The outcomes of verdicts."""
        outcomes = cls(measures, paired)
        for verdict in verdicts:
            outcomes.add(verdict)
        return outcomes

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        output, item = verdict.output, verdict.output.item
        profile = self.measures.profile(item)
        if self.ids is not None:
            self.ids.append(item.id)
            profile = profile._replace(groups=self.measures.compared_groups(item))
        self._append(profile, Outcome(item.expected, verdict.gender, verdict.on_other_word))
        if not output.text.strip():
            self.empty += 1
            self.refused += bool(output.refused)

    def add_outcome(self, profile: Profile, outcome: Outcome, number: int = 1, ids: Sequence[str] = ()) -> None:
        """Count an outcome of items with such a profile so many times, under their ids where systems are compared."""
        if self.ids is not None:
            self.ids.extend(ids)
            if len(self.ids) != len(self) + number:
                raise ValueError(f"{len(ids)} ids for {number} outcomes")
        self._append(profile, outcome, number)

    def _append(self, profile: Profile, outcome: Outcome, number: int = 1) -> None:
        row = self._profiles.setdefault(profile, len(self._profiles))
        self._rows.extend([row] * number)
        self._codes.extend([_CODES[outcome]] * number)

    def __len__(self) -> int:
        return len(self._codes)

    def genders(self) -> dict[str, int]:
        """Verdicts by gender read."""
        counts = Counter[Gender]()
        for code, number in Counter(self._codes).items():
            counts[OUTCOMES[code].gender] += number
        return {gender.value: counts[gender] for gender in Gender}

    def cells(self) -> Iterator[tuple[Profile, Outcome, int]]:
        """Every profile and outcome that occur together, and how often."""
        profiles = self.profiles
        for row, code, number in zip(*(column.tolist() for column in self._cells), strict=True):
            yield profiles[row], OUTCOMES[code], number

    def group_sizes(self) -> dict[str, int]:
        """How many verdicts each group has, in the order in which groups come up."""
        sizes = Counter[str]()
        for profile, _, number in self.cells():
            for group in profile.groups:
                sizes[group] += number
        return dict(sizes)

    @cached_property
    def clusters(self) -> Clusters:
        """The units of all items."""
        return Clusters.of((profile.cell, profile.stratum) for profile in self._profiles)

    @property
    def profiles(self) -> list[Profile]:
        """Every profile, in the order in which they come up."""
        return list(self._profiles)

    def profile_rows(self) -> Numbers:
        """For each verdict, in order, the place of its profile."""
        return np.frombuffer(self._rows, dtype=np.uint32)

    def rows(self) -> tuple[Numbers, Numbers]:
        """For each verdict, in order, the row of its cluster and the number of its outcome in ``OUTCOMES``."""
        return self._units[self.profile_rows()], np.frombuffer(self._codes, dtype=np.uint8)

    def members(self, group: str | None) -> Marks:
        """For each verdict, in order, whether its item is of a group; all are where no group is named."""
        return self._inside(group)[self.profile_rows()]

    def share(self, rate: Rate, group: str | None = None) -> Share:
        """Whoever counts for a rate in each cluster, and among how many; of everybody where no group is named."""
        profiles, codes, numbers = self._cells
        among = mark(rate.among)[codes] & self._inside(group)[profiles]
        counted = among & mark(rate.counted)[codes]
        units, size = self._units[profiles], len(self.clusters.rows)

        def by_unit(part: Marks) -> npt.NDArray[np.float64]:
            return np.bincount(units[part], numbers[part], size).astype(np.float64)

        return Share(by_unit(counted), by_unit(among))

    def measure(self, rate: Rate, group: str, everybody: bool = False) -> Measure | None:
        """A rate of a group, or under that name of everybody; None where nobody of the group is concerned."""
        profiles, codes, numbers = self._cells
        inside = self._inside(None if everybody else group)[profiles]
        share = self.share(rate, None if everybody else group)
        undetected = excluded = detail = None
        if rate.excluded:
            excluded = int(numbers[inside & mark(rate.excluded)[codes]].sum())
        elif rate.undetected:
            among = inside & mark(rate.among)[codes]
            undetected = int(numbers[among & mark(lambda outcome: outcome.undetected)[codes]].sum())
        if inside.any() and not share.of.any() and not excluded:
            return None
        if rate.quiet and not (mark(rate.among) & mark(rate.counted))[codes].any():
            detail = True
        return self.clusters.rate(rate.name, group, share, undetected, excluded, detail)

    @cached_property
    def _cells(self) -> tuple[Numbers, Numbers, Numbers]:
        """Rows of profiles and codes of outcomes that occur together, in the order of the profiles, with numbers."""
        rows, codes = self.profile_rows(), np.frombuffer(self._codes, dtype=np.uint8)
        both, numbers = np.unique(rows.astype(np.int64) * len(OUTCOMES) + codes, return_counts=True)
        return both // len(OUTCOMES), both % len(OUTCOMES), numbers

    @cached_property
    def _units(self) -> Numbers:
        """The row of the cluster of every profile."""
        return np.array([self.clusters.rows[profile.cell] for profile in self._profiles], dtype=int)

    @cached_property
    def _members(self) -> dict[str, list[int]]:
        members: dict[str, list[int]] = {}
        for row, profile in enumerate(self._profiles):
            for group in profile.groups:
                members.setdefault(group, []).append(row)
        return members

    def _inside(self, group: str | None) -> Marks:
        """For each profile, whether it is of a group."""
        inside = np.full(len(self._profiles), group is None)
        if group is not None:
            inside[self._members.get(group, [])] = True
        return inside


def mark(holds: Holds) -> Marks:
    """For each number of an outcome, whether something holds."""
    return np.array([holds(outcome) for outcome in OUTCOMES], dtype=bool)


@dataclass(frozen=True, slots=True)
class Clusters:
    """The units that sentences belong to, such as occupations, in rows, and the stratum that each is drawn from.

    Where sentences are made of templates, a row is a unit in a template.
    """

    rows: Mapping[Cell, int]
    design: Design

    @classmethod
    def of(cls, cells: Iterable[tuple[Cell, str]]) -> Clusters:
        """Clusters from pairs of cell and stratum; a unit keeps the first stratum that any of its sentences names."""
        strata: dict[str, str] = {}
        seen: set[Cell] = set()
        for cell, stratum in cells:
            unit = _name_unit(cell)
            strata[unit] = strata.get(unit) or stratum
            seen.add(cell)
        ordered = sorted(seen, key=lambda cell: (cell, "") if isinstance(cell, str) else cell)
        return cls({cell: row for row, cell in enumerate(ordered)}, _lay_out(ordered, strata))

    def cells(self) -> Iterator[tuple[Cell, str]]:
        """Every cell in the order of the rows, with its stratum."""
        return ((cell, str(self.design.strata[row])) for cell, row in self.rows.items())

    def share(self, counts: Iterable[tuple[str, float, float]]) -> Share:
        """What is counted and among how many, from (unit, counted, among) in any order."""
        table = np.zeros((2, len(self.rows)))
        for unit, counted, among in counts:
            table[:, self.rows[unit]] += counted, among
        return Share(table[0], table[1])

    def rate(
        self,
        name: str,
        group: str,
        share: Share,
        undetected: int | None = None,
        excluded: int | None = None,
        detail: bool | None = None,
    ) -> Measure:
        """A share in per cent; not defined where there is nothing to count."""
        n, count = round(float(share.of.sum())), round(float(share.counted.sum()))
        if not n:
            return Measure(name, group, None, "%", 0, 0, undetected=undetected, excluded=excluded, detail=detail)
        estimate, value = clustered.rate(share, self.design), 100 * count / n
        ends = (*estimate.ends(), None, undetected, excluded, detail)
        return Measure(name, group, value, "%", n, count, *ends, why=estimate.why or None)

    def gap(self, name: str, group: str, first: Share, second: Share, n: int | None = None) -> Measure:
        """The first share less the second, in points; ``n`` where they share sentences."""
        total = round(float(first.of.sum() + second.of.sum())) if n is None else n
        if not first.of.any() or not second.of.any():
            return Measure(name, group, None, "points", total)
        estimate = clustered.gap(first, second, self.design)
        one, other = (100 * float(share.counted.sum()) / float(share.of.sum()) for share in (first, second))
        return Measure(name, group, one - other, "points", total, None, *estimate.ends(), why=estimate.why or None)

    def mean(
        self, name: str, group: str, unit: str, share: Share, n: int, scale: float = 1.0, skewed: bool = False
    ) -> Measure:
        """A ratio that may be any number."""
        if not share.of.any():
            return Measure(name, group, None, unit, n)
        estimate = clustered.mean(share, self.design, skewed=skewed)
        value = scale * float(estimate.value)
        return Measure(name, group, value, unit, n, None, *estimate.ends(scale), why=estimate.why or None)


def _lay_out(cells: Sequence[Cell], strata: Mapping[str, str]) -> Design:
    """The stratum of every cell by that of its unit, and the templates where there are any."""
    units = [(_name_unit(cell),) for cell in cells]
    layers = _number((strata[unit],) for (unit,) in units)
    if not any(isinstance(cell, tuple) for cell in cells):
        return Design(layers)
    # A sentence of no template is one of its own.
    return Design(layers, _number(units), _number(("", cell) if isinstance(cell, str) else cell[1:] for cell in cells))


def _name_unit(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell[0]


def _number(names: Iterable[tuple[str, ...]]) -> list[int]:
    """The place of each name among all of them, sorted."""
    listed = list(names)
    places = {name: place for place, name in enumerate(sorted(set(listed)))}
    return [places[name] for name in listed]
