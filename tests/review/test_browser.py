"""The review in a real browser, by keyboard alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import epicene
from epicene.result import Result
from epicene.types import Gender, Item, Output, Person, Verdict
from tests.browser import Visit, Visiting
from tests.output.conftest import table
from tests.review.conftest import Reviewing, write_run

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Start = Callable[..., Reviewing]
PHONE = {"width": 360, "height": 740}


def opened(visit: Visiting, address: str, **options: Any) -> Visit:
    """The page once it shows a sentence."""
    seen = visit(address, **options)
    seen.page.wait_for_selector("body[data-item]")
    return seen


def press(page: Page, keys: str) -> None:
    """Press keys, each once the page shows what came of the last."""
    for key in keys:
        before = page.evaluate("document.body.dataset.item")
        page.keyboard.press(key)
        page.wait_for_function("before => document.body.dataset.item !== before", arg=before)


def count(page: Page) -> str:
    return page.inner_text("#count")


def stored(run: Path) -> list[tuple[str, str, str, str]]:
    with sqlite3.connect(run / "review.sqlite") as database:
        return database.execute(
            "SELECT id, reviewer, gender, comment FROM decisions WHERE undone = '' ORDER BY number"
        ).fetchall()


def test_200_decisions_by_keyboard_with_a_reload_and_a_kill_in_between(
    run: Path, reviewing: Start, visit: Visiting
) -> None:
    review = reviewing(run)
    seen = opened(visit, review.address)
    assert count(seen.page) == "0 of 200 decided"
    press(seen.page, "fmnu" * 15)
    seen.page.reload()
    seen.page.wait_for_selector("body[data-item='60']")
    assert count(seen.page) == "60 of 200 decided"
    press(seen.page, "fmnu" * 10)
    assert seen.errors == []
    assert all(each.startswith(review.base) for each in seen.requests)
    review.kill()
    seen.page.keyboard.press("f")
    seen.page.wait_for_selector("#trouble:not([hidden])")
    assert "Not saved: the review does not answer." in seen.page.inner_text("#trouble")
    assert [row[2][0] for row in stored(run)] == list("fmnu" * 25)

    review = reviewing(run)
    seen = opened(visit, review.address)
    assert count(seen.page) == "100 of 200 decided"
    press(seen.page, "fmnu" * 25)
    assert seen.page.inner_text("#done-title") == "You have finished the planned sample."
    seen.page.keyboard.press("w")
    seen.page.wait_for_selector("text=results.json and report.html are written.")
    assert seen.page.text_content("#status") == "results.json and report.html are written."
    (result,) = json.loads((run / "results.json").read_text(encoding="utf-8"))
    assert result["review"]["n"] == 200
    assert result["measures"][0]["corrected"]
    assert seen.errors == []
    code, printed, said = review.stop()
    assert code == 0
    assert "200 sentences settled by anna" in printed
    assert "Traceback" not in said
    rows = stored(run)
    assert len({row[0] for row in rows}) == len(rows) == 200


def test_two_people_at_once_have_each_their_own_way(run: Path, reviewing: Start, visit: Visiting) -> None:
    review = reviewing(run)
    anna, ben = (opened(visit, review.of(name)).page for name in ("anna", "ben"))
    first = anna.inner_text("#source")
    assert ben.inner_text("#source") == first
    for keys in ("fm", "mf", "nn"):
        press(anna, keys[0])
        press(ben, keys[1])
    press(anna, "fmfm")
    press(ben, "fmfm")
    press(anna, "uu")
    assert (count(anna), count(ben)) == ("9 of 200 decided", "7 of 200 decided")
    ben.reload()
    ben.wait_for_selector("body[data-item='7']")
    ben.click("summary")
    people = ben.inner_text("#people").splitlines()
    assert people[:2] == ["reviewer 2: 9 decided", "you: 7 decided"]  # names lead nobody
    assert "anna" not in ben.inner_text("body")
    # 5 of 7 agree; by chance (3 * 3 + 3 * 3 + 1 * 1) / 49.
    assert people[2].startswith("reviewer 2 / you: Cohen’s κ 0.53 (95 % interval ")
    assert people[2].endswith(", on 7 sentences")
    ben.fill("#name", "cleo & <co>")
    ben.keyboard.press("Enter")
    ben.wait_for_selector("body[data-item='0']")
    assert ben.inner_text("#person") == "cleo & <co>"


def test_divided_sentences_are_adjudicated_on_a_screen_of_their_own(
    run: Path, reviewing: Start, visit: Visiting, axe: Callable[[Page], list[str]]
) -> None:
    review = reviewing(run, "--sample", "4")
    anna, ben = (opened(visit, review.of(name)).page for name in ("anna", "ben"))
    press(anna, "ffmm")
    ben.keyboard.press("c")
    ben.keyboard.type("a man, surely")
    ben.keyboard.press("Enter")
    press(ben, "mfmn")
    assert ben.inner_text("#settle") == "D adjudicate 2 sentences on which reviewers disagree"
    ben.click("summary")
    assert len(ben.locator("#history li").all()) == 4
    cleo = opened(visit, f"{review.of('cleo')}&adjudicate=1", bypass_csp=True)
    page = cleo.page
    assert count(page) == "0 of 2 divided sentences adjudicated"
    assert page.inner_text("#votes") == "Reviewers disagree: 1 says a woman, 1 says a man. a man, surely"
    assert not {"anna", "ben"} & set(page.inner_text("body").split())
    assert page.locator("[data-key=s]").is_hidden()
    page.click("summary")
    assert axe(page) == []
    press(page, "m")
    assert page.inner_text("#votes").startswith("Reviewers disagree: 1 says a man, 1 says no gender.")
    press(page, "n")
    assert page.inner_text("#done-title") == "No disagreements are left."
    assert axe(page) == []
    page.keyboard.press("w")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('results.json')")
    (result,) = json.loads((run / "results.json").read_text(encoding="utf-8"))
    assert (result["review"]["n"], result["review"]["unsettled"], result["review"]["adjudicated"]) == (4, 0, 2)
    report = visit(run / "report.html").page
    report.wait_for_selector("#rows[data-turn]")
    said = report.locator("select[data-facet=decision] option").all_inner_texts()
    assert sum(int(each.rpartition("(")[2].rstrip(")")) for each in said if each[0] != "a" or each[1] == " ") >= 4
    assert cleo.errors == []


def test_a_tab_that_was_overtaken_is_told_so_and_overwrites_nothing(
    run: Path, reviewing: Start, visit: Visiting
) -> None:
    review = reviewing(run)
    old, new = (opened(visit, review.address).page for _ in range(2))
    press(new, "f")
    old.keyboard.press("m")
    old.wait_for_selector("#trouble:not([hidden])")
    assert "Not saved: this was decided in another tab or by somebody else; nothing was changed" in old.inner_text(
        "#trouble"
    )
    assert [row[2] for row in stored(run)] == ["feminine"]
    assert old.get_attribute("body", "data-item") == "1"  # what is next now
    press(old, "m")
    assert old.locator("#trouble").is_hidden()
    assert [row[2] for row in stored(run)] == ["feminine", "masculine"]
    # A decision can be made again, and what was replaced or taken back stays in the history.
    old.click("summary")
    old.locator("#history button").last.click()
    old.wait_for_selector("body[data-item='0']")
    press(old, "n")
    old.keyboard.press("z")
    old.wait_for_function("() => document.querySelector('#history del')")
    assert [line.split(":")[0] for line in old.locator("#history li").all_inner_texts()] == [
        "no gender, taken back",
        "a man",
        "a woman",
    ]
    assert [row[2] for row in stored(run)] == ["feminine", "masculine"]
    table = run / "history.tsv"
    assert epicene.export_review(run, table, history=True) == 3
    assert [line.split("\t")[5] for line in table.read_text(encoding="utf-8").splitlines()[1:]] == [
        "feminine", "masculine", "neutral",
    ]  # fmt: skip


def test_undo_skip_comment_and_marks(run: Path, reviewing: Start, visit: Visiting) -> None:
    seen = opened(visit, reviewing(run).address)
    page = seen.page
    page.keyboard.press("c")
    page.keyboard.type("fmnusz: a <b>note</b>")
    page.keyboard.press("Enter")
    press(page, "u")
    assert page.input_value("#comment") == ""
    press(page, "s")
    assert count(page) == "1 of 200 decided, 1 skipped"
    press(page, "mz")
    press(page, "z")
    press(page, "z")
    assert count(page) == "0 of 200 decided"
    assert page.input_value("#comment") == "fmnusz: a <b>note</b>"
    assert stored(run) == []
    page.keyboard.press("z")
    page.wait_for_function("() => document.getElementById('status').textContent === 'Nothing to undo.'")
    press(page, "f")
    assert [row[1:] for row in stored(run)] == [("anna", "feminine", "fmnusz: a <b>note</b>")]
    # The words that the program looked at are marked only when asked for.
    while "Chirurgin" not in page.inner_text("#text"):
        press(page, "s")
    assert page.locator("#text mark").count() == 0
    page.keyboard.press("e")
    assert page.locator("#text mark").all_inner_texts() == ["Chirurgin"]
    assert page.get_attribute("#marks", "aria-pressed") == "true"
    # A key that is held down decides once, and none does with a modifier or where single keys are off.
    place = page.get_attribute("body", "data-item")
    page.keyboard.press("Control+f")
    page.click("summary")
    page.uncheck("#keys")
    page.locator("#text").click()
    page.keyboard.press("f")
    assert page.get_attribute("body", "data-item") == place
    page.click("[data-key=f]")
    page.wait_for_function("before => document.body.dataset.item !== before", arg=place)
    assert seen.errors == []


def test_right_to_left_languages_stand_right_and_their_words_are_marked(
    languages: Path, reviewing: Start, visit: Visiting
) -> None:
    page = opened(visit, reviewing(languages).address).page
    page.keyboard.press("e")
    found = {}
    while not page.is_visible("#done"):
        text = page.locator("#text")
        found[text.inner_text()] = (text.get_attribute("lang"), page.locator("#text mark").all_inner_texts())
        assert text.get_attribute("dir") == "rtl"
        assert text.evaluate("element => getComputedStyle(element).direction") == "rtl"
        assert page.locator("#source").evaluate("element => getComputedStyle(element).direction") == "ltr"
        press(page, "s")
    assert len(found) == 10
    assert found["האחות הגיעה הביתה."][0] == "he"
    assert "האחות" in found["האחות הגיעה הביתה."][1]
    assert found["وصلت الممرضة إلى المنزل."][0] == "ar"
    assert "الممرضة" in found["وصلت الممرضة إلى المنزل."][1]


def test_keys_are_where_they_stand_on_a_keyboard_of_other_letters(
    languages: Path, reviewing: Start, visit: Visiting
) -> None:
    page = opened(visit, reviewing(languages).address).page
    # The key of F on a Hebrew, an Arabic and a Russian keyboard; then that of Z on a German one, which is Y elsewhere.
    for place, (key, code) in enumerate([("כ", "KeyF"), ("ب", "KeyF"), ("а", "KeyF"), ("z", "KeyY")]):
        page.evaluate("init => document.dispatchEvent(new KeyboardEvent('keydown', init))", {"key": key, "code": code})
        page.wait_for_selector(f"body[data-item='{(1, 2, 3, 2)[place]}']")
    assert count(page) == "2 of 10 decided"
    page.evaluate("() => document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ы', code: 'Digit1'}))")
    assert count(page) == "2 of 10 decided"


def test_the_sentence_is_set_in_its_own_language(tmp_path: Path, reviewing: Start, visit: Visiting) -> None:
    labels = {"variant": "plain", "occupation": "doctor"}
    items = [Item(str(n), "זה רופא.", Person("רופא", 3, "doctor"), None, labels) for n in range(2)]
    verdicts = tuple(Verdict(Output(item, "s", "en", "He is a doctor."), Gender.MASCULINE, "pronoun") for item in items)
    genders = {each.value: 2 * (each is Gender.MASCULINE) for each in Gender}
    result = Result("occupations", "he-en", "s", "epicene", "signature", 2, genders, 0, (), verdicts=verdicts)
    page = opened(visit, reviewing(write_run(tmp_path / "run", [result])).address).page
    assert (page.get_attribute("#source", "lang"), page.get_attribute("#source", "dir")) == ("he", "rtl")
    assert (page.get_attribute("#text", "lang"), page.get_attribute("#text", "dir")) == ("en", "ltr")
    press(page, "fm")
    assert page.inner_text("#done-text").startswith("2 sentences are decided.")


def test_nothing_that_comes_from_outside_runs(tmp_path: Path, reviewing: Start, visit: Visiting) -> None:
    evil = [
        "<script>hit()</script>",
        "<img src=x onerror=hit()>",
        "javascript:hit()",
        "</p></main><b>",
        "\u202eevil",
        "👩‍⚕️" * 50,
    ]
    rows = [(f"{n}{text}", "The nurse came.", "nurse", "feminine", "g", "nurse") for n, text in enumerate(evil)]
    own = f"custom:{table(tmp_path / 'set.tsv', rows)}"
    found = epicene.score(own, "en-de", [f"Die Krankenschwester {text}" for text in evil], anyway=True)
    review = reviewing(write_run(tmp_path / "<b>run", [found]), reviewer="<i>anna</i>")
    seen = visit(review.address)
    seen.page.add_init_script("window.hit = () => { document.title = 'hit'; }")
    seen.page.reload()
    seen.page.wait_for_selector("body[data-item]")
    assert seen.page.inner_text("#person") == "<i>anna</i>"
    shown = set()
    while not seen.page.is_visible("#done"):
        shown.add(seen.page.inner_text("#text").removeprefix("Die Krankenschwester "))
        assert seen.page.locator("main b, main img, main script, main i").count() == 0
        press(seen.page, "s")
    assert shown == {text.replace("\u202e", "") for text in evil}  # what turns the reading order is taken out
    assert "hit" not in seen.page.title()
    assert seen.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "desk"])
def test_anyone_can_use_it(
    run: Path, reviewing: Start, visit: Visiting, axe: Callable[[Page], list[str]], scheme: str, size: dict[str, int]
) -> None:
    seen = opened(visit, reviewing(run, "--sample", "2").address, color_scheme=scheme, viewport=size, bypass_csp=True)
    page = seen.page
    page.click("summary")
    page.keyboard.press("e")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 21, 26)"
    assert dark == (scheme == "dark")
    # Every control is large enough to be hit, and shows when it has the focus.
    for box in (each.bounding_box() for each in page.locator("button:visible, input:visible").all()):
        assert box
        assert min(box["width"], box["height"]) >= 24
    page.locator("#text").click()
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    press(page, "fm")
    assert page.is_visible("#done")
    assert axe(page) == []
    page.keyboard.press("g")
    page.wait_for_selector("#card:not([hidden])")
    assert page.get_attribute("body", "data-item") == "2"
    seen.page.evaluate("document.getElementById('trouble').hidden = false")
    assert axe(page) == []
