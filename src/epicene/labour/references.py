"""References from shipped tables and from the user's CSV files, checked cell by cell."""

from __future__ import annotations

import csv
import hashlib
import itertools
import math
from collections.abc import Iterator, Mapping
from importlib.resources import as_file
from pathlib import Path
from typing import NoReturn

from epicene.errors import InputError, UnknownNameError
from epicene.files import read_lines
from epicene.labour import crosswalk
from epicene.labour.reference import KEYS, Reference, Row, weighed
from epicene.tables import resource

SHIPPED = ("us-acs-2011", "us-acs-2018", "us-bls-2020")
ANSWERS = ("1", "2", "3", "4", "5", "6")
# What the figures of a file may be: heads, the share of women in per cent, or numbers of answers in a survey.
_FIGURES = {"counts": ("men", "women"), "shares": ("women_pct",), "survey": ANSWERS}
_NAMES = ("title", "name")  # columns that say what a row is called


def open_reference(spec: str) -> Reference:
    """The shipped reference of a name, or the one that lies in a CSV file."""
    if spec in SHIPPED:
        with as_file(resource("occupations", f"{spec}.csv")) as path:
            return _Reader(path, spec).read()
    path = Path(spec)
    if not path.is_file():
        hint = "Or a CSV file: docs/occupations.md describes its columns."
        raise UnknownNameError("reference", spec, SHIPPED, hint)
    return _Reader(path, path.stem).read()


class _Reader:
    """Reads one file; every refusal names the file, the line and the column."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._name = name
        self._line = 1
        self._decimal_comma = False

    def read(self) -> Reference:
        """The reference, or a refusal."""
        rows = self._table()
        header = next(rows, [])
        key, figures = self._columns(header)
        names = [column for column in _NAMES if column in header]
        found: list[Row] = []
        lines: dict[str, int] = {}
        for cells in rows:
            if len(cells) != len(header):
                raise InputError(f"{self._path}:{self._line}: {len(cells)} cells, expected {len(header)}")
            row = dict(zip(header, map(str.strip, cells), strict=True))
            codes = self._codes(row, key, lines)
            title = next((row[column] for column in names if row[column]), " ".join(codes))
            found.append(Row(title, codes, *self._values(row, figures)))
        if not found:
            raise InputError(f"{self._path}: no rows; expected a header and one row an occupation or category")
        self._check_counts(found, figures)
        sized = figures == "counts" or (figures == "shares" and "employed" in header)
        checksum = hashlib.sha256(self._path.read_bytes()).hexdigest()[:8]
        return Reference(self._name, f"{self._name}@{checksum}", key, tuple(found), sized)

    def _table(self) -> Iterator[list[str]]:
        """The cells of each row; the header says whether commas, semicolons or tabs separate them."""
        lines = read_lines(self._path)
        first = next(lines, "")
        delimiter = max(",;\t", key=first.count)
        self._decimal_comma = delimiter != ","
        reader = csv.reader(itertools.chain([first], lines), delimiter=delimiter)
        try:
            yield [cell.strip() for cell in next(reader, [])]
            for cells in reader:
                self._line = reader.line_num
                if any(cells):
                    yield cells
        except csv.Error as error:
            raise InputError(f"{self._path}:{reader.line_num}: {error}") from None

    def _columns(self, header: list[str]) -> tuple[str, str]:
        """Which column says what a row is about, and what its figures are."""
        twice = [column for column in header if column and header.count(column) > 1]
        if twice:
            raise InputError(f"{self._path}:1: column {twice[0]} stands there twice")
        keys = [column for column in KEYS if column in header]
        figures = [name for name, columns in _FIGURES.items() if all(column in header for column in columns)]
        if len(keys) != 1:
            raise InputError(
                f"{self._path}:1: {'columns ' + ', '.join(keys) if keys else 'no column'} to look rows up by; "
                f"expected one of {', '.join(KEYS)}, got {', '.join(header)}"
            )
        if len(figures) != 1:
            what = f"figures of two kinds ({', '.join(figures)})" if figures else "no figures"
            raise InputError(
                f"{self._path}:1: {what}; expected the columns men and women (heads), women_pct (per cent) or "
                f"1 to 6 (numbers of answers), got {', '.join(header)}"
            )
        return keys[0], figures[0]

    def _codes(self, row: Mapping[str, str], key: str, lines: dict[str, int]) -> tuple[str, ...]:
        """What the row is about; unknown codes and those of an earlier row are refused."""
        codes = (row[key].lower(),) if key == "occupation" else tuple(row[key].split())
        if not codes or not codes[0]:
            self._refuse(key, "is empty", f"expected the {KEYS[key]}")
        for code in codes:
            if code in lines:
                self._refuse(key, f"{code!r} stands in line {lines[code]} already", "expected each once")
            if code not in _known(key, code):
                hint = "four digits; a spreadsheet may have dropped a leading 0" if key in ("feor08", "isco08") else ""
                self._refuse(key, f"{code!r} is no {KEYS[key]}", f"expected {hint or 'a code such as 29-1141'}")
            lines[code] = self._line
        return codes

    def _values(self, row: Mapping[str, str], figures: str) -> tuple[float | None, float | None]:
        """Men and women, or None twice where the cells are empty."""
        columns = _FIGURES[figures]
        empty = [column for column in columns if not row[column]]
        if len(empty) == len(columns):
            return None, None
        if empty:
            self._refuse(empty[0], "is empty", "expected a number, or all figures of the row empty")
        values = [self._number(row, column, whole=figures != "shares") for column in columns]
        if figures == "survey":
            return weighed(values)
        if figures == "counts":
            return values[0], values[1]
        if values[0] > 100:
            self._refuse("women_pct", f"{values[0]:g} is over 100", "expected per cent")
        heads = self._number(row, "employed", whole=False) if row.get("employed") else 100.0
        return heads * (100 - values[0]) / 100, heads * values[0] / 100

    def _number(self, row: Mapping[str, str], column: str, whole: bool) -> float:
        text = row[column].replace("\u00a0", "").replace(" ", "")
        try:
            value = float(text.replace(",", ".") if self._decimal_comma else text)
        except ValueError:
            self._refuse(column, f"{row[column]!r} is no number", "expected digits, such as 1234 or 56.7")
        if not math.isfinite(value) or value < 0:
            self._refuse(column, f"{row[column]} is no number of people", "expected 0 or more")
        if whole and value != int(value):
            self._refuse(column, f"{row[column]} is no whole number", "expected heads; a share belongs under women_pct")
        return value

    def _check_counts(self, rows: list[Row], figures: str) -> None:
        """Refuse percentages under the name of counts: men and women that make 100 in every row."""
        sums = [row.men + row.women for row in rows if row.men is not None and row.women is not None]
        if figures == "counts" and len(sums) > 1 and all(abs(total - 100) <= 1 for total in sums):
            raise InputError(
                f"{self._path}:2: columns men and women: they make 100 in every row, so these are per cent, not heads; "
                "give the share of women alone, in a column women_pct"
            )

    def _refuse(self, column: str, what: str, expected: str) -> NoReturn:
        raise InputError(f"{self._path}:{self._line}: column {column}: {what}; {expected}")


def _known(key: str, code: str) -> Mapping[str, str] | frozenset[str]:
    """The codes of a classification; any occupation is known until it is looked for in a set."""
    if key == "feor08":
        return crosswalk.feor_names()
    if key == "isco08":
        return crosswalk.isco_codes()
    return crosswalk.soc_titles() if key == "soc" else frozenset([code])
