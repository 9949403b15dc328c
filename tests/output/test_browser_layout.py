"""The page holds in dark and light, on a phone and on paper, and for people who cannot see it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import Axe, Visiting

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour, under) => {
    canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((each) => each / 255)
    .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, place) => sum + each * [0.2126, 0.7152, 0.0722][place], 0);
  const card = getComputedStyle(document.querySelector('figure')).backgroundColor;
  const found = [...document.querySelectorAll('figure svg text')].map((text) => {
    const both = [light(rgb(getComputedStyle(text).fill, card)), light(rgb(card, card))].sort((a, b) => b - a);
    return (both[0] + 0.05) / (both[1] + 0.05);
  });
  return Math.min(...found);
}"""


def wide(page: Page) -> bool:
    """Whether the page can be scrolled sideways."""
    return page.evaluate("() => document.documentElement.scrollWidth > document.documentElement.clientWidth")  # type: ignore[no-any-return]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["small", "brief"])
def test_axe_finds_nothing(kind: str, scheme: str, request: pytest.FixtureRequest, visit: Visiting, axe: Axe) -> None:
    path: Path = request.getfixturevalue(kind)
    page = visit(path, color_scheme=scheme).page
    if kind == "small":
        page.wait_for_selector("#rows[data-turn]")
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert axe(page, "color-contrast" if scheme == "dark" else "") == []


def test_every_kind_of_page_holds_in_light_and_dark_on_a_phone_and_on_paper(visit: Visiting, axe: Axe) -> None:
    samples = sorted((Path(__file__).parents[2] / "docs" / "samples").glob("*.html"))
    assert [each.stem for each in samples] == ["many", "occupations", "one", "speech"]
    for path in samples:
        page = visit(path, viewport={"width": 390, "height": 800}).page
        page.wait_for_selector("#rows[data-turn]")
        assert not wide(page), path
        assert axe(page) == [], path
        page.emulate_media(color_scheme="dark")
        assert axe(page, "color-contrast") == [], path
    page = visit(samples[0]).page
    page.emulate_media(media="print")
    # 17 systems in two languages: a table, six charts a language, and where it all comes from.
    assert page.pdf(format="A4").count(b"/Type /Page\n") <= 14


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_in_charts_can_be_read(scheme: str, report: Path, visit: Visiting) -> None:
    page = visit(report, color_scheme=scheme).page
    assert page.evaluate(CONTRAST) >= 4.5


def test_dark_is_dark_and_light_is_light(report: Path, visit: Visiting) -> None:
    colours = {
        scheme: visit(report, color_scheme=scheme).page.evaluate(
            "() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
        )
        for scheme in ("light", "dark")
    }
    assert colours["light"] == ["rgb(252, 251, 248)", "rgb(31, 29, 26)"]
    assert colours["dark"] == ["rgb(22, 21, 26)", "rgb(236, 233, 226)"]


@pytest.mark.parametrize("kind", ["report", "brief"])
@pytest.mark.parametrize("width", [320, 390, 768])
def test_nothing_runs_over_the_edge_of_a_phone(
    kind: str, width: int, request: pytest.FixtureRequest, visit: Visiting
) -> None:
    path: Path = request.getfixturevalue(kind)
    page = visit(path, viewport={"width": width, "height": 740}, has_touch=True).page
    if kind == "report":
        page.wait_for_selector("#rows[data-turn]")
    assert not wide(page)
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert not wide(page)


def test_axe_finds_nothing_on_a_phone(small: Path, visit: Visiting, axe: Axe) -> None:
    page = visit(small, viewport={"width": 360, "height": 740}).page
    page.wait_for_selector("#rows[data-turn]")
    assert axe(page) == []


def test_the_headline_comes_first_on_a_phone(report: Path, visit: Visiting) -> None:
    page = visit(report, viewport={"width": 360, "height": 740}).page
    box = page.locator("h1").bounding_box()
    assert box
    assert box["y"] + box["height"] < 740


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_white_and_has_what_is_folded_on_the_screen(scheme: str, report: Path, visit: Visiting) -> None:
    page = visit(report, color_scheme=scheme).page
    page.wait_for_selector("#rows[data-turn]")
    page.emulate_media(media="print")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("() => getComputedStyle(document.body).color") == "rgb(31, 29, 26)"
    for gone in ("nav", "#filters", ".pager", ".skip"):
        assert page.locator(gone).is_hidden(), gone
    assert page.locator(".standing .matrix").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_the_first_screen_is_one_sheet_of_paper(brief: Path, visit: Visiting) -> None:
    page = visit(brief).page
    page.emulate_media(media="print")
    for paper in ("A4", "Letter"):
        assert page.pdf(format=paper).count(b"/Type /Page\n") == 1


@pytest.mark.parametrize("kind", ["report", "brief"])
def test_paper_holds_every_table_and_is_no_phone(kind: str, request: pytest.FixtureRequest, visit: Visiting) -> None:
    # An A4 page less its margins is 180 mm, or 680 pixels of CSS; what is wider would be cut off or shrink the rest.
    page = visit(request.getfixturevalue(kind), viewport={"width": 680, "height": 990}).page
    page.emulate_media(media="print")
    tables = "() => [...document.querySelectorAll('table')].filter((each) => each.getBoundingClientRect().right > 681)"
    assert page.evaluate(f"({tables})().map((each) => each.parentElement.getAttribute('aria-label'))") == []
    rows = "() => [...document.querySelectorAll('.matrix tr')].map((row) => getComputedStyle(row).display)"
    assert set(page.evaluate(rows)) == ({"table-row"} if kind == "report" else set())


def test_the_keyboard_reaches_everything_and_shows_where_it_is(report: Path, visit: Visiting) -> None:
    page = visit(report).page
    page.wait_for_selector("#rows[data-turn]")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    reached = {"q"}
    page.locator("#sentences .scroll").first.focus()
    page.locator("#q").focus()
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("() => document.activeElement.dataset.facet || document.activeElement.id"))
        outline = page.evaluate(
            "() => document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        )
        assert outline
    assert {"q", "set", "language", "group", "person", "verdict", "step", "csv", "after"} <= reached
