"""Many results beside each other: systems × languages × sets, with intervals, ranks, and who is tied.

``matrices`` makes one ``Matrix`` for each measure that entrants have. Every pair of systems is tested, and all pairs
share the error (Holm).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from epicene.compare.entrants import Entrant
from epicene.errors import UnknownNameError
from epicene.measures.claims import Claim, doubt, hides
from epicene.measures.metrics import UNITS
from epicene.measures.outcomes import Clusters
from epicene.measures.paired import ALPHA, Shared, estimate_gaps, estimate_pairs, sum_shares
from epicene.measures.rates import FEMININE, MISGENDERED, RIGHT, Rate
from epicene.output.table import Answer, Row, Table
from epicene.stats import clustered
from epicene.stats.clustered import Estimate, Share
from epicene.types import Corrected, Measure

MEAN = "mean"  # stands for the languages of a set, taken together


class Kind(NamedTuple):
    """What a matrix shows of a system, and which end is the better."""

    title: str
    best: int  # -1: the least is first, 1: the greatest
    verb: str  # what a system does
    plural: str  # what systems do
    people: str  # to whom
    first: str  # what the first is called
    rate: Rate
    judged: bool = True  # whether one end is better


_MISGENDERS = ("misgenders", "misgender")
KINDS = {
    "women": Kind("women misgendered, %", -1, *_MISGENDERS, "the women", "Fewest", MISGENDERED["female"]),
    "men": Kind("men misgendered, %", -1, *_MISGENDERS, "the men", "Fewest", MISGENDERED["male"]),
    "right": Kind(
        "people with the right gender, %", 1, "is right about", "are right about", "the people", "Most", RIGHT
    ),
    "feminine": Kind(
        "feminine among feminine and masculine, gender not stated, %",
        1,
        "uses the feminine for",
        "use the feminine for",
        "the people",
        "Most",
        FEMININE,
        judged=False,
    ),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One system in one column: a number with all that is needed to judge it."""

    system: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    count: int = 0
    undetected: int = 0
    rank: int | None = None  # by the value alone, among those that are not doubtful
    ranks: tuple[int, int] | None = None  # the first and last rank that the tests leave open
    tied: tuple[str, ...] = ()  # systems that are not significantly different
    signature: str = ""
    translated: str = ""  # when, where it is known
    warnings: tuple[str, ...] = ()
    quality: tuple[Measure, ...] = ()
    why: str = ""  # why there is no interval
    doubtful: bool = False  # whether so much could not be read that the number alone misleads

    def claim(self, group: str, set_name: str, langs: str, corrected: Corrected | None = None) -> Claim:
        """The number as it is claimed, of a group who may be misgendered."""
        measure = Measure("misgendered", group, self.value, "%", self.n, self.count, self.low, self.high,
                          undetected=self.undetected, corrected=corrected, why=self.why or None)  # fmt: skip
        why = doubt(measure, self.warnings) or ("in doubt in one of its languages" if self.doubtful else "")
        return Claim(measure, self.system, set_name, langs, doubt=why)

    def as_dict(self) -> dict[str, Any]:
        """The cell as JSON has it."""
        record = {name: getattr(self, name) for name in Cell.__dataclass_fields__ if name != "quality"}
        record |= {"ranks": list(self.ranks) if self.ranks else None, "tied": list(self.tied)}
        record |= {"warnings": list(self.warnings), "unread": self.undetected}  # for one version
        return {**record, "quality": [measure.as_dict() for measure in self.quality]} if self.quality else record


class Test(NamedTuple):
    """Two systems of one column: the second less the first, in points."""

    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None


