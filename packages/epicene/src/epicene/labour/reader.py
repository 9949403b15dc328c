"""A reference from a CSV file, read whole or refused with file, line and column."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from epicene.errors import InputError
from epicene.labour import codes
from epicene.labour.cells import Cells
from epicene.labour.figures import BESIDE, Figures, Value
from epicene.labour.reference import KEYS, Reference, Row

_NAMES = ("title", "name")  # columns that say what a row is called


class Reader:
    """Reads one file."""

    def __init__(self, path: Path, name: str) -> None:
        self._cells = Cells(path)
        self._path = path
        self._name = name

    def read(self) -> Reference:
        """The reference, or a refusal."""
        rows = self._cells.rows()
        header = next(rows, [])
        key = self._key(header)
        figures = Figures.of(header, self._path)
        names = [column for column in _NAMES if column in header]
        found: list[Row] = []
        values: list[Value] = []
        lines: dict[str, int] = {}
        for cells in rows:
            row = self._cells.named(cells, header)
            given, covered, level = self._codes(row, key, lines)
            title = next((row[column] for column in names if row[column]), " ".join(given))
            value = figures.value(self._cells, row)
            values.append(value)
            found.append(Row(title, covered, value.men, value.women, value.error, level))
        if not found:
            raise InputError(f"{self._path}: no rows; expected a header and one row an occupation or category")
        if lost := codes.shortened(key, list(lines)):
            self._cells.line = lines[lost]
            self._cells.refuse(key, f"{lost!r} is one digit shorter than the others", f"write 0{lost}, as text")
        figures.check(self._cells, values)
        sized = figures.kind == "counts" or (figures.kind in ("percent", "fraction") and "employed" in header)
        checksum = hashlib.sha256(self._path.read_bytes()).hexdigest()[:8]
        used = {key, *figures.columns, *_NAMES, *BESIDE}
        notes = _notes([column for column in header if column and column not in used], found)
        return Reference(self._name, f"{self._name}@{checksum}", key, tuple(found), sized, notes)

    def _key(self, header: Sequence[str]) -> str:
        """Which column says what a row is about."""
        if twice := [column for column in header if column and header.count(column) > 1]:
            raise InputError(f"{self._path}:1: column {twice[0]} stands there twice")
        keys = [column for column in KEYS if column in header]
        if len(keys) != 1:
            raise InputError(
                f"{self._path}:1: {'columns ' + ', '.join(keys) if keys else 'no column'} to look rows up by; "
                f"expected one of {', '.join(KEYS)}, got {', '.join(header)}"
            )
        return keys[0]

    def _codes(
        self, row: Mapping[str, str], key: str, lines: dict[str, int]
    ) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """What the row is about, as given and as the finest codes; unknown and repeated ones are refused."""
        given = (row[key].lower(),) if key == "occupation" else tuple(row[key].split())
        if not given or not given[0]:
            self._cells.refuse(key, "is empty", f"expected the {KEYS[key]}")
        covered: dict[str, None] = {}
        levels = []
        for code in given:
            if code in lines:
                self._cells.refuse(key, f"{code!r} stands in line {lines[code]} already", "expected each once")
            found = codes.resolved(key, code)
            if found is None:
                self._cells.refuse(key, f"{code!r} is no {KEYS[key]}", codes.EXPECTED[key])
            covered |= dict.fromkeys(found.covered)
            levels.append(found.level)
            lines[code] = self._cells.line
        return given, tuple(covered), min(levels)


def _notes(ignored: Sequence[str], rows: Sequence[Row]) -> tuple[str, ...]:
    found = [f"columns that are not read: {', '.join(ignored)}"] if ignored else []
    if not any(row.error for row in rows):
        found.append("no sampling error is given: the shares count as exact")
    return tuple(found)
