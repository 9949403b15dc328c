"""The record's page in a real browser: nothing over the edge of a phone, nothing that axe-core minds, tables that sort."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.record.build import shipped
from epicene.record.page import write_page
from tests.browser import Axe, Visiting

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("record") / "record.html", shipped())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_record_can_be_read_by_everybody(path: Path, scheme: str, visit: Visiting, axe: Axe) -> None:
    seen = visit(path, color_scheme=scheme, viewport={"width": 390, "height": 740})
    page = seen.page
    page.evaluate("() => document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert axe(page, "color-contrast" if scheme == "dark" else "") == []
    seen.went_well()


def test_columns_sort_by_numbers_and_by_texts(path: Path, visit: Visiting) -> None:
    page = visit(path).page
    table = page.locator("#part1 table").first
    systems = table.locator("tbody tr").count()
    table.locator("thead button").nth(1).click()
    values = [
        float(text.split()[0].rstrip("*")) for text in table.locator("tbody tr td:nth-child(2) bdi").all_text_contents()
    ]
    assert len(values) == systems > 10 and values == sorted(values)
    table.locator("thead button").nth(1).click()
    assert table.locator("th[aria-sort=descending]").count() == 1
    page.get_by_text("Published figures beside ours").nth(1).click()
    beside = page.locator("#part1 details[open] table").last
    beside.locator("thead button").nth(1).click()
    pairs = beside.locator("tbody tr td:nth-child(2)").all_text_contents()
    assert len(set(pairs)) > 1 and pairs == sorted(pairs)
    assert path.stat().st_size < 1_000_000


def test_a_rate_leads_to_the_row_with_its_signature(path: Path, visit: Visiting) -> None:
    page = visit(path).page
    page.locator("#part1 table a.lead-to").first.click()
    assert page.locator("tr:target code").last.inner_text().startswith("winomt|")