@dataclass(frozen=True, slots=True)
class Column:
    """All systems on one set and language pair, or on the mean of a set's languages."""

    set: str
    langs: str
    cells: Mapping[str, Cell]
    tests: tuple[Test, ...] = ()
    lacking: tuple[str, ...] = ()  # of a mean: systems that lack a language of the set, so that they have none

    @property
    def target(self) -> str:
        """The language that is translated into."""
        return self.langs.partition("-")[2] or self.langs

    def first(self) -> Cell | None:
        """Who stands first; a number that misleads does not, and one that is left alone is first of nothing."""
        known = [cell for cell in self.cells.values() if cell.rank is not None and not cell.doubtful]
        return min(known, key=lambda cell: cell.rank or 0) if len(known) > 1 else None

    def as_dict(self) -> dict[str, Any]:
        """The column as JSON has it."""
        return {
            "set": self.set,
            "langs": self.langs,
            "cells": [cell.as_dict() for cell in self.cells.values()],
            "tests": [test._asdict() for test in self.tests],
            **({"lacking": list(self.lacking)} if self.lacking else {}),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Matrix(Answer):
    """Systems down, sets and languages across, for one measure."""

    measure: str
    systems: tuple[str, ...]  # the first of them first, by the mean rank
    columns: tuple[Column, ...]
    means: tuple[Column, ...]  # one for each set that is translated into several languages

    @property
    def kind(self) -> Kind:
        """What is shown."""
        return KINDS[self.measure]

    def tables(self) -> Iterable[Table]:
        """The sentence that sums it up, a table for each set, and what the marks mean."""
        from epicene.compare.tables import matrix_tables

        return matrix_tables(self)

    def rows(self) -> Iterable[Row]:
        """One row a system, set and language pair."""
        from epicene.compare.tables import matrix_rows

        return matrix_rows(self)

    def as_dict(self) -> dict[str, Any]:
        """The matrix as JSON has it."""
        from epicene.compare.headline import headline

        return {
            "measure": self.measure,
            "title": self.kind.title,
            "headline": headline(self),
            "systems": list(self.systems),
            "columns": [column.as_dict() for column in self.columns],
            "means": [column.as_dict() for column in self.means],
        }


def matrices(entrants: Sequence[Entrant], measures: Iterable[str] | None = None) -> dict[str, Matrix]:
    """One matrix for each measure: women, men and right for sets that have right answers, feminine for others."""
    tasks: dict[str, list[Entrant]] = {}
    for entrant in _name_apart(entrants):
        tasks.setdefault(entrant.task, []).append(entrant)
    layouts = [Layout(task) for task in tasks.values()]
    made = {}
    for measure in measures or KINDS:
        if measure not in KINDS:
            raise UnknownNameError("measure", measure, KINDS)
        kind = KINDS[measure]
        parts = [part for layout in layouts if (part := layout.compare(kind))]
        if parts:
            columns = tuple(part.column for part in parts)
            means = tuple(_average_sets(kind, parts))
            made[measure] = Matrix(measure, _order_systems(columns, means), columns, means)
    return made


def _name_apart(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Entrants of which no two of one task have the same name."""
    seen = Counter[tuple[str, str]]()
    named = []
    for entrant in entrants:
        seen[entrant.task, entrant.system] += 1
        number = seen[entrant.task, entrant.system]
        named.append(entrant if number == 1 else replace(entrant, system=f"{entrant.system} #{number}"))
    return named


class Layout:
    """The systems of one task on the sentences that all of them have."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        self.entrants = entrants
        self.set, self.langs = entrants[0].result.set, entrants[0].result.langs
        self.shared = Shared([entrant.outcomes for entrant in entrants])

    def compare(self, kind: Kind) -> Part | None:
        """The systems in one measure; None where no sentence is concerned."""
        rate, shared = kind.rate, self.shared
        missed = rate.excluded or (lambda outcome: rate.among(outcome) and outcome.undetected)
        counted, among, undetected = (shared.mark(holds) for holds in (rate.counted, rate.among, missed))
        if not (among.any() or undetected.any()):
            return None
        share = sum_shares(counted, among, shared.units, shared.clusters)
        pairs = None
        if len(self.entrants) > 1:
            pairs = estimate_pairs(counted, among, shared.units, shared.clusters)
        cells = []
        for row, (entrant, number) in enumerate(zip(self.entrants, undetected.sum(axis=1).tolist(), strict=True)):
            result, cell = entrant.result, _describe_rate(entrant.system, share.of_row(row), shared.clusters)
            cells.append(
                replace(
                    cell,
                    undetected=number,
                    doubtful=_is_doubtful(kind, cell.n, number, result.warnings),
                    signature=result.signature,
                    translated=str(result.translated or ""),
                    warnings=result.warnings,
                    quality=tuple(one for one in result.measures if one.name in UNITS and not one.detail),
                )
            )
        return Part(self, share, Column(self.set, self.langs, *rank(cells, pairs, kind)))


class Part(NamedTuple):
    """The systems of one task in one measure."""

    layout: Layout
    share: Share
    column: Column


def _is_doubtful(kind: Kind, n: int, undetected: int, warnings: Sequence[str]) -> bool:
    """Whether a number should not be believed as it stands; of a share of what was read, the rest is apart from n."""
    inside, excluded = (None, undetected) if kind.rate.excluded else (undetected, None)
    return bool(warnings) or hides(Measure(kind.rate.name, "", None, "%", n, undetected=inside, excluded=excluded))


def rank(cells: Sequence[Cell], pairs: Estimate | None, kind: Kind) -> tuple[dict[str, Cell], tuple[Test, ...]]:
    """The cells by system with their ranks among those that are not doubtful, and every pair that has two rates."""
    tests = _test_pairs(pairs, cells) if pairs is not None else ()
    sound = {cell.system: cell.value for cell in cells if cell.value is not None and not cell.doubtful}
    beaten, beats, tied = Counter[str](), Counter[str](), dict[str, list[str]]()
    for test in tests:
        if not sound.keys() >= {test.first, test.second}:
            continue
        if test.p_holm is None or test.p_holm >= ALPHA:
            tied.setdefault(test.first, []).append(test.second)
            tied.setdefault(test.second, []).append(test.first)
        else:
            winner, loser = (test.second, test.first)[:: 1 if kind.best * test.difference > 0 else -1]
            beats[winner] += 1
            beaten[loser] += 1
    ranked = {}
    for cell in cells:
        name = cell.system
        if name in sound:
            place = 1 + sum(kind.best * (value - sound[name]) > 0 for value in sound.values())
            span = (1 + beaten[name], len(sound) - beats[name])
            cell = replace(cell, rank=place, ranks=span, tied=tuple(tied.get(name, ())))
        ranked[name] = cell
    return ranked, tests


def _describe_rate(system: str, share: Share, clusters: Clusters) -> Cell:
    n, count = round(float(share.of.sum())), round(float(share.counted.sum()))
    if not share.of.any():
        return Cell(system, n=n, count=count, why="nothing to count")
    estimate = clustered.rate(share, clusters.design)
    return Cell(system, 100 * float(estimate.value), *estimate.ends(), n, count, why=estimate.why)


def _test_pairs(pairs: Estimate, cells: Sequence[Cell]) -> tuple[Test, ...]:
    """Every pair of which both have a value, with p-values adjusted for their number."""
    known = [
        (first.system, second.system, pairs.of_row(row))
        for row, (first, second) in enumerate(combinations(cells, 2))
        if first.value is not None and second.value is not None
    ]
    adjusted = clustered.adjust([estimate for _, _, estimate in known])
    tests = []
    for (first, second, estimate), one in zip(known, adjusted, strict=True):
        p = estimate.p_value()
        numbers = (100 * float(estimate.value), *estimate.ends(), None if p is None else float(p), one.p)
        tests.append(Test(first, second, *numbers))
    return tuple(tests)


def _average_sets(kind: Kind, parts: Sequence[Part]) -> Iterable[Column]:
    """For every set of several languages, the mean over them of the systems that have them all."""
    by_set: dict[str, list[Part]] = {}
    for part in parts:
        by_set.setdefault(part.layout.set, []).append(part)
    for set_parts in by_set.values():
        langs = {part.layout.langs for part in set_parts}
        if len(langs) > 1 and len(langs) == len(set_parts) and (mean := _average(kind, set_parts)).cells:
            yield mean


def _average(kind: Kind, parts: Sequence[Part]) -> Column:
    """Languages weigh the same, and what a cluster brings in all of them stands or falls together."""
    rows = [{entrant.system: row for row, entrant in enumerate(part.layout.entrants)} for part in parts]
    systems = list(dict.fromkeys(system for places in rows for system in places))
    whole = [system for system in systems if all(system in places for places in rows)]
    clusters = Clusters.of(unit for part in parts for unit in part.layout.shared.clusters.cells())
    cells = [[part.column.cells[system] for part in parts] for system in whole]
    # In sentences of one language: what is the same in all of them is no more evidence.
    size = np.array([sum(cell.n for cell in row) for row in cells])[:, None] / len(parts) / len(parts)
    counted, of = (np.zeros((len(whole), len(clusters.rows))) for _ in range(2))
    for part, places in zip(parts, rows, strict=True):
        chosen = [places[system] for system in whole]
        into = [clusters.rows[unit] for unit, _ in part.layout.shared.clusters.cells()]
        total = part.share.of[chosen].sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            weight = np.where(total > 0, 1 / total, np.nan)
        counted[:, into] += part.share.counted[chosen] * weight
        of[:, into] += part.share.of[chosen] * weight
    share = Share(*(np.nan_to_num(sums * size) for sums in (counted, of)))
    means = []
    for row, (system, system_cells) in enumerate(zip(whole, cells, strict=True)):
        n, count, undetected = (
            sum(getattr(cell, name) for cell in system_cells) for name in ("n", "count", "undetected")
        )
        mean = _describe_rate(system, share.of_row(row), clusters)
        # A mean is no better than what it is of.
        doubtful = any(cell.doubtful for cell in system_cells)
        means.append(replace(mean, n=n, count=count, undetected=undetected, doubtful=doubtful))
    pairs = estimate_gaps(share, clusters) if len(whole) > 1 else None
    lacking = tuple(system for system in systems if system not in whole)
    return Column(parts[0].layout.set, MEAN, *rank(means, pairs, kind), lacking)


def _order_systems(columns: Sequence[Column], means: Sequence[Column]) -> tuple[str, ...]:
    """Systems by their mean rank over sets, those with all languages of a set first; who has no rank comes last."""
    ranks: dict[str, list[float]] = {}
    for column in columns:
        size = max(1, len(column.cells) - 1)
        for system, cell in column.cells.items():
            ranks.setdefault(system, [])
            if cell.rank is not None:
                ranks[system].append((cell.rank - 1) / size)
    lacking = {system for column in means for system in column.lacking}

    def place(system: str) -> tuple[bool, float]:
        return system in lacking, fmean(ranks[system]) if ranks[system] else 2.0

    return tuple(sorted(ranks, key=place))
