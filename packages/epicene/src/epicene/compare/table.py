"""Many results beside each other: systems × languages × sets, with intervals, ranks, and who is tied.

``matrices`` makes one ``Matrix`` for each measure that entrants have. Every pair of systems is tested, and all pairs
share the error (Holm).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from epicene.compare.entrants import Entrant
from epicene.errors import UnknownNameError
from epicene.measures.claims import Claim, doubt, hides
from epicene.measures.outcomes import Clusters
from epicene.measures.paired import ALPHA, Shared, estimate_gaps, estimate_pairs, sum_shares
from epicene.measures.rates import FEMININE, MISGENDERED, RIGHT, Rate
from epicene.output.table import Answer, Row, Table
from epicene.stats import clustered
from epicene.stats.clustered import Estimate, Share
from epicene.types import Corrected, Measure

if TYPE_CHECKING:
    from epicene.measures.paired import Marks

MEAN = "mean"  # stands for the languages of a set, taken together
QUALITY = ("bleu", "chrf", "comet")  # measures of quality, which stand beside those of gender


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
        found = {name: getattr(self, name) for name in Cell.__dataclass_fields__ if name != "quality"}
        found |= {"ranks": list(self.ranks) if self.ranks else None, "tied": list(self.tied)}
        found |= {"warnings": list(self.warnings), "unread": self.undetected}  # for one version
        return {**found, "quality": [each.as_dict() for each in self.quality]} if self.quality else found


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
        found = {"set": self.set, "langs": self.langs, "cells": [cell.as_dict() for cell in self.cells.values()]}
        tests = [test._asdict() for test in self.tests]
        return {**found, "tests": tests, **({"lacking": list(self.lacking)} if self.lacking else {})}


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


def matrix(entrants: Sequence[Entrant], measure: str | None = None) -> Matrix:
    """All systems beside each other by one measure: by default the first that these sets have."""
    made = matrices(entrants, [measure] if measure else None)
    if not made:
        raise UnknownNameError("measure of these sets", measure or "", matrices(entrants))
    return next(iter(made.values()))


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
        parts = [(layout, marks) for layout in layouts if (marks := layout.mark(measure)) is not None]
        if parts:
            columns = tuple(layout.column(measure, marks) for layout, marks in parts)
            means = tuple(_means(measure, parts))
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

    def mark(self, measure: str) -> tuple[Marks, Marks, Marks] | None:
        """What is counted, among what, and what of that was not detected; None where no sentence is concerned."""
        rate = KINDS[measure].rate
        missed = rate.excluded or (lambda outcome: rate.among(outcome) and outcome.undetected)
        counted, among, undetected = (self.shared.mark(holds) for holds in (rate.counted, rate.among, missed))
        return (counted, among, undetected) if among.any() or undetected.any() else None

    def column(self, measure: str, marks: tuple[Marks, Marks, Marks]) -> Column:
        """The systems in one measure."""
        counted, among, undetected = marks
        units, clusters = self.shared.units, self.shared.clusters
        share = sum_shares(counted, among, units, clusters)
        pairs = estimate_pairs(counted, among, units, clusters) if len(self.entrants) > 1 else None
        names = [entrant.system for entrant in self.entrants]
        missed = undetected.sum(axis=1).tolist()
        doubtful = {
            entrant.system
            for entrant, people, own in zip(self.entrants, share.of.sum(axis=1).tolist(), missed, strict=True)
            if _is_doubtful(KINDS[measure], round(people), own, entrant.result.warnings)
        }
        cells, tests = rank(names, share, missed, pairs, clusters, KINDS[measure], doubtful)
        for entrant in self.entrants:
            result, cell = entrant.result, cells[entrant.system]
            cells[entrant.system] = replace(
                cell,
                signature=result.signature,
                translated=str(result.translated or ""),
                warnings=result.warnings,
                quality=tuple(each for each in result.measures if each.name in QUALITY and not each.detail),
            )
        return Column(self.set, self.langs, cells, tests)


def _is_doubtful(kind: Kind, n: int, undetected: int, warnings: Sequence[str] = ()) -> bool:
    """Whether a number should not be believed as it stands; of a share of what was read, the rest is apart from n."""
    inside, excluded = (None, undetected) if kind.rate.excluded else (undetected, None)
    return bool(warnings) or hides(Measure(kind.rate.name, "", None, "%", n, undetected=inside, excluded=excluded))


def rank(
    systems: Sequence[str],
    share: Share,
    undetected: Sequence[int],
    pairs: Estimate | None,
    clusters: Clusters,
    kind: Kind,
    doubtful: Collection[str] = (),
) -> tuple[dict[str, Cell], tuple[Test, ...]]:
    """The rate of each system, its rank among those that are not doubtful, and every pair of those that have a rate."""
    bare = [
        _describe_rate(name, Share(share.counted[row], share.of[row]), clusters) for row, name in enumerate(systems)
    ]
    known = {cell.system: cell.value for cell in bare if cell.value is not None}
    tests = _test_pairs(pairs, systems, known) if pairs is not None else ()
    sound = {name: value for name, value in known.items() if name not in doubtful}
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
    cells = {}
    for cell, missed in zip(bare, undetected, strict=True):
        name, cell = cell.system, replace(cell, undetected=missed, doubtful=cell.system in doubtful)
        if name in sound:
            place = 1 + sum(kind.best * (value - sound[name]) > 0 for value in sound.values())
            span = (1 + beaten[name], len(sound) - beats[name])
            cell = replace(cell, rank=place, ranks=span, tied=tuple(tied.get(name, ())))
        cells[name] = cell
    return cells, tests


def _describe_rate(system: str, share: Share, clusters: Clusters) -> Cell:
    n, count = round(float(share.of.sum())), round(float(share.counted.sum()))
    if not share.of.any():
        return Cell(system, n=n, count=count, why="nothing to count")
    estimate = clustered.rate(share, clusters.design)
    value, low, high = (
        None if end is None else 100 * float(end) for end in (estimate.value, estimate.low, estimate.high)
    )
    return Cell(system, value, low, high, n, count, why=estimate.why)


def _test_pairs(pairs: Estimate, systems: Sequence[str], known: Mapping[str, float]) -> tuple[Test, ...]:
    """Every pair of which both have a value, with p-values adjusted for their number."""
    chosen = [
        (names, pairs.of_row(row)) for row, names in enumerate(combinations(systems, 2)) if known.keys() >= set(names)
    ]
    adjusted = clustered.adjust([estimate for _, estimate in chosen])
    tests = []
    for (names, estimate), one in zip(chosen, adjusted, strict=True):
        p = estimate.p_value()
        value, low, high = (
            None if end is None else 100 * float(end) for end in (estimate.value, estimate.low, estimate.high)
        )
        tests.append(Test(*names, value or 0.0, low, high, None if p is None else float(p), one.p))
    return tuple(tests)


Part = tuple[Layout, "tuple[Marks, Marks, Marks]"]


def _means(measure: str, parts: Sequence[Part]) -> Iterable[Column]:
    """For every set of several languages, the mean over them of the systems that have them all."""
    by_set: dict[str, list[Part]] = {}
    for layout, marks in parts:
        by_set.setdefault(layout.set, []).append((layout, marks))
    for name, own in by_set.items():
        langs = {layout.langs for layout, _ in own}
        if len(langs) > 1 and len(langs) == len(own) and (found := _mean(measure, name, own)).cells:
            yield found


def _mean(measure: str, name: str, parts: Sequence[Part]) -> Column:
    """Languages weigh the same, and what a cluster brings in all of them stands or falls together."""
    import numpy as np

    systems = list(dict.fromkeys(each.system for layout, _ in parts for each in layout.entrants))
    rows = [{each.system: row for row, each in enumerate(layout.entrants)} for layout, _ in parts]
    whole = [system for system in systems if all(system in places for places in rows)]
    clusters = Clusters.of(unit for layout, _ in parts for unit in layout.shared.clusters.cells())
    counted, of = (np.zeros((len(whole), len(clusters.rows))) for _ in range(2))
    n, count, undetected = (np.zeros(len(whole), dtype=int) for _ in range(3))
    doubtful: set[str] = set()
    for (layout, marks), places in zip(parts, rows, strict=True):
        chosen, shared = [places[system] for system in whole], layout.shared
        own = sum_shares(marks[0][chosen], marks[1][chosen], shared.units, shared.clusters)
        into = [clusters.rows[unit] for unit, _ in shared.clusters.cells()]
        total = own.of.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            weight = np.where(total > 0, 1 / total, np.nan)
        counted[:, into] += own.counted * weight
        of[:, into] += own.of * weight
        n, count = n + total[:, 0].astype(int), count + own.counted.sum(axis=1).astype(int)
        missed = marks[2][chosen].sum(axis=1)
        undetected = undetected + missed
        entrants = [layout.entrants[row] for row in chosen]
        for entrant, people, own in zip(entrants, total[:, 0].tolist(), missed.tolist(), strict=True):
            if _is_doubtful(KINDS[measure], round(people), own, entrant.result.warnings):
                doubtful.add(entrant.system)  # a mean is no better than what it is of
    # In sentences again, of one language: what is the same in all of them is no more evidence.
    size = (n / len(parts))[:, None] / len(parts)
    share = Share(*(np.nan_to_num(part * size) for part in (counted, of)))
    pairs = estimate_gaps(share, clusters) if len(whole) > 1 else None
    cells, tests = rank(whole, share, undetected.tolist(), pairs, clusters, KINDS[measure], doubtful)
    for system, people, right in zip(whole, n.tolist(), count.tolist(), strict=True):
        cells[system] = replace(cells[system], n=people, count=right)
    lacking = tuple(system for system in systems if system not in whole)
    return Column(name, MEAN, cells, tests, lacking)


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
        own = ranks[system]
        return system in lacking, sum(own) / len(own) if own else 2.0

    return tuple(sorted(ranks, key=place))
