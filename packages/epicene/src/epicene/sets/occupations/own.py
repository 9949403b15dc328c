"""A user's own occupations: a table of words or sentences in any language, with codes or English names to link them.

Columns (commas, semicolons or tabs between them): ``occupation``, the word; ``source``, the sentence, which may be left
out where the set has one for the language; ``english``; any of ``soc``, ``isco08`` and ``feor08``, as fine as is known;
``sector``. What has no code is linked by its English name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.labour import codes
from epicene.labour.read import Cells
from epicene.sets.occupations.lists import Occupation, sector_of

COLUMNS = ("occupation", "source", "english", "soc", "isco08", "feor08", "sector")
_CODES = ("soc", "isco08", "feor08")


class Own(NamedTuple):
    """An occupation of a user's list, and its sentence; none where that of the language is taken."""

    occupation: Occupation
    source: str


def read(path: Path) -> Iterator[Own]:
    """The occupations of a file, in order; refused with line and column where something is wrong."""
    cells = Cells(path)
    rows = cells.rows()
    header = next(rows, [])
    if "occupation" not in header:
        raise InputError(f"{path}:1: no column occupation; expected {', '.join(COLUMNS)}, got {', '.join(header)}")
    if unknown := [column for column in header if column not in COLUMNS]:
        raise InputError(f"{path}:1: columns {', '.join(unknown)} are not read; expected {', '.join(COLUMNS)}")
    if not {"english", *_CODES} & set(header):
        raise InputError(f"{path}:1: nothing to link by; expected a column english, or one of {', '.join(_CODES)}")
    lines: dict[str, int] = {}
    for each in rows:
        row = {**dict.fromkeys(COLUMNS, ""), **cells.named(each, header)}
        word = row["occupation"]
        if not word:
            cells.refuse("occupation", "is empty", "expected what a person is called")
        if word in lines:
            cells.refuse("occupation", f"{word!r} stands in line {lines[word]} already", "expected each once")
        lines[word] = cells.line
        yield Own(_occupation(cells, row), row["source"])
    if not lines:
        raise InputError(f"{path}: no rows; expected one occupation a line below the header")


def _occupation(cells: Cells, row: dict[str, str]) -> Occupation:
    found = {key: _covered(cells, row, key) for key in _CODES}
    isco = found["isco08"] or tuple(
        dict.fromkeys(isco for code in found["feor08"] for isco in codes.isco_of_feor(code))
    )
    english = row["english"]
    if found["soc"] or isco:
        link = codes.of_isco(isco, english, found["soc"])
    else:
        link = codes.of_title(english) if english else codes.NO_LINK
    soc = link.codes
    sector = row["sector"] or (sector_of("soc", soc[0]) if soc else "")
    feor = found["feor08"][0] if len(found["feor08"]) == 1 else ""
    rule = "own" if any(found.values()) else link.rule
    return Occupation(row["occupation"], english, feor, isco or codes.isco_of_soc(soc), soc, rule, sector)


def _covered(cells: Cells, row: dict[str, str], key: str) -> tuple[str, ...]:
    covered: dict[str, None] = {}
    for code in row[key].split():
        found = codes.resolved(key, code)
        if found is None:
            cells.refuse(key, f"{code!r} is no {key} code", codes.EXPECTED[key])
        covered |= dict.fromkeys(found.covered)
    return tuple(covered)
