"""Many results beside each other: systems × languages × sets, with intervals, ranks, and who cannot be told apart.

``readings_of`` takes what is needed from a result with its verdicts; ``matrices`` makes one ``Matrix`` for each measure
that they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from epicene.compare.pairs import task_of
from epicene.compare.standing import Pairwise, Standing, ranked, sentence_pairs, share_pairs, shares
from epicene.errors import UnknownNameError
from epicene.flow.plan import measures_of
from epicene.measures.claims import doubt
from epicene.measures.outcomes import Clusters, Outcomes, mark
from epicene.measures.rates import FEMININE, MISGENDERED, RIGHT, Rate
from epicene.output.table import Answer, Row, Table
from epicene.result import Result
from epicene.stats.clustered import Share
from epicene.types import Measure

if TYPE_CHECKING:
    from epicene.compare.standing import Marks

__all__ = ["KINDS", "MEAN", "Cell", "Column", "Matrix", "Readings", "matrices", "matrix", "readings_of"]
MEAN = "mean"  # stands for the languages of a set, taken together
QUALITY = ("bleu", "chrf", "comet")  # measures of quality, which stand beside those of gender


class Kind(NamedTuple):
    """What a matrix shows of a system, and which end is the better."""

    title: str
    best: int  # -1: the least stands first, 1: the greatest
    verb: str  # what the first of them does
    rate: Rate
    judged: bool = True  # whether one end is better


KINDS = {
    "women": Kind("women written as men, %", -1, "misgenders women least", MISGENDERED["female"]),
    "men": Kind("men written as women, %", -1, "misgenders men least", MISGENDERED["male"]),
    "right": Kind("people written as the sentence says, %", 1, "keeps people’s gender best", RIGHT),
    "feminine": Kind(
        "women among women and men written, where it is open, %", 1, "writes women most", FEMININE, judged=False
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """One system on one set and language pair: its measures, and the outcome of each sentence."""

    system: str
    result: Result  # without verdicts
    outcomes: Outcomes  # with the ids of the sentences

    @property
    def ids(self) -> list[str]:
        """The sentences in order."""
        return self.outcomes.ids or []

    @property
    def task(self) -> str:
        """What was measured and how, whichever release did it."""
        return task_of(self.result.signature)


def readings_of(result: Result, system: str = "") -> Readings:
    """What a matrix needs of a result that carries its verdicts."""
    outcomes = Outcomes.of(measures_of(result.set), result.verdicts, paired=True)
    return Readings(system or result.system, replace(result, verdicts=()), outcomes)


@dataclass(frozen=True, slots=True)
class Cell:
    """One system in one column: a number with all that is needed to judge it."""

    system: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    count: int
    unread: int
    rank: int | None  # by the value alone
    ranks: tuple[int, int] | None  # the first and last rank that the tests leave open
    tied: tuple[str, ...]  # systems that it cannot be told apart from
    signature: str = ""
    translated: str = ""  # when, where it is known
    warnings: tuple[str, ...] = ()
    quality: tuple[Measure, ...] = ()
    why: str = ""  # why there is no interval
    doubtful: bool = False  # whether so much could not be read that the number alone misleads

    def as_dict(self) -> dict[str, Any]:
        """The cell as JSON has it."""
        found = {name: getattr(self, name) for name in Cell.__dataclass_fields__ if name != "quality"}
        found |= {"ranks": list(self.ranks) if self.ranks else None, "tied": list(self.tied)}
        found |= {"warnings": list(self.warnings), "undetected": self.unread}
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
    tests: tuple[Test, ...]
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


@dataclass(frozen=True, slots=True)
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


def matrix(readings: Sequence[Readings], measure: str | None = None) -> Matrix:
    """All systems beside each other by one measure: by default the first that these sets have."""
    found = matrices(readings, [measure] if measure else None)
    if not found:
        raise UnknownNameError("measure of these sets", measure or "", matrices(readings))
    return next(iter(found.values()))


def matrices(readings: Sequence[Readings], measures: Iterable[str] | None = None) -> dict[str, Matrix]:
    """One matrix for each measure: women, men and right for sets that have right answers, feminine for others."""
    layouts = laid_out(readings)
    found = {}
    for measure in measures or KINDS:
        if measure not in KINDS:
            raise UnknownNameError("measure", measure, KINDS)
        parts = [(layout, marks) for layout in layouts if (marks := layout.marks(measure)) is not None]
        if parts:
            columns = tuple(layout.column(measure, marks) for layout, marks in parts)
            means = tuple(_means(measure, parts))
            found[measure] = Matrix(measure, _ordered(columns, means), columns, means)
    return found


def laid_out(readings: Sequence[Readings]) -> list[Layout]:
    """The systems of each task beside each other."""
    tasks: dict[str, list[Readings]] = {}
    for each in _named_apart(readings):
        tasks.setdefault(each.task, []).append(each)
    return [Layout(own) for own in tasks.values()]


def _named_apart(readings: Sequence[Readings]) -> list[Readings]:
    """Readings of which no two of one task have the same name."""
    seen: dict[tuple[str, str], int] = {}
    found = []
    for each in readings:
        number = seen[each.task, each.system] = seen.get((each.task, each.system), 0) + 1
        found.append(each if number == 1 else replace(each, system=f"{each.system} #{number}"))
    return found


class Layout:
    """The systems of one task on the sentences that all of them have."""

    def __init__(self, readings: Sequence[Readings]) -> None:
        import numpy as np

        self.readings = readings
        first = readings[0]
        self.set, self.langs = first.result.set, first.result.langs
        shared = set(first.ids).intersection(*(each.ids for each in readings[1:]))
        order = [name for name in first.ids if name in shared]
        self.clusters = first.outcomes.clusters
        self.units = tuple(sorted(self.clusters.rows, key=self.clusters.rows.__getitem__))
        rows = [self._at(each, order) for each in readings]
        self.rows = rows[0][0]
        self._codes = np.array([codes for _, codes in rows], dtype=int).reshape(len(readings), -1)

    @staticmethod
    def _at(readings: Readings, order: Sequence[str]) -> Any:
        """Rows of clusters and numbers of outcomes, in the order of these sentences."""
        import numpy as np

        units, codes = readings.outcomes.rows()
        if readings.ids == order:
            return units, codes
        places = {name: place for place, name in enumerate(readings.ids)}
        wanted = np.array([places[name] for name in order], dtype=int)
        return units[wanted], codes[wanted]

    def marks(self, measure: str) -> tuple[Marks, Marks, Marks] | None:
        """What is counted, among what, and what of that was not detected; None where no sentence is concerned."""
        rate = KINDS[measure].rate
        missed = rate.excluded or (lambda outcome: rate.among(outcome) and outcome.undetected)
        counted, among, unread = (mark(holds)[self._codes] for holds in (rate.counted, rate.among, missed))
        return (counted, among, unread) if among.any() or unread.any() else None

    def column(self, measure: str, marks: tuple[Marks, Marks, Marks]) -> Column:
        """The systems in one measure."""
        counted, among, unread = marks
        whole = shares(counted, among, self.rows, self.clusters)
        pairs = sentence_pairs(counted, among, self.rows, self.clusters) if len(self.readings) > 1 else None
        found, tests = ranked(whole, pairs, self.clusters, KINDS[measure].best)
        names = [each.system for each in self.readings]
        cells = {}
        for reading, standing, own in zip(self.readings, found, unread.sum(axis=1), strict=True):
            cells[reading.system] = _cell(reading, standing, int(own), names, KINDS[measure])
        return Column(self.set, self.langs, cells, name_tests(tests, names))


def _is_doubtful(kind: Kind, n: int, undetected: int, warnings: Sequence[str] = ()) -> bool:
    """Whether a number should not be believed as it stands; of a share of what was read, the rest is apart from n."""
    inside, excluded = (None, undetected) if kind.rate.excluded else (undetected, None)
    return bool(doubt(Measure(kind.rate.name, "", None, "%", n, undetected=inside, excluded=excluded), warnings))


def _cell(reading: Readings, standing: Standing, unread: int, names: Sequence[str], kind: Kind) -> Cell:
    result = reading.result
    return Cell(
        reading.system,
        standing.value,
        standing.low,
        standing.high,
        standing.n,
        standing.counted,
        unread,
        standing.rank,
        standing.ranks,
        tuple(names[each] for each in standing.tied),
        result.signature,
        str(result.translated or ""),
        result.warnings,
        tuple(each for each in result.measures if each.name in QUALITY and not each.detail),
        standing.why,
        _is_doubtful(kind, standing.n, unread, result.warnings),
    )


def name_tests(found: Iterable[Pairwise], names: Sequence[str]) -> tuple[Test, ...]:
    """Tests with the names of the systems that they are of."""
    return tuple(Test(names[test[0]], names[test[1]], *test[2:]) for test in found)


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

    systems = list(dict.fromkeys(each.system for layout, _ in parts for each in layout.readings))
    whole = [name for name in systems if all(any(r.system == name for r in layout.readings) for layout, _ in parts)]
    lacking = tuple(name for name in systems if name not in whole)
    clusters = Clusters.of(
        (unit, str(layout.clusters.strata[row])) for layout, _ in parts for unit, row in layout.clusters.rows.items()
    )
    counted, of = (np.zeros((len(whole), len(clusters.rows))) for _ in range(2))
    n, unread = (np.zeros(len(whole), dtype=int) for _ in range(2))
    told = np.zeros(len(whole), dtype=int)
    for layout, marks in parts:
        places = [next(i for i, r in enumerate(layout.readings) if r.system == name) for name in whole]
        own = shares(marks[0][places], marks[1][places], layout.rows, layout.clusters)
        into = [clusters.rows[unit] for unit in layout.units]
        total = own.of.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            weight = np.where(total > 0, 1 / total, np.nan)
        counted[:, into] += own.counted * weight
        of[:, into] += own.of * weight
        n, told = n + total[:, 0].astype(int), told + own.counted.sum(axis=1).astype(int)
        unread = unread + marks[2][places].sum(axis=1)
    # In sentences again, of one language: what is the same in all of them is no more evidence.
    size = (n / len(parts))[:, None] / len(parts)
    counted, of = (np.nan_to_num(each * size) for each in (counted, of))
    together = Share(counted, of)
    pairs = share_pairs(together, clusters) if len(whole) > 1 else None
    found, tests = ranked(together, pairs, clusters, KINDS[measure].best)
    cells = {
        system: Cell(
            *(system, each.value, each.low, each.high, int(total), int(count), int(missing)),
            *(each.rank, each.ranks, tuple(whole[other] for other in each.tied)),
            why=each.why,
            doubtful=_is_doubtful(KINDS[measure], int(total), int(missing)),
        )
        for system, each, total, count, missing in zip(whole, found, n, told, unread, strict=True)
    }
    return Column(name, MEAN, cells, name_tests(tests, whole), lacking)


def _ordered(columns: Sequence[Column], means: Sequence[Column]) -> tuple[str, ...]:
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
