"""A study's figures are drawn from what it computed, and nothing else gets into them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.output.charts import study as study_charts
from epicene.studies import Figure, Study
from epicene.types import Measure
from epicene_lab.studies import wibemt
from epicene_lab.studies.occupations import figures
from tests.conftest import Command


def test_the_four_figures_of_wibemt_are_drawn(published: Path, epicene: Command, tmp_path: Path) -> None:
    epicene("data", "add", "wibemt", published / "wibemt")
    path = tmp_path / "figures.json"
    assert epicene("study", "wibemt", "--charts", path).returncode == 0
    spec = json.loads(path.read_text(encoding="utf-8"))
    titles = [json.dumps(part) for part in spec["vconcat"]]
    assert len(titles) == 4
    for number, title in enumerate(titles, 1):
        assert f"Figure {number}: " in title
    rows = [row for values in spec.get("datasets", {}).values() for row in values] or json.dumps(spec)
    assert "feminine verbs" in json.dumps(rows)


def test_published_values_and_ours_are_bars_of_their_own() -> None:
    figure = wibemt.run({}).figures[1]
    chart = figure.draw(figure)
    values = chart["layer"][0].get("data", chart.get("data"))["values"]
    assert {row["from"] for row in values} == {"paper"}
    assert {row["y"] for row in values if row["series"] == "deepl"} == {11.9, 6.6}


def test_an_svg_is_written_whole(tmp_path: Path) -> None:
    study_charts.write(wibemt.run({}), tmp_path / "figures.svg")
    assert (tmp_path / "figures.svg").read_text(encoding="utf-8").startswith("<svg")


def test_what_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ends in \.svg or \.json"):
        study_charts.write(wibemt.run({}), tmp_path / "figures.png")
    with pytest.raises(InputError, match="study empty has no figures"):
        study_charts.write(Study("empty", "", (), {}), tmp_path / "figures.svg")


def study(*figures: Figure) -> Study:
    return Study("test", "Test", (), {}, ("test",), figures)


BARS = Figure(
    "Bars",
    figures.panels,
    "B",
    "",
    (
        {"label": "Sales", "value": 2.0, "series": "female-dominated", "low": 1.0, "high": 3.0, "n": 9},
        {"label": "Sales", "value": 1.0, "series": "male-dominated", "low": None, "high": None, "n": 2},
        {
            "label": "Arts",
            "value": None,
            "series": "female-dominated",
            "low": None,
            "high": None,
            "n": 0,
            "none": "no such",
        },
        {"label": "Arts", "value": 0.5, "series": "male-dominated", "low": 0.1, "high": 0.9, "n": 8},
    ),
)
RANKS = Figure(
    "Ranks",
    figures.ranks,
    "B, on a log scale",
    "",
    (
        {"label": "cook", "value": 2.0, "series": "survey", "said": "he said"},
        {"label": "smith", "value": 9.0, "series": "survey", "said": "she said"},
    ),
)
SHE = Figure("She", figures.calibration, "women", "she", ({"x": 5, "y": 10.0, "low": 4.0, "high": 20.0, "n": 30},))
POINTS = Figure("Points", figures.diagonal, "opinion", "women", ({"label": "<b>nurse</b>", "x": 95.0, "y": 90.0},))


def test_every_kind_is_drawn_into_one_file(tmp_path: Path) -> None:
    study_charts.write(study(BARS, POINTS, RANKS, SHE), tmp_path / "figures.json")
    spec = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    parts = [[each, *each.get("layer", [])] for each in spec["vconcat"]]
    titles = [next(layer["title"]["text"] for layer in part if "title" in layer) for part in parts]
    assert titles == ["Bars", "Points", "Ranks", "She"]


def test_the_diagonal_runs_from_corner_to_corner() -> None:
    layered = POINTS.draw(POINTS)
    assert layered["layer"][0]["data"]["values"] == [{"x": 0, "y": 0}, {"x": 100, "y": 100}]


def test_svg_shows_the_words_and_no_markup_of_theirs(tmp_path: Path) -> None:
    study_charts.write(study(BARS, POINTS, RANKS, SHE), tmp_path / "figures.svg")
    svg = (tmp_path / "figures.svg").read_text(encoding="utf-8")
    assert "&lt;b&gt;nurse" in svg
    assert "<b>nurse" not in svg


def test_a_bar_stands_on_its_label_and_a_colour_means_one_thing() -> None:
    spec = BARS.draw(BARS)
    assert [panel["layer"][0]["mark"]["color"] for panel in spec["hconcat"]] == list(figures.SERIES.values())
    assert spec["resolve"]["scale"] == {"x": "shared", "y": "shared"}
    axes = [layer["encoding"]["x"]["scale"] for panel in spec["hconcat"] for layer in panel["layer"]]
    assert len(axes) == 6
    assert all(axis == axes[0] for axis in axes)  # a bar of one panel is as long as one of the same value in the other
    assert axes[0]["domain"][0] == 0 and axes[0]["domain"][1] > 2.0
    for panel in spec["hconcat"]:
        encoding = panel["layer"][0]["encoding"]
        assert "yOffset" not in encoding
        assert encoding["y"]["scale"]["domain"] == ["Sales", "Arts"]  # both panels have every label, at one height
    assert spec["hconcat"][0]["layer"][0]["encoding"]["y"]["axis"]["labelLimit"] == 0
    whiskers = [panel["layer"][1]["encoding"] for panel in spec["hconcat"]]
    assert all((each["x"]["field"], each["x2"]["field"]) == ("low", "high") for each in whiskers)


def test_a_sector_without_such_jobs_says_so_and_has_no_bar_of_nought() -> None:
    panel = BARS.draw(BARS)["hconcat"][0]
    words = panel["layer"][2]
    assert words["encoding"]["text"]["field"] == "none"
    assert words["transform"] == [{"filter": "!isValid(datum.value)"}]
    sales, arts = panel["layer"][0]["data"]["values"] if "data" in panel["layer"][0] else panel["data"]["values"]
    assert (sales["value"], arts["value"], arts["none"]) == (2.0, None, "no such")


def test_the_wrong_jobs_say_in_which_direction_and_on_which_scale() -> None:
    spec = RANKS.draw(RANKS)
    encoding = spec["layer"][1]["encoding"]
    assert encoding["shape"]["field"] == "said"
    assert encoding["shape"]["scale"]["domain"] == ["he said", "she said"]
    assert encoding["x"]["scale"]["type"] == "symlog"
    assert encoding["x"]["title"] == "B, on a log scale"


def test_figure_7_counts_both_directions_beside_the_papers() -> None:
    measures = [
        Measure("wrongly_he", "survey occupation a", 2.0, "", 1, label="nurse"),
        Measure("wrongly_she", "survey occupation b", 1.0, "", 1, label="smith"),
        Measure("wrongly_he", "survey occupation c", None, "", 1, label="midwife"),
        *(
            Measure("bias", f"survey occupation {word}", value, "", 1, detail=True)
            for word, value in (("a", 2.0), ("b", 1.0))
        ),
    ]
    figure = figures.wrong_ranked(measures, ["survey"])
    assert figure.title == (
        "Figure 7: wrong by survey, 2 he for she and 1 she for he (paper: 17 and 3), 1 unbounded left out"
    )
    assert [(row["label"], row["said"]) for row in figure.rows] == [("nurse (a)", "he said"), ("smith (b)", "she said")]


def test_names_overprint_neither_names_nor_points() -> None:
    names = figures.choose_labels(
        [("far", 10.0, 90.0), ("near it", 10.5, 90.5), ("alone", 90.0, 20.0), ("on", 50.0, 50.0)]
    )
    assert "alone" in names
    assert len(names & {"far", "near it"}) == 1


@pytest.mark.parametrize("series", ["female-dominated", "male-dominated"])
def test_figures_4_and_5_name_every_sector_in_both_panels(series: str) -> None:
    measures = [
        Measure("bias", "us sector Arts", 0.5, "", 3),
        Measure("bias", "us sector Arts female-dominated", 1.0, "", 3, low=0.5, high=2.0),
        Measure("bias", "us sector Arts male-dominated", None, "", 0),
    ]
    figure = figures.sector_bars(measures, "us", "Figure 5")
    assert [row["label"] for row in figure.rows if row["series"] == series] == ["Arts"]
    assert [row["none"] for row in figure.rows] == [None, "no such jobs"]
