"""The record's page in a real browser: nothing over the edge of a phone, nothing that axe-core minds, tables that sort."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.record.build import shipped
from epicene.record.page import write
from tests.browser import Axe, Visiting

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("record") / "record.html", shipped())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_record_can_be_read_by_everybody(path: Path, scheme: str, visit: Visiting, axe: Axe) -> None:
    seen = visit(path, color_scheme=scheme, viewport={"width": 390, "height": 740})
    page = seen.page
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert axe(page, "color-contrast" if scheme == "dark" else "") == []
    seen.went_well()


def test_a_column_sorts_by_its_numbers(path: Path, visit: Visiting) -> None:
    page = visit(path).page
    table = page.locator("#part1 table").first
    column = table.locator("tbody tr td:nth-child(2)")
    table.locator("thead button").nth(1).click()
    values = [float(text) for text in column.evaluate_all("cells => cells.map((each) => each.dataset.value)")]
    assert len(values) == 17 and values == sorted(values)
    table.locator("thead button").nth(1).click()
    assert table.locator("th[aria-sort=descending]").count() == 1
    assert path.stat().st_size < 1_000_000
