"""Names in the chart of stereotypes hide nothing; occupations have two rates, one for each gender."""

from __future__ import annotations

from epicene.output.charts.page import NAMED, place_names
from epicene.output.page.series import Series
from epicene.result import Result
from epicene.types import Gender, Item, Output, Person, Verdict

F, M = Gender.FEMININE, Gender.MASCULINE


def point(name: str, workers: float, written: float) -> dict[str, object]:
    return {"occupation": name, "workers": workers, "written": written}


def test_points_on_top_of_each_other_get_no_name() -> None:
    rows = [point("nurse", 90, 100), point("nanny", 91, 100), point("judge", 30, 20)]
    assert [row["occupation"] for row, _ in place_names(rows, rows, None)] == ["judge"]


def test_a_name_moves_to_the_other_side_before_it_covers_a_point() -> None:
    rows = [point("carpenter", 50, 10), point("x", 62, 10)]
    placed = {row["occupation"]: place["align"] for row, place in place_names(rows, rows, None)}
    assert placed["carpenter"] == "right"  # so it ends left of its point


def test_a_name_keeps_clear_of_the_level_line() -> None:
    rows = [point("clerk", 40, 50)]
    ((_, place),) = place_names(rows, rows, line=None)
    assert place["align"] == "left"
    assert place_names(rows, rows, line=50) == []  # the point lies on the line, and so would its name


def test_only_a_few_are_named() -> None:
    rows = [point(f"job{number}", 5, 10 * number) for number in range(11)]
    assert len(place_names(rows, rows, None)) == NAMED


def test_each_gender_is_rated_over_its_own_sentences() -> None:
    # 44 of 44 women in an occupation are written as men, and none of its 44 men as women: 100 % and 0 %, not 50 %.
    people = [Item(str(number), "x", Person("janitor", 0, "janitor"), (F, M)[number % 2]) for number in range(88)]
    verdicts = tuple(Verdict(Output(item, "s", "ar", "x"), M, "lexicon") for item in people)
    result = Result("winomt", "en-ar", "s", "epicene", "s", 88, {}, 0, (), verdicts=verdicts)
    rates = Series("s", result, "Arabic").occupations["janitor"]
    assert {gender: (rate.count, rate.n, rate.value) for gender, rate in rates.items()} == {
        F: (44, 44, 100.0),
        M: (0, 44, 0.0),
    }
