"""Decisions as tab-separated tables, to pass around and to fill in with a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from epicene.errors import InputError
from epicene.files import read_lines, write_atomically
from epicene.review.store import Decision, Key, reviewer_name
from epicene.types import Gender

HEADER = ("set", "langs", "system", "id", "reviewer", "gender", "at", "comment", "output", "final")
_NEEDED = HEADER[:6]
_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet takes for code at the start of a cell
_BLANKS = str.maketrans("\t\r\n\0", "    ")


def export_tsv(decisions: Iterable[Decision], path: Path, undone: Sequence[str] | None = None) -> None:
    """Write decisions as a table with a header; breaks and tabs become blanks, and no cell is a formula.

    ``undone`` says of each when it was taken back, in a column of its own.
    """
    with write_atomically(path) as stream:
        table = csv.writer(stream, "excel-tab", lineterminator="\n")
        table.writerow(HEADER if undone is None else (*HEADER, "undone"))
        for index, decision in enumerate(decisions):
            gender, final = decision.gender or "", "adjudicated" if decision.final else ""
            cells = (*decision.key, decision.reviewer, gender, decision.at, decision.comment, decision.output, final)
            table.writerow(map(_guard, cells if undone is None else (*cells, undone[index])))


def import_tsv(path: Path, outputs: Mapping[Key, str]) -> list[Decision]:
    """Read decisions about the sentences of a run; a row that fits none of them is refused."""
    rows = _rows(path)
    _, header = next(rows, (1, []))
    if missing := [name for name in _NEEDED if name not in header]:
        raise InputError(f"{path}:1: no column {', '.join(missing)}; expected {', '.join(HEADER)}, split by tabs")
    lines: dict[tuple[Key, str, bool], int] = {}  # of the table, on which each person decided
    decisions = []
    for number, cells in rows:
        if len(cells) > len(header):
            raise InputError(f"{path}:{number}: {len(cells)} cells; the header has {len(header)}")
        row = dict(zip(header, map(_unguard, cells + [""] * (len(header) - len(cells))), strict=True))
        decision = _parse(row, outputs, f"{path}:{number}")
        first = lines.setdefault((decision.key, decision.reviewer, decision.final), number)
        if first != number:
            raise InputError(
                f"{path}:{number}: {decision.reviewer} decides on {decision.key.id!r} a second time, "
                f"first in line {first}; keep one of the two lines"
            )
        decisions.append(decision)
    return decisions


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold anything, with the number of the line that each ends on."""
    table = csv.reader((line + "\n" for line in read_lines(path)), "excel-tab", strict=True)
    try:
        for row in table:
            if any(cell.strip() for cell in row):
                yield table.line_num, row
    except csv.Error as error:
        raise InputError(
            f"{path}:{table.line_num}: {error}; a cell that starts with a quotation mark ends with one, "
            "and those within it are doubled"
        ) from None


def _parse(row: dict[str, str], outputs: Mapping[Key, str], where: str) -> Decision:
    key = Key(row["set"], row["langs"], row["system"], row["id"])
    if key not in outputs:
        raise InputError(f"{where}: this run has no sentence {key.id!r} of {key.set} {key.langs} by {key.system!r}")
    if row["gender"] not in ("", *Gender):
        raise InputError(f"{where}: gender {row['gender']!r}; expected {', '.join(Gender)}, or nothing if skipped")
    if not row["reviewer"].strip():
        raise InputError(f"{where}: no reviewer; expected who decided this")
    if "output" in row and row["output"] != _unguard(_guard(outputs[key])):
        raise InputError(f"{where}: the translation is not the run's; these decisions are about another run")
    try:
        reviewer = reviewer_name(row["reviewer"])
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if row.get("final", "") not in ("", "adjudicated"):
        raise InputError(f"{where}: final {row['final']!r}; expected adjudicated, or nothing")
    gender = Gender(row["gender"]) if row["gender"] else None
    time = _parse_time(row.get("at", ""), where)
    return Decision(key, outputs[key], reviewer, gender, row.get("comment", ""), time, bool(row.get("final")))


def _parse_time(text: str, where: str) -> str:
    """A time as decisions have it; none stays none."""
    if not text:
        return ""
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError):
        raise InputError(
            f"{where}: time {text!r}; expected one such as 2026-01-31T12:00:00+00:00, or nothing"
        ) from None


def _guard(text: str) -> str:
    flat = text.translate(_BLANKS)
    return f"'{flat}" if flat.startswith((*_FORMULA, "'")) else flat


def _unguard(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and cell[1:2] in (*_FORMULA, "'") else cell
