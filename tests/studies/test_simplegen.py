"""epicene study simplegen and lab table: the paper's Table 4 with ours beside it."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from itertools import product
from pathlib import Path

import pytest

from epicene.errors import EvidenceError
from epicene.output.table import format_cell as shown
from epicene_lab import points
from epicene_lab.studies import simplegen
from epicene_lab.summary import Setting
from epicene_lab.tables import table
from epicene_lab.trend import Place, Trend, draw, figure
from tests.conftest import Command
from tests.lab.test_summary import grid, point
from tests.output.conftest import vega_lite


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A results file with the rows of Table 4a, three seeds each."""
    for each in grid(noise=0.5):
        points.append(tmp_path / "results.csv", each)
    for seed in (1, 2, 3):
        points.append(tmp_path / "results.csv", point("6-6-aan", seed, "float", 5, 39.0, 290, 0.8))
        points.append(tmp_path / "results.csv", point("6-6", seed, "int8", 5, 38.0 + seed / 10, 280, 0.5))
    return tmp_path / "results.csv"


def test_the_papers_gaps_follow_from_its_rates() -> None:
    """Table 4: Δ = pro − anti, ΔFC = FOFC − MOFC, ΔMC = MOMC − FOMC, to rounding."""
    for row in table("lab", "published.tsv"):
        if row["model"]:
            for gap, first, second in (
                ("delta", "pro", "anti"),
                ("delta_fc", "FOFC", "MOFC"),
                ("delta_mc", "MOMC", "FOMC"),
            ):
                assert float(row[gap]) == pytest.approx(float(row[first]) - float(row[second]), abs=0.11), row


def test_the_papers_last_row_is_the_largest_drop_in_time_and_bleu() -> None:
    rows = table("lab", "published.tsv")
    for last in (row for row in rows if not row["model"]):
        own = [row for row in rows if row["model"] and (row["table"], row["langs"]) == (last["table"], last["langs"])]
        for column in ("time", "bleu"):
            base = float(own[0][column])
            largest = max(100 * (base - float(row[column])) / base for row in own)
            assert float(last[column]) == pytest.approx(largest, abs=0.3), (last, column)


def test_results_of_a_user_are_checked_first_and_described_by_themselves(results: Path) -> None:
    parts = simplegen.run({"results": str(results)}).parts
    answered, check, first, *_ = parts
    assert "en-es passes (" in answered.notes[0]
    assert re.search(r"en-es loses -?\d\.\d\d \[.*\] % of pro and -?\d\.\d\d \[.*\] % of anti", answered.notes[1])
    (differs,) = [part for part in parts if part.title == "What differs from the paper"]
    assert check.title == "Validity check of the baselines"
    assert check.rows[0][-1] == "yes"
    described = {row[0]: row[2] for row in differs.rows}
    assert described["seeds"] == "3 to 3 an architecture"
    assert "Tatoeba" not in " ".join(described.values()), "our own text says nothing about a user's models"
    assert first.title == "Table 4a, en-es: each speed-up alone"
    assert first.rows[0][:4] == ("baseline", "paper", 100.0, 33.2)
    assert first.rows[1][:3] == ("", "yours", pytest.approx(100.0))


def test_models_that_translate_nothing_are_not_shown_beside_the_paper(epicene: Command, results: Path) -> None:
    rows = list(csv.DictReader(results.read_text(encoding="utf-8").splitlines()))
    for row in rows:
        for protocol, group in product(points.PROTOCOLS, points.GROUPS):
            row |= {f"{protocol}_{group}": "0", f"{protocol}_unread_{group}": row[f"n_{group}"]}
    with results.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, points.COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    done = epicene("study", "simplegen", "--all", "-i", f"results={results}")
    assert done.returncode == 3
    assert "Table 4a" not in done.stdout
    assert "no baseline passes the validity check (en-es: 100.0 % undetected" in done.stderr
    assert "Table 4a" in epicene("study", "simplegen", "--all", "-i", f"results={results}", "--anyway").stdout


