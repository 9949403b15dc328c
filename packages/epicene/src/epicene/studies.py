"""Studies: one file per paper, its plan and its published numbers beside ours.

A file defines ``STUDY = StudyPlan(…)``. Inputs are given as NAME=PATH, or lie under their usual names.

A ``Study`` holds tables of published figures with ours beside them, and what was missing to compute ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from epicene import registry

Interval = tuple[float, float]
Cell = str | int | float | Interval | None
Progress = Callable[[int, int], None]  # done, total


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a study's table."""

    name: str  # in JSON
    title: str  # in print
    digits: int = 0  # of numbers that are not whole
    wraps: bool = False  # a text that may take several lines, to the left


@dataclass(frozen=True, slots=True)
class StudyTable:
    """One table of the paper."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The table as JSON has it."""
        names = [column.name for column in self.columns]
        rows = [dict(zip(names, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the paper: what a chart of it shows."""

    title: str
    kind: str  # bars, points, panels, ranks, diagonal or calibration
    x: str  # what the axes are called
    y: str
    # bars: x, y, series, from, low, high; points: x, y, series, name; panels: label, value, series, low, high;
    # ranks: label, value, series; diagonal: label, x, y, low, high; calibration: x, y, low, high, n
    rows: tuple[Mapping[str, Cell], ...]


@dataclass(frozen=True, slots=True)
class Study:
    """A paper's tables, ours beside the published figures."""

    name: str
    title: str
    tables: tuple[StudyTable, ...]
    missing: Mapping[str, str]  # inputs that were not found: what they are and where to get them
    signatures: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The study as JSON has it; figures are drawn, not printed."""
        return {
            "study": self.name,
            "title": self.title,
            "tables": [table.as_dict() for table in self.tables],
            "missing": dict(self.missing),
            "signatures": list(self.signatures),
        }


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What a study is computed from, and how."""

    title: str
    inputs: Mapping[str, str]  # what each input is, by its name
    run: Callable[[Mapping[str, str]], Study]  # gets the paths of inputs by name
    more: str = ""  # what inputs of any other name are; empty where there are none
    again: tuple[str, ...] = ()  # inputs that may be given again: the second is called "NAME 2"
    # Does what takes long, such as to translate, so that it is in the cache when the study is computed.
    prepare: Callable[[Mapping[str, str], Progress], None] | None = None
    anyway: Callable[[Mapping[str, str]], Study] | None = None  # ``run`` with what it holds back, and a warning there


def _own() -> registry.Found:
    """A study belongs to its set; that of WEAT has none."""
    found = dict(registry.parts("STUDY", "study", "epicene.sets")())
    found["weat"] = registry.defined("STUDY", "epicene.embeddings.study")
    return found


STUDIES = registry.Kind(
    "study", "epicene.studies", (StudyPlan,), _own, "That of simplegen comes with: pip install epicene-lab"
)
