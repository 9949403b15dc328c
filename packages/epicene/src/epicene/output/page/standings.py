"""Where systems stand on a page: for each set a table of systems and languages, in which ties are shown as ties.

Ranks, ties, means and the sentence on top are those of ``compare.table``, which ``compare`` and ``record`` print.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from epicene.compare.entrants import entrant_of
from epicene.compare.headline import headline
from epicene.compare.table import Cell, Column, Matrix, matrices
from epicene.measures.claims import Claim, share_undetected
from epicene.measures.outcomes import OPPOSITE
from epicene.output.charts.page import Series
from epicene.output.page import links
from epicene.sets import title
from epicene.text import visible
from epicene.types import Gender

GENDERS = (Gender.FEMININE, Gender.MASCULINE)


class Place(NamedTuple):
    """The first rank that the tests leave open, and whether others cannot be told apart from it."""

    rank: int
    tied: bool

    def __str__(self) -> str:
        return f"{self.rank}{'=' if self.tied else ''}"


@dataclass(frozen=True, slots=True)
class Field:
    """A system in one language: how often women and men are written as the other, or at all where nothing is told."""

    each: Series
    women: Claim | None
    men: Claim | None
    links: tuple[str, str]
    place: Place | None

    @property
    def unread(self) -> float:
        """How often no gender was detected, in per cent."""
        return share_undetected(self.each.result)

    @property
    def doubtful(self) -> bool:
        """Whether so much could not be read that the rates alone mislead."""
        return self.each.hides


class Mean(NamedTuple):
    """A system over all languages of a set, each of which weighs the same."""

    value: float
    low: float | None
    high: float | None
    place: Place | None


@dataclass(frozen=True, slots=True)
class Standing:
    """One set: systems down, languages across, the best on top."""

    set: str
    title: str
    open: bool  # whether the sentences tell no gender, so that nobody can be better
    languages: tuple[str, ...]
    rows: tuple[tuple[str, Mean | None, tuple[Field | None, ...]], ...]
    sentence: tuple[tuple[str, str], ...]  # who stands first, as pieces of text with their stress

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return len(self.rows)


def standings(series: Sequence[Series]) -> list[Standing]:
    """A table for each set of a page that several systems translate."""
    found = []
    for name in dict.fromkeys(each.result.set for each in series):
        own = [each for each in series if each.result.set == name]
        if len({each.label for each in own}) > 1:
            found.append(_standing(name, own))
    return found


def _standing(name: str, own: Sequence[Series]) -> Standing:
    languages = list(dict.fromkeys(each.into for each in own))
    cells = {(each.label, each.into): each for each in own}
    short = short_names([each.label for each in own])
    known = matrices([entrant_of(each.result, short[each.label]) for each in own], ("women", "men", "feminine"))
    is_open = "women" not in known and "men" not in known
    chosen = next((known[measure] for measure in ("women", "men", "feminine") if measure in known), None)
    columns = {column.langs: column for column in chosen.columns} if chosen else {}
    means = chosen.means[0] if chosen and len(chosen.means) == 1 and not is_open else None
    rows = []
    for label in dict.fromkeys(each.label for each in own):
        fields = []
        for into in languages:
            each = cells.get((label, into))
            cell = columns[each.result.langs].cells.get(short[label]) if each and each.result.langs in columns else None
            fields.append(_field(each, _place(cell), is_open) if each else None)
        rows.append((label, _mean(means, short[label]), tuple(fields)))
    rows.sort(key=_order)
    said = _stressed(chosen, short) if chosen else ()
    return Standing(visible(name), visible(title(name)), is_open, tuple(languages), tuple(rows), said)


def _place(cell: Cell | None) -> Place | None:
    if cell is None or cell.ranks is None or cell.rank is None:
        return None
    return Place(cell.ranks[0], bool(cell.tied))


def _mean(means: Column | None, system: str) -> Mean | None:
    cell = means.cells.get(system) if means else None
    if cell is None or cell.value is None:
        return None
    return Mean(cell.value, cell.low, cell.high, _place(cell))


def _order(row: tuple[str, Mean | None, tuple[Field | None, ...]]) -> tuple[bool, float]:
    """Those that have every language first, by the mean, or by the one language."""
    _, mean, fields = row
    values = [field.women.value for field in fields if field and field.women]
    value = mean.value if mean else sum(values) / len(values) if values else 100.0
    return any(field is None for field in fields), value


def _field(each: Series, place: Place | None, is_open: bool) -> Field:
    if is_open:
        women, men = (each.share(OPPOSITE[gender]) for gender in GENDERS)
        addresses = [links.of(each, read=OPPOSITE[gender].value) for gender in GENDERS]
        place = None  # nobody is better where nothing is told
    else:
        women, men = (each.misgendered(gender) for gender in GENDERS)
        addresses = [links.misgendered(each, gender, OPPOSITE[gender]) for gender in GENDERS]
    return Field(each, women, men, (addresses[0], addresses[1]), place)


def _stressed(matrix: Matrix, names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The sentence, with the names of systems and how many languages stressed."""
    if not any(column.first() for column in matrix.columns):
        return ()  # too much could not be read to name anybody
    text, left_out, _ = headline(matrix).partition(". Not named")  # who is not is said below, and marked in the table
    text += "." if left_out else ""
    known = "|".join(re.escape(name) for name in sorted(set(names.values()), key=len, reverse=True))
    parts = re.split(rf"((?<!\w)(?:{known})(?!\w)|\d+ of \d+ languages)", text)
    return tuple((part, ("", "strong" if part[:1].isdigit() and part.endswith("languages") else "em")[place % 2])
                 for place, part in enumerate(parts) if part)  # fmt: skip


def short_names(labels: Sequence[str]) -> dict[str, str]:
    """Names without what all begin and end with, cut where words end: "google" of ``file:google.en-de.txt``."""
    different = list(dict.fromkeys(labels))
    if len(different) < 2:
        return {label: label for label in different}
    start = len(re.sub(r"[^/?&@:. _-]*$", "", _alike(different)))
    end = len(re.sub(r"[^/?&@:. _-]*$", "", _alike([label[::-1] for label in different])))
    short = {label: label[start : len(label) - end] for label in different}
    return (
        short if all(short.values()) and len(set(short.values())) == len(short) else {each: each for each in different}
    )


def _alike(texts: Sequence[str]) -> str:
    return "".join(column[0] for column in takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False)))
