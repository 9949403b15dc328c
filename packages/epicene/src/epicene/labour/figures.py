"""The cells of a CSV file, and what its figures may be: heads, shares of women, or answers in a survey."""

from __future__ import annotations

import csv
import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, NoReturn

from epicene.errors import InputError
from epicene.files import read_lines
from epicene.labour.reference import femininity_error, weighed

if TYPE_CHECKING:
    from epicene.labour.reference import People

_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3}|,\d{3})+")  # 1.200 or 1,200
_POINT = re.compile(r"(\d{1,3})(?:\s*[=:(]\s*(?:very\s+)?(\w+)\)?)?", re.IGNORECASE)
ENDS = {"masculine": False, "male": False, "men": False, "feminine": True, "female": True, "women": True}
_Z90 = 1.6448536269514722  # margins of error are printed for 90 %, as the US Census Bureau's are


class Cells:
    """The rows of one file, and where reading is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1
        self._decimal_comma = False

    def rows(self) -> Iterator[list[str]]:
        """The cells of each row; the header says whether commas, semicolons or tabs separate them."""
        lines = read_lines(self.path)
        first = next(lines, "")
        delimiter = max(",;\t", key=first.count)
        self._decimal_comma = delimiter != ","
        reader = csv.reader(itertools.chain([first], lines), delimiter=delimiter)
        try:
            yield [cell.strip() for cell in next(reader, [])]
            for cells in reader:
                self.line = reader.line_num
                if any(cells):
                    yield [cell.strip() for cell in cells]
        except csv.Error as error:
            raise InputError(f"{self.path}:{reader.line_num}: {error}") from None

    def named(self, cells: list[str], header: list[str]) -> dict[str, str]:
        """A row by its columns."""
        if len(cells) != len(header):
            raise InputError(f"{self.path}:{self.line}: {len(cells)} cells, expected {len(header)}")
        return dict(zip(header, cells, strict=True))

    def heads(self, row: Mapping[str, str], column: str) -> float:
        """A number of people; one that may have a mark of thousands is refused, where a comma may be a decimal one."""
        if self._decimal_comma and _THOUSANDS.fullmatch(row[column]):
            plain = row[column].replace(".", "").replace(",", "")
            self.refuse(
                column, f"{row[column]} may be {plain}, or a decimal number", f"write {plain}, or {row[column]}0"
            )
        return self.number(row, column)

    def number(self, row: Mapping[str, str], column: str) -> float:
        """A number that is nought or more."""
        text = row[column].replace("\u00a0", "").replace(" ", "")
        try:
            value = float(text.replace(",", ".") if self._decimal_comma else text)
        except ValueError:
            self.refuse(column, f"{row[column]!r} is no number", "expected digits, such as 1234 or 56.7")
        if not math.isfinite(value) or value < 0:
            self.refuse(column, f"{row[column]} is no number of people", "expected 0 or more")
        return value

    def refuse(self, column: str, what: str, expected: str) -> NoReturn:
        """Refuse the cell where reading is."""
        raise InputError(f"{self.path}:{self.line}: column {column}: {what}; {expected}")


@dataclass(frozen=True, slots=True)
class Value:
    """Men and women of a row, or None twice where the cells are empty, and the standard error of the share."""

    men: float | None
    women: float | None
    error: float = 0.0


class Measured(NamedTuple):
    """What a whole file says: a value for each row, and what they are."""

    values: Sequence[Value]
    sized: bool  # whether men and women are heads, so that a row weighs as much as it has
    opinion: bool
    people: People | None = None
    note: str = ""


@dataclass(slots=True)
class Figures:
    """Which columns hold the figures, what they are, and the values as they are read."""

    kind: str  # counts, percent, fraction or survey
    columns: tuple[str, ...]  # of a survey, from the masculine end to the feminine one
    sized: bool
    values: list[Value] = field(default_factory=list)
    # Columns that may stand beside the figures: how uncertain they are, and how much they weigh.
    beside: ClassVar = ("employed", "respondents", "men_se", "women_se", "men_moe", "women_moe")
    repeats: ClassVar = False  # whether a row may come again

    @classmethod
    def of(cls, header: Sequence[str], path: Path) -> Figures:
        """The figures that a header names; refused unless they are of one kind, and a scale says its direction."""
        scale = _scale(header, path)
        kinds = [cls("survey", scale, sized=False)] if scale else []
        if {"men", "women"} <= set(header):
            kinds.append(cls("counts", ("men", "women"), sized=True))
        kinds += [cls(kind, (name,), "employed" in header) for kind, name in _SHARES.items() if name in header]
        if len(kinds) == 1:
            return kinds[0]
        what = f"figures of two kinds ({', '.join(figures.kind for figures in kinds)})" if kinds else "no figures"
        raise InputError(
            f"{path}:1: {what}; expected the columns men and women (heads), women_pct (per cent), women_share (0 to 1) "
            f"or 1=masculine to 6=feminine (numbers of answers), got {', '.join(header)}"
        )

    def add(self, cells: Cells, row: Mapping[str, str], place: int) -> None:  # noqa: ARG002 - each row is a new one
        """Read a row."""
        self.values.append(self._value(cells, row))

    def _value(self, cells: Cells, row: Mapping[str, str]) -> Value:
        empty = [column for column in self.columns if not row[column]]
        if len(empty) == len(self.columns):
            return Value(None, None)
        if empty:
            cells.refuse(empty[0], "is empty", "expected a number, or all figures of the row empty")
        read = cells.heads if self.kind == "counts" else cells.number
        numbers = [read(row, column) for column in self.columns]
        if self.kind == "survey":
            return self._answers(cells, row, numbers)
        if self.kind == "counts":
            return self._heads(cells, row, *numbers)
        return self._share(cells, row, numbers[0])

    def _answers(self, cells: Cells, row: Mapping[str, str], numbers: Sequence[float]) -> Value:
        asked = cells.number(row, "respondents") if row.get("respondents") else None
        if asked is None and any(number != int(number) for number in numbers):
            column = next(c for c, number in zip(self.columns, numbers, strict=True) if number != int(number))
            cells.refuse(
                column,
                f"{row[column]} is a weighted number of answers",
                "expected a column respondents beside it, with how many people were asked",
            )
        return Value(*weighed(numbers), femininity_error(numbers, math.fsum(numbers) if asked is None else asked))

    def _heads(self, cells: Cells, row: Mapping[str, str], men: float, women: float) -> Value:
        total = men + women
        if not total:
            return Value(men, women)
        errors = [_error(cells, row, sex) for sex in ("men", "women")]
        if None not in errors:
            pulls = (women / total * (errors[0] or 0), men / total * (errors[1] or 0))
            return Value(men, women, 100 * math.hypot(*pulls) / total)
        return Value(men, women, _sampled(cells, row, women / total))

    def _share(self, cells: Cells, row: Mapping[str, str], given: float) -> Value:
        name, most = self.columns[0], 100.0 if self.kind == "percent" else 1.0
        if given > most:
            other = (
                "expected per cent" if self.kind == "percent" else "expected 0 to 1; per cent belong under women_pct"
            )
            cells.refuse(name, f"{given:g} is over {most:g}", other)
        share = given / most
        heads = cells.number(row, "employed") if row.get("employed") else 100.0
        error = _error(cells, row, "women")
        points = _sampled(cells, row, share) if error is None else 100 / most * error
        return Value(heads * (1 - share), heads * share, points)

    def finish(self, cells: Cells) -> Measured:
        """All values; refused where they together show per cent or fractions under another name."""
        heads = [(value.men, value.women) for value in self.values if value.men is not None and value.women is not None]
        sums = [men + women for men, women in heads]
        if self.kind == "counts" and sums and (len(sums) > 1 or any(men % 1 for men, _ in heads)):
            for total, near, word in ((100, 1, "per cent"), (1, 0.011, "fractions")):
                if all(abs(row - total) <= near for row in sums):
                    raise InputError(
                        f"{cells.path}:2: columns men and women: they make {total} in every row, so these are {word}, "
                        f"not heads; give the share of women alone, in a column {_SHARES_OF[word]}"
                    )
        shares = [women / (men + women) for men, women in heads if men + women]
        if self.kind == "percent" and any(shares) and max(shares) <= 0.01:
            raise InputError(
                f"{cells.path}:2: column women_pct: no value is over 1, so these may be fractions; per cent belong "
                "here (62), fractions in a column women_share (0.62)"
            )
        return Measured(self.values, self.sized, opinion=self.kind == "survey")


_SHARES = {"percent": "women_pct", "fraction": "women_share"}
_SHARES_OF = {"per cent": "women_pct", "fractions": "women_share"}


def _scale(header: Sequence[str], path: Path) -> tuple[str, ...]:
    """The columns of a scale from its masculine to its feminine end; none where there is no scale."""
    points = {column: match for column in header if (match := _POINT.fullmatch(column))}
    if not points:
        return ()
    ordered = sorted(points, key=lambda column: int(points[column][1]))
    numbers = [int(points[column][1]) for column in ordered]
    first, last = ordered[0], ordered[-1]
    if len(numbers) < 2 or numbers[0] not in (0, 1) or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        raise InputError(
            f"{path}:1: columns {', '.join(ordered)}: no scale; expected all its points without a gap, such as "
            "1=masculine, 2, 3, 4, 5=feminine"
        )
    names = {column: str(points[column][2] or "").lower() for column in ordered}
    if middle := [column for column in ordered[1:-1] if names[column] in ENDS]:
        raise InputError(f"{path}:1: column {middle[0]}: an end of the scale is in its middle; {last} is its end")
    ends = [ENDS.get(names[column]) for column in (first, last)]
    if None in ends or ends[0] is ends[1]:
        raise InputError(
            f"{path}:1: columns {first} to {last}: which end of these {len(ordered)} points is masculine? Name both "
            f"ends in the header: {numbers[0]}=masculine and {numbers[-1]}=feminine, or the other way round"
        )
    return tuple(reversed(ordered)) if ends[0] else tuple(ordered)


def _error(cells: Cells, row: Mapping[str, str], sex: str) -> float | None:
    """A standard error that a row gives, or its margin of error says; in the unit of the figures."""
    if row.get(f"{sex}_se"):
        return cells.number(row, f"{sex}_se")
    return cells.number(row, f"{sex}_moe") / _Z90 if row.get(f"{sex}_moe") else None


def _sampled(cells: Cells, row: Mapping[str, str], share: float) -> float:
    """The standard error of a share among so many people asked, in points; 0 where nobody says how many."""
    if not row.get("respondents"):
        return 0.0
    asked = cells.number(row, "respondents")
    if asked < 1:
        cells.refuse("respondents", f"{asked:g} is nobody", "expected how many people were asked, 1 or more")
    smoothed = (share * asked + 0.5) / (asked + 1)
    return 100 * math.sqrt(smoothed * (1 - smoothed) / asked)