def test_ours_has_means_intervals_and_the_largest_drop(results: Path) -> None:
    found = simplegen.study(points.read([results]), "epicene")
    first = found.parts[0]
    rows = {row[0]: (row, half) for row, half in zip(first.rows[::2], first.rows[1::2], strict=True)}
    names = [column.name for column in first.columns]
    row, half = (dict(zip(names, each, strict=True)) for each in rows["int8"])
    assert row["bleu"] == pytest.approx(38.2)
    assert row["time"] == pytest.approx(50.0)
    assert half["bleu"] > 0
    last, _ = (dict(zip(names, each, strict=True)) for each in rows["max drop %"])
    assert last["pro"] == pytest.approx(100 * (300 - 280) / 300)
    assert last["delta"] is None
    assert "Seeds a row: 3." in first.notes


def test_rows_that_were_not_measured_are_dashes(results: Path) -> None:
    found = simplegen.study(points.read([results]), "epicene")
    stacked = next(each for each in found.parts if each.title.startswith("Table 4b"))
    assert stacked.rows[4][2:] == (None,) * 6  # + AAN


def test_nought_has_no_sign_and_small_numbers_keep_two_digits() -> None:
    assert [shown(each, 2) for each in (-0.0, 0.0, 1.005, -0.004, None)] == ["0.00", "0.00", "1.00", "-0.004", "–"]
    assert shown((-0.001, 0.5), 2) == "[0.00, 0.50]"


def test_no_points_no_table() -> None:
    with pytest.raises(EvidenceError, match="no measured point"):
        simplegen.study([], "epicene")


@pytest.mark.parametrize("protocol", ["epicene", "paper"])
def test_the_command_prints_tables_that_fit(epicene: Command, results: Path, protocol: str) -> None:
    done = epicene("lab", "table", results, "--protocol", protocol)
    assert done.returncode == 0, done.stderr
    for title in ("Table 4a, en-es", "Table 4b, en-es", "Decoding time, en-es", "Figures 1 and A2"):
        assert title in done.stdout
    assert max(len(line) for line in done.stdout.splitlines() if "|" not in line) <= 80


def test_tables_as_json_and_latex(epicene: Command, results: Path) -> None:
    (found,) = json.loads(epicene("lab", "table", results, "-f", "json").stdout)
    assert found["tables"][0]["rows"][0]["row"] == "baseline"
    assert r"\toprule" in epicene("lab", "table", results, "-f", "latex").stdout


def test_the_study_is_listed_and_prints(epicene: Command, results: Path) -> None:
    assert "simplegen" in epicene("study").stdout
    done = epicene("study", "simplegen", "--all", "-i", f"results={results}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.index("Validity check") < done.stdout.index("Table 4a")
    assert max(len(line) for line in done.stdout.splitlines() if "|" not in line) <= 80


@pytest.mark.parametrize("words", [("lab", "table", "{}"), ("study", "simplegen", "-i", "results={}")])
def test_figures_are_drawn_with_bands_lines_and_points(
    epicene: Command, results: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    pytest.importorskip("vl_convert", reason="needs the charts extra")
    done = epicene(*(word.format(results) for word in words), "--charts", tmp_path / "figures.svg")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "figures.svg").read_text(encoding="utf-8")
    ET.fromstring(text)  # noqa: S314 - our own file
    for title in ("Figure 1, en-es", "Figure A2, en-es", "relative drop in decoding time, %"):
        assert title in text
    for mark in ("mark-area", "mark-line", "mark-symbol"):
        assert mark in text


def test_the_chart_of_a_trend_is_vega_lite() -> None:
    setting = Setting("6-6", "float", 5)
    trend = Trend(
        "bleu", (Place(setting, 0.0, 0.0, 3),), 1.0, 0.5, 1.5, 3, ((0.0, 0.0, None, None), (9.0, 9.0, 8.0, 10.0))
    )
    chart = draw(figure("1", "en-es", [trend]))
    vega_lite().validate(json.loads(json.dumps(chart)))
    band, line, points = chart["layer"]
    assert [layer["mark"]["type"] for layer in (band, line, points)] == ["area", "line", "point"]
    assert points["data"]["values"][0]["setting"] == "6-6 float beam 5"


def test_a_chart_of_another_kind_is_refused(epicene: Command, results: Path, tmp_path: Path) -> None:
    done = epicene("lab", "table", results, "--charts", tmp_path / "figures.bmp")
    assert done.returncode == 2
    assert "ends in .svg or .json" in done.stderr
