"""Quality against misgendering: a point for every system, with its numbers in a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import epicene
from epicene.output.charts.page import quality_chart
from epicene.output.page.figures import quality_figure, quality_rows
from epicene.output.page.series import Series

pytest.importorskip("sacrebleu")
N = 24


@pytest.fixture
def series(tmp_path: Path) -> list[Series]:
    """A set with references for women and men, by a system that keeps women and one that does not."""
    women = [f"Die Krankenschwester kam am Morgen Nummer {n}." for n in range(N)]
    men = [f"Der Krankenpfleger kam am Morgen Nummer {n}." for n in range(N)]
    rows = [
        f"{n}\tThe nurse came {n}.\tnurse\tfeminine\t\to{n % 6}\t{man}\t{woman}"
        for n, (man, woman) in enumerate(zip(men, women, strict=True))
    ]
    header = "id\tsource\tfocus\texpected\tgroup\toccupation\tmasculine\tfeminine"
    (tmp_path / "own.tsv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    found = []
    for name, texts in (("keeps", women), ("does <not>", men)):
        result = epicene.score(f"custom:{tmp_path / 'own.tsv'}", "en-de", texts, anyway=True)
        found.append(Series(name, replace(result, system=name), "de"))
    return found


def test_the_right_reference_makes_the_score_and_the_wrong_gender_costs_both(series: list[Series]) -> None:
    (keeps, not_so), unit = quality_rows(series)
    assert unit == "chrF"
    assert (keeps["system"], keeps["value"], keeps["score"]) == ("keeps", 0, pytest.approx(100))
    assert (not_so["value"], not_so["score"] < 90, not_so["n"]) == (100, True, N)


def test_systems_are_told_apart_by_shape(series: list[Series]) -> None:
    assert "shape" in str(quality_chart(*quality_rows(series))["layer"])


def test_the_figure_has_its_numbers_and_one_system_has_none(series: list[Series]) -> None:
    figure = quality_figure("q", series)
    assert figure is not None
    assert [row[0] for row in figure.numbers.rows] == ["keeps", "does <not>"]
    assert "<not>" not in figure.drawing
    assert quality_figure("q", series[:1]) is None
