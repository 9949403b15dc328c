"""The page does in a browser what it promises: it opens, filters, marks, and stands without its script."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from epicene.compare.entrants import make_entrant
from epicene.compare.pairs import compare_entrants
from epicene.output.page import filters
from epicene.output.page.page import write_page
from epicene.output.page.series import label_systems
from epicene.result import Result
from epicene.sets import of_result, page_words
from epicene.types import Gender, Verdict
from tests.browser import Visit, Visiting

pytestmark = pytest.mark.browser

LANGUAGES = {"he": "Hebrew", "ar": "Arabic", "de": "German"}


def opened(visit: Visiting, path: Path, **options: object) -> Visit:
    """The page, its first sentences shown."""
    seen = visit(path, **options)
    seen.page.wait_for_selector("#rows[data-turn]")
    return seen


def offered(seen: Visit, facet: str) -> list[str]:
    """What a filter offers, in order, with how many sentences each would show."""
    return seen.page.locator(f"select[data-facet='{facet}'] option").all_inner_texts()


def choose(seen: Visit, facet: str, label: str) -> None:
    """Set a filter to the choice that begins with a label, and wait until the rows are there."""
    rows = seen.page.locator("#rows")
    turn = rows.get_attribute("data-turn")
    select = seen.page.locator(f"select[data-facet='{facet}']")
    choices = select.locator("option").all_inner_texts()
    select.select_option(index=next(n for n, text in enumerate(choices) if text.rpartition(" (")[0] == label))
    seen.page.wait_for_function("turn => document.getElementById('rows').dataset.turn !== turn", arg=turn)


def outcome(verdict: Verdict) -> str:
    if verdict.gender is Gender.UNKNOWN:
        return "gender not detected"
    if verdict.gender is Gender.NEUTRAL:
        return "neutral"
    if verdict.gender is not verdict.output.item.expected:
        return "wrong gender"
    return "right gender, of another word" if verdict.step == "other-word" else "right"


SOURCE = {"feminine": "a woman", "masculine": "a man", "": "not stated"}
WORDS = {
    "feminine": "feminine",
    "masculine": "masculine",
    "neutral": "neutral",
    "unknown": "gender not detected",
}


def described(result: Result, verdict: Verdict) -> dict[str, list[str]]:
    """What each filter should know of a sentence."""
    item = verdict.output.item
    groups = [
        page_words(result.set).describe(each)
        for each in of_result(result.set).measures.compared_groups(item)
        if each != "all"
    ]
    return {
        "set": [result.set],
        "language": [LANGUAGES[verdict.output.target]],
        "expected": [SOURCE[item.expected or ""]],
        "group": groups,
        "person": [item.labels["occupation"]],
        "verdict": [outcome(verdict)],
        "read": [WORDS[verdict.gender]],
        "step": [verdict.step],
    }


@pytest.fixture(scope="module")
def sentences(people: list[Result], simplegen: list[Result]) -> list[dict[str, list[str]]]:
    """All sentences of the page."""
    return [described(result, verdict) for result in people + simplegen for verdict in result.verdicts]


def test_the_page_opens_from_a_file_without_error_or_request(report: Path, visit: Visiting) -> None:
    seen = opened(visit, report)
    choose(seen, "language", "Hebrew")
    seen.went_well()


def test_the_first_screen_alone_opens_without_error_or_request(brief: Path, visit: Visiting) -> None:
    visit(brief).went_well()


def test_every_filter_counts_and_shows_what_the_data_hold(
    report: Path, visit: Visiting, sentences: list[dict[str, list[str]]]
) -> None:
    seen = opened(visit, report)
    for facet in ("set", "language", "expected", "group", "person", "verdict", "read", "step"):
        known = Counter(value for sentence in sentences for value in sentence[facet])
        assert set(offered(seen, facet)) == {"all"} | {f"{value} ({number:,})" for value, number in known.items()}
        for value in sorted(known)[:3]:
            choose(seen, facet, value)
            assert seen.page.inner_text("#found") == f"{known[value]:,} of {len(sentences):,} sentences"
            assert seen.page.locator("#rows tr").count() == min(25, known[value])
        select = seen.page.locator(f"select[data-facet='{facet}']")
        turn = seen.page.locator("#rows").get_attribute("data-turn")
        select.select_option(index=0)
        seen.page.wait_for_function("turn => document.getElementById('rows').dataset.turn !== turn", arg=turn)
    seen.went_well()


def test_filters_work_together_and_their_counts_follow(
    report: Path, visit: Visiting, sentences: list[dict[str, list[str]]]
) -> None:
    seen = opened(visit, report)
    choose(seen, "language", "Hebrew")
    choose(seen, "verdict", "wrong gender")
    wanted = [each for each in sentences if (each["language"], each["verdict"]) == (["Hebrew"], ["wrong gender"])]
    rows = seen.page.locator("#rows tr")
    assert 0 < rows.count() == len(wanted)
    for row in rows.all():
        assert row.locator(".translation").get_attribute("lang") == "he"
        assert "wrong gender" in row.locator(".verdict").inner_text()
    # What another language would show, with the verdict as it is; and other verdicts, in this language.
    others = Counter(each["language"][0] for each in sentences if each["verdict"] == ["wrong gender"])
    assert set(offered(seen, "language")) >= {f"{name} ({number:,})" for name, number in others.items()}
    hebrew = Counter(each["verdict"][0] for each in sentences if each["language"] == ["Hebrew"])
    assert set(offered(seen, "verdict")) >= {f"{name} ({number:,})" for name, number in hebrew.items()}
    # The address has it all, and a copy of it shows the same.
    address = seen.page.evaluate("location.href")
    assert address.endswith("#?language=Hebrew&verdict=wrong")
    other = seen.page.context.new_page()
    other.goto(address)
    other.wait_for_selector("#rows[data-turn]")
    assert other.locator("#rows tr").all_inner_texts() == rows.all_inner_texts()
    seen.page.get_by_role("button", name="Clear filters").click()
    seen.page.wait_for_function("() => document.querySelectorAll('#rows tr').length === 25")
    assert seen.page.inner_text("#found").startswith(f"{len(sentences):,} of")
    assert "#" not in seen.page.evaluate("location.href")


def test_words_are_found_in_sentences_and_translations_and_go_into_a_table(
    report: Path, visit: Visiting, people: list[Result], simplegen: list[Result]
) -> None:
    seen = opened(visit, report)
    outputs = [verdict.output for result in people + simplegen for verdict in result.verdicts]
    for text in ("ÄRZTIN", "secretary", "הרופא"):
        wanted = [each for each in outputs if text.lower() in f"{each.item.source} \0 {each.text}".lower()]
        seen.page.fill("#q", text)
        seen.page.wait_for_function(
            "said => document.getElementById('found').textContent === said",
            arg=f"{len(wanted):,} of {len(outputs):,} sentences",
        )
    assert 0 < len(wanted) < 25
    with seen.page.expect_download() as download:
        seen.page.click("#csv")
    with download.value.path().open(encoding="utf-8-sig", newline="") as stream:
        table = list(csv.DictReader(stream))
    assert [(row["id"], row["source"], row["translation"]) for row in table] == [
        (each.item.id, each.item.source, each.text) for each in wanted
    ]
    assert {row["language"] for row in table} == {"Hebrew"}
    seen.went_well()


def test_numbers_lead_to_exactly_the_sentences_that_they_count(
    report: Path, visit: Visiting, simplegen: list[Result]
) -> None:
    seen = opened(visit, report)
    page = seen.page
    # Women of the second system who are written as men: one click from the table on top.
    cell = page.locator(".matrix tbody tr", has=page.locator("bdi", has_text="some")).locator("a.women")
    women = [each for each in simplegen[1].verdicts if each.output.item.expected is Gender.FEMININE]
    wrong = sum(each.gender is Gender.MASCULINE for each in women)
    assert cell.inner_text().endswith(f"{100 * wrong / len(women):.1f}")
    cell.click()
    page.wait_for_function(
        "said => document.getElementById('found').textContent === said", arg=f"{wrong:,} of 5,343 sentences"
    )
    assert page.evaluate("document.activeElement.id") == "sentences-title"
    for row in page.locator("#rows tr").all():
        assert "masculine, decided by" in row.locator(".verdict").inner_text()
        assert row.locator("bdi").inner_text() == "some"
    # Every rate that has a link counts as many sentences as the link shows.
    checked = 0
    for result in simplegen:
        each = label_systems([result])[0]
        for measure in result.measures:
            if (address := filters.link_counted(each, measure)) and measure.name in ("correct", "wrong"):
                page.evaluate("hash => { location.hash = hash; }", address)
                said = f"{measure.count:,} of 5,343 sentences"
                page.wait_for_function("said => document.getElementById('found').textContent === said", arg=said)
                checked += 1
    assert checked == 2 * 2 * 7
    # A bar of a chart leads there as well.
    bar = page.locator("figure svg a").first
    page.evaluate("hash => { location.hash = hash; }", bar.get_attribute("href"))
    page.wait_for_function("() => location.hash.startsWith('#?')")
    seen.went_well()


def test_systems_are_sorted_by_what_is_clicked(report: Path, visit: Visiting) -> None:
    page = opened(visit, report).page
    systems = "() => [...document.querySelectorAll('.matrix tbody th')].map((each) => each.innerText)"
    assert page.evaluate(systems) == ["some", "men"]  # the best first
    heading = page.locator(".matrix thead th", has_text="German")
    assert heading.get_attribute("aria-sort") == "ascending"
    heading.locator("button").click()
    assert page.evaluate(systems) == ["men", "some"]
    assert heading.get_attribute("aria-sort") == "descending"
    page.locator(".matrix thead button").first.click()
    assert page.evaluate(systems) == ["men", "some"]
    page.locator(".matrix thead button").first.click()
    assert page.evaluate(systems) == ["some", "men"]


def test_the_rows_can_be_turned_by_keyboard(report: Path, visit: Visiting) -> None:
    seen = opened(visit, report)
    assert seen.page.locator("#before").is_disabled()
    first = seen.page.locator("#rows tr").first.inner_text()
    seen.page.locator("#after").focus()
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_function("() => document.getElementById('place').textContent === '26 to 50'")
    assert seen.page.locator("#rows tr").first.inner_text() != first
    seen.page.locator("#before").focus()
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_function("() => document.getElementById('place').textContent === '1 to 25'")
    assert seen.page.locator("#rows tr").first.inner_text() == first


@pytest.mark.parametrize("code", ["he", "ar", "de"])
def test_the_deciding_words_are_marked_and_run_the_right_way(
    code: str, report: Path, people: list[Result], visit: Visiting
) -> None:
    result = next(each for each in people if each.langs == f"en-{code}")
    seen = opened(visit, report)
    choose(seen, "set", result.set)
    choose(seen, "language", LANGUAGES[code])
    shown = {}
    for row in seen.page.locator("#rows tr").all():
        text = row.locator(".translation")
        assert (text.get_attribute("lang"), text.get_attribute("dir")) == (code, "ltr" if code == "de" else "rtl")
        shown[text.text_content()] = row.locator(".translation mark").all_text_contents()
    expected = {each.output.text: [words.text for words in each.evidence] for each in result.verdicts}
    assert shown == expected
    assert any(shown.values())
    # The first letter of a sentence that runs from right to left stands on the right.
    edges = seen.page.locator("#rows .translation").first.evaluate(
        """text => {
          const words = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), nodes = [];
          while (words.nextNode()) if (words.currentNode.length) nodes.push(words.currentNode);
          const at = (node, place) => {
            const range = document.createRange();
            range.setStart(node, place); range.setEnd(node, place + 1);
            return range.getBoundingClientRect().left;
          };
          const last = nodes.at(-1);
          return [at(nodes[0], 0), at(last, last.length - 1)];
        }"""
    )
    assert (edges[0] > edges[1]) == (code != "de")


def test_text_and_tables_need_no_script(report: Path, visit: Visiting, simplegen: list[Result]) -> None:
    page = visit(report, java_script_enabled=False).page
    assert page.locator("h1").inner_text().startswith("When the sentence")
    assert page.locator("#sample").is_visible()
    assert page.locator("#browse").is_hidden()
    assert page.locator("#sample tbody tr").count() == 8 * 2 + 5 * 3
    assert page.locator("#sample mark").first.is_visible()
    assert page.locator(".lines tbody tr").count() == 3
    assert page.locator(".matrix tbody tr").count() == 2
    assert page.locator(".paper").first.is_visible()
    assert page.locator("figure svg").first.is_visible()
    page.locator("figure summary").first.click()
    assert page.locator("figure .grid").first.is_visible()
    text = page.inner_text("body")
    for needed in (simplegen[0].signature, "epicene audit -t simplegen -l en-de", "@inproceedings{", "who are neither"):
        assert needed in text


def test_several_systems_stand_beside_each_other_with_paired_differences(
    tmp_path: Path, simplegen: list[Result], visit: Visiting
) -> None:
    page = visit(write_page(tmp_path / "page.html", simplegen)).page
    assert page.locator(".matrix tbody tr").count() == 2
    women = {result.system: 100 - result["correct", "FOFC"].value for result in simplegen}  # type: ignore[operator]
    assert women["men"] == 100
    assert page.locator(".matrix tbody tr").last.locator(".women").inner_text().endswith("100.0")
    (change,) = compare_entrants([make_entrant(result) for result in simplegen])
    rows = page.locator("#compared > details tbody tr")
    assert rows.count() == len(change.changes)
    for row, each in zip(rows.all(), change.changes, strict=True):
        cells = [row.locator("th").inner_text(), *row.locator("td").all_inner_texts()]
        assert cells[0] == page_words("simplegen").describe(each.group)
        assert cells[5].replace("\u2212", "-") == f"{each.difference:+.1f}"
        assert cells[2] == f"{each.n:,}"


def test_as_many_sentences_as_the_largest_set_has_open_and_filter(
    simplegen: list[Result], tmp_path: Path, visit: Visiting
) -> None:
    verdicts = tuple(
        verdict._replace(output=replace(verdict.output, item=replace(verdict.output.item, id=str(number))))
        for number, verdict in enumerate((simplegen[1].verdicts * 27)[:70_686])
    )
    path = write_page(tmp_path / "page.html", [replace(simplegen[1], verdicts=verdicts, n=len(verdicts))])
    assert path.stat().st_size < 70_686 * 100
    seen = opened(visit, path)
    right = sum(outcome(verdict) == "right" for verdict in verdicts)
    assert right
    choose(seen, "verdict", "right")
    assert seen.page.inner_text("#found") == f"{right:,} of 70,686 sentences"
    seen.went_well()
