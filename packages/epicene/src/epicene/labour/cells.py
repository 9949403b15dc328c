"""The rows of a CSV file by its columns, and where in it reading is, for messages."""

from __future__ import annotations

import csv
import itertools
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

from epicene.errors import InputError
from epicene.files import read_lines

_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3}|,\d{3})+")  # 1.200 or 1,200


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
