"""Which points of a scatter plot get a name: those farthest out whose names hide nothing and are hidden by nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from epicene.output.charts.vega import WIDTH

MOST = 8
_LETTER, _LINE, _POINT, _GAP, _MARGIN = 6.6, 13.0, 6.0, 7.0, 12.0  # pixels, a letter's for the widest usual font


class Label(NamedTuple):
    """A row, how its name is aligned to its point, and how many pixels it is moved from there."""

    row: dict[str, Any]
    align: str
    dx: float
    dy: float


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def told_apart(rows: Sequence[dict[str, Any]], drawn: Sequence[dict[str, Any]], line: float | None) -> list[Label]:
    """Labels for some of the rows; names keep clear of all points drawn, of each other and of a level line."""
    taken = [_point(row) for row in drawn]
    if line is not None:
        taken.append(_Box(0, _y(line) - 1, WIDTH, _y(line) + 1))
    chosen: list[Label] = []
    for row in sorted(rows, key=lambda row: -abs(row["written"] - 50) - abs(row["workers"] - 50)):
        if sum(_point(row).meets(box) for box in taken) > 1:  # besides itself: nobody could tell whose name it is
            continue
        for label, box in _places(row):
            if _inside(box) and not any(box.meets(each) for each in taken):
                taken.append(box)
                chosen.append(label)
                break
        if len(chosen) == MOST:
            break
    return chosen


def _places(row: dict[str, Any]) -> Iterator[tuple[Label, _Box]]:
    """Where the name could stand: right of the point, left of it, above it, below it."""
    x, y, width = _x(row["workers"]), _y(row["written"]), _LETTER * len(row["occupation"])
    for align, dx, dy, left in (
        ("left", _GAP, 0, x + _GAP),
        ("right", -_GAP, 0, x - _GAP - width),
        ("center", 0, -_LINE + 3, x - width / 2),
        ("center", 0, _LINE - 3, x - width / 2),
    ):
        top = y + dy - _LINE / 2
        yield Label(row, align, dx, dy), _Box(left, top, left + width, top + _LINE)


def _inside(box: _Box) -> bool:
    """Whether a name keeps clear of the axes; it may run out a little on the right, where nothing is."""
    return box.left >= 0 and box.right <= WIDTH + _MARGIN and box.bottom <= WIDTH + _LINE / 2


def _point(row: dict[str, Any]) -> _Box:
    x, y, half = _x(row["workers"]), _y(row["written"]), _POINT / 2
    return _Box(x - half, y - half, x + half, y + half)


def _x(share: float) -> float:
    return WIDTH * share / 100


def _y(share: float) -> float:
    return WIDTH * (1 - share / 100)
