"""A study's figures are drawn from the rows it gives, and nothing in them becomes markup."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.report.study_charts import page, write
from epicene.studies._study import Figure, Study


def study(*figures: Figure) -> Study:
    return Study("test", "Test", (), {}, ("test",), figures)


BARS = Figure(
    "Bars",
    "bars",
    (
        {"label": "Sales", "value": 2.0, "series": "female-dominated"},
        {"label": "Sales", "value": 1.0, "series": "male-dominated"},
    ),
    ("B", ""),
)
POINTS = Figure("Points", "diagonal", ({"label": "<b>nurse</b>", "x": 95.0, "y": 90.0},), ("opinion", "women"))


def test_every_kind_is_drawn_into_one_file(tmp_path: Path) -> None:
    write(study(BARS, POINTS), tmp_path / "figures.json")
    spec = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert [each.get("title") or each["layer"][1]["title"] for each in spec["vconcat"]] == ["Bars", "Points"]


def test_the_diagonal_runs_from_corner_to_corner() -> None:
    (layered,) = page(study(POINTS)).to_dict()["vconcat"]
    assert layered["layer"][0]["data"]["values"] == [{"x": 0, "y": 0}, {"x": 100, "y": 100}]


def test_svg_shows_the_words_and_no_markup_of_theirs(tmp_path: Path) -> None:
    write(study(BARS, POINTS), tmp_path / "figures.svg")
    svg = (tmp_path / "figures.svg").read_text(encoding="utf-8")
    assert "&lt;b&gt;nurse" in svg
    assert "<b>nurse" not in svg


def test_a_study_without_figures_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no figures"):
        write(study(), tmp_path / "figures.svg")
    assert not list(tmp_path.iterdir())
