"""How systems compare on a page: for each set a table of systems and languages with ties, and paired differences.

Rates, intervals, ranks, order and doubts are the cells of ``compare.table``, which ``compare`` and ``record`` print.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from epicene.compare.entrants import Entrant, make_entrant
from epicene.compare.headline import headline
from epicene.compare.pairs import Comparison, compare_entrants
from epicene.compare.table import Cell, Matrix, matrices
from epicene.measures.claims import Claim
from epicene.measures.paired import PairedTest
from epicene.measures.rates import OPPOSITE
from epicene.output.page import filters
from epicene.output.page.series import GROUPS, Series
from epicene.sets import page_words, title
from epicene.sets.about import PageWords
from epicene.text import visible
from epicene.types import Gender


class Field(NamedTuple):
    """A rate of a system in one language, or its mean over all, with the rank that the tests leave it."""

    claim: Claim
    link: str = ""
    rank: str = ""  # "1=" where others are tied; nothing for a doubtful rate


@dataclass(frozen=True, slots=True)
class Difference:
    """A system against the first that was measured in the same way."""

    set: str
    language: str
    comparison: Comparison
    family: PageWords

    @property
    def whole(self) -> PairedTest:
        """The change over all sentences, or of the first group."""
        changes = self.comparison.changes
        return next((change for change in changes if change.group == "all"), changes[0])


@dataclass(frozen=True, slots=True)
class Row:
    """A system: its mean and its rates in each language, of women and of men."""

    system: str
    mean: Field | None
    women: tuple[Field | None, ...]
    men: tuple[Field | None, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One set: systems down, languages across, the first on top."""

    set: str
    title: str
    open: bool  # whether the sentences state no gender, so that no system is better
    languages: tuple[str, ...]
    rows: tuple[Row, ...]
    sentence: tuple[tuple[str, str], ...]  # what they come to, as pieces of text with their stress


def open_entrants(series: Sequence[Series]) -> list[Entrant]:
    """The results of a page as they are compared, by their labels; none where nothing stands beside another."""
    if len({(system.result.set, system.label) for system in series}) == len({system.result.set for system in series}):
        return []
    return [make_entrant(system.result, system.label) for system in series]


def standings(series: Sequence[Series], entrants: Sequence[Entrant]) -> list[Standing]:
    """A table for each set of a page that several systems translate."""
    tables = []
    for name in dict.fromkeys(system.result.set for system in series):
        of_set = [system for system in series if system.result.set == name]
        if len({system.label for system in of_set}) > 1:
            tables.append(
                _compare_systems(name, of_set, [entrant for entrant in entrants if entrant.result.set == name])
            )
    return tables


def _compare_systems(name: str, series: Sequence[Series], entrants: Sequence[Entrant]) -> Standing:
    languages = tuple(dict.fromkeys(system.into for system in series))
    by_place = {(system.label, system.into): system for system in series}
    known = matrices(entrants, ("women", "men"))
    is_open = not known
    if is_open:
        known = matrices(entrants, ("feminine",))
    matrix = next(iter(known.values()), None)
    rows = []
    for label in dict.fromkeys(system.label for system in series):
        by_language = [by_place.get((label, into)) for into in languages]
        women, men = (
            tuple(_field(system, known, gender, is_open) if system else None for system in by_language)
            for gender in OPPOSITE
        )
        rows.append(Row(label, None if is_open else _mean(matrix, label, name), women, men))
    rows.sort(key=lambda row: _order(row, is_open))
    sentence = _stress(matrix) if matrix else ()
    return Standing(visible(name), visible(title(name)), is_open, languages, tuple(rows), sentence)


def _field(system: Series, known: dict[str, Matrix], gender: Gender, is_open: bool) -> Field | None:
    """The rate of women or of men in one language; where no gender is stated, how often the other is used."""
    if is_open:
        share = system.share(OPPOSITE[gender])
        return Field(share, filters.link(system, read=OPPOSITE[gender].value)) if share else None
    matrix = known.get("women" if gender is Gender.FEMININE else "men")
    columns = matrix.columns if matrix else ()
    cell = next((column.cells.get(system.label) for column in columns if column.langs == system.result.langs), None)
    if cell is None or cell.value is None:
        return None
    claim = system.misgendered(gender)
    corrected = claim.measure.corrected if claim and claim.count == cell.count else None
    rate = cell.claim(GROUPS[gender], system.result.set, system.result.langs, corrected)
    return Field(rate, filters.link_misgendered(system, gender, OPPOSITE[gender]), _rank(cell))


def _mean(matrix: Matrix | None, label: str, name: str) -> Field | None:
    cell = matrix.means[0].cells.get(label) if matrix and matrix.means else None
    if cell is None or cell.value is None:
        return None
    return Field(cell.claim("mean", name, "mean"), "", _rank(cell))


def _rank(cell: Cell) -> str:
    return "" if cell.ranks is None else f"{cell.ranks[0]}{'=' if cell.tied else ''}"


def _order(row: Row, is_open: bool) -> tuple[bool, bool, float]:
    """Those with all languages first, doubtful ones last, then by the mean, or by the one language."""
    fields = [row.mean] if row.mean else [*row.women, *row.men][:1]
    field = fields[0]
    value = field.claim.value if field else 100.0
    lacks = any(women is None and men is None for women, men in zip(row.women, row.men, strict=True))
    return lacks, bool(field and not field.rank) and not is_open, value


def _stress(matrix: Matrix) -> tuple[tuple[str, str], ...]:
    """The headline, with the names of systems and the rates stressed."""
    if not any(column.first() for column in matrix.columns):
        return ()  # too few genders were detected to name anybody
    known = "|".join(re.escape(name) for name in sorted(matrix.systems, key=len, reverse=True))
    text = headline(matrix).partition(" Not named first")[0]  # these are marked in the table
    parts = re.split(rf"((?<!\w)(?:{known})(?!\w)|[\d.]+ %)", text)
    return tuple(
        (part, ("", "strong" if part.endswith(" %") else "em")[index % 2]) for index, part in enumerate(parts) if part
    )


def differences(series: Sequence[Series], entrants: Sequence[Entrant]) -> list[Difference]:
    """Each system against the first that was measured in the same way."""
    tasks = {system.result.signature: system for system in series}
    changes = []
    for comparison in compare_entrants(entrants):
        task = tasks[comparison.signature]
        changes.append(Difference(visible(task.result.set), task.into, comparison, page_words(task.result.set)))
    return changes
