"""Names in the chart of stereotypes hide nothing; bars of occupations add up to the whole."""

from __future__ import annotations

from collections import Counter

import pytest

from epicene.output.charts.labels import MOST, told_apart
from epicene.output.charts.page import direction_shares
from epicene.output.counts import misgendered
from epicene.types import Gender

F, M, N = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL


def point(name: str, workers: float, written: float) -> dict[str, object]:
    return {"occupation": name, "workers": workers, "written": written}


def test_points_on_top_of_each_other_get_no_name() -> None:
    rows = [point("nurse", 90, 100), point("nanny", 91, 100), point("judge", 30, 20)]
    assert [label.row["occupation"] for label in told_apart(rows, rows, None)] == ["judge"]


def test_a_name_moves_to_the_other_side_before_it_covers_a_point() -> None:
    rows = [point("carpenter", 50, 10), point("x", 62, 10)]
    placed = {label.row["occupation"]: label.align for label in told_apart(rows, rows, None)}
    assert placed["carpenter"] == "right"  # so it ends left of its point


def test_a_name_keeps_clear_of_the_level_line() -> None:
    rows = [point("clerk", 40, 50)]
    (label,) = told_apart(rows, rows, line=None)
    assert label.align == "left"
    assert told_apart(rows, rows, line=50) == []  # the point lies on the line, and so would its name


def test_only_a_few_are_named() -> None:
    rows = [point(f"job{number}", 5, 10 * number) for number in range(11)]
    assert len(told_apart(rows, rows, None)) == MOST


def test_both_directions_add_up_to_all_that_is_misgendered() -> None:
    cells = Counter({(F, M): 30, (F, F): 20, (M, F): 10, (M, M): 35, (M, N): 5})
    shares = direction_shares(cells)
    assert shares == {"women written as men": 30.0, "men written as women": 10.0}
    whole = misgendered(cells)
    assert whole
    assert sum(shares.values()) == pytest.approx(whole.value)
