"""Whatever a translation, a system or a label holds is text on the page, and nothing of it runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest

import epicene
from epicene.output.page.page import write_page
from epicene.result import Result
from epicene.types import Evidence, Item, Verdict
from tests.browser import Visit, Visiting

pytestmark = pytest.mark.browser

RUNS = "window.ran=1;alert(1)"
HARM = {
    "script": f"<script>{RUNS}</script>",
    "closing": f"</script></td></table></body><script>{RUNS}</script>",
    "image": f'<img src=x onerror="{RUNS}">',
    "attribute": f'" onmouseover="{RUNS}" x="',
    "single": f"' autofocus onfocus='{RUNS}",
    "link": f'<a href="javascript:{RUNS}">javascript:{RUNS}</a>',
    "drawing": f"<svg/onload={RUNS}><style>*{{display:none}}</style>",
    "unbalanced": "</div></td><table><tr><td><!-- <b><i>unbalanced",
    "entities": f"&lt;script&gt;{RUNS}&lt;/script&gt;&#x3c;b&#x3e;",
    "template": "{{ 7 * 7 }}{% raw %} ${7 * 7}",
    "comment": f"<!--><script>{RUNS}</script>-->",
    "emoji": "👩‍🔧 the 👨🏽‍⚕️ and 🏳️‍🌈",
    "turned": "abc \u202egnp.exe\u202c \u2066isolated\u2069 \u200f",
    "nought": "a\x00b\x1b[31mred\x7f",
    "lonely": "half \ud83d a pair",
}
LONG = "лон " * 2500
SEEN = {
    "\x00": "␀",
    "\x1b": "␛",
    "\x7f": "␡",
    "\u202e": "␦",
    "\u202c": "␦",
    "\u2066": "␦",
    "\u2069": "␦",
    "\ud83d": "\ufffd",
}


def as_seen(text: str) -> str:
    """What a reader should see: the same text, its invisible characters made visible."""
    return "".join(SEEN.get(letter, letter) for letter in text)


def harmful(result: Result, text: str) -> Result:
    """A result all of whose words from outside are the given text."""

    def spoilt(verdict: Verdict, number: int) -> Verdict:
        item: Item = verdict.output.item
        labels = {"group": f"{text} {number % 2}", "occupation": f"{text} {item.labels['occupation']}"}
        spoilt = replace(verdict.output, item=replace(item, labels=labels), text=f"א{text}", system=text)
        return verdict._replace(output=spoilt, evidence=(Evidence("א", 0, 1),))

    verdicts = tuple(spoilt(verdict, number) for number, verdict in enumerate(result.verdicts))
    return replace(result, system=text, verdicts=verdicts, notes=(text,))


def nothing_ran(seen: Visit) -> None:
    seen.went_well()
    assert seen.page.evaluate("() => window.ran === undefined")
    assert seen.page.locator("script").count() == 1  # the page's own; the sentences were data, and are gone
    assert seen.page.locator("img, iframe, object, embed, link, base, a[href^='javascript']").count() == 0
    assert seen.page.evaluate(
        "() => [...document.querySelectorAll('*')].every((each) => [...each.attributes].every((a) => !a.name.startsWith('on')))"
    )


def test_harm_is_text(people: list[Result], tmp_path: Path, visit: Visiting) -> None:
    results = [harmful(people[0], text) for text in HARM.values()]
    commands = [["epicene", "audit", "-s", text] for text in HARM.values()]
    seen = visit(write_page(tmp_path / "page.html", results, commands))
    dialogs: list[str] = []
    seen.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    seen.page.wait_for_selector("#rows[data-turn]")
    systems = seen.page.locator("select[data-facet='system'] option").all_text_contents()
    for number, (kind, text) in enumerate(HARM.items()):
        turn = seen.page.locator("#rows").get_attribute("data-turn")
        assert systems[number + 1] == f"{as_seen(text)} (5)", kind
        seen.page.select_option("select[data-facet='system']", index=number + 1)
        seen.page.wait_for_function("turn => document.getElementById('rows').dataset.turn !== turn", arg=turn)
        assert seen.page.locator("#rows .translation").all_text_contents() == [f"א{as_seen(text)}"] * 5, kind
        assert seen.page.locator("#rows .translation mark").all_text_contents() == ["א"] * 5, kind
        assert seen.page.locator("#rows bdi").all_text_contents() == [as_seen(text)] * 5, kind
        about = seen.page.locator("#rows td:first-child small").first.text_content() or ""
        assert f" · {as_seen(text)} 1 · " in about, kind
        assert about.endswith(f" · {as_seen(text)} doctor"), kind
        assert unquote(seen.page.evaluate("location.hash")) == f"#?system={as_seen(text)}", kind
    shown = seen.page.locator(".standing .matrix tbody th").all_text_contents()
    assert sorted(shown) == sorted(as_seen(text) for text in HARM.values())
    assert not set(seen.page.locator("html").text_content() or "") & set(SEEN)
    seen.page.locator(".matrix td").first.hover()
    nothing_ran(seen)
    assert dialogs == []


def test_the_first_screen_shows_harm_as_text(people: list[Result], tmp_path: Path, visit: Visiting) -> None:
    results = [harmful(people[0], text) for text in HARM.values()]
    seen = visit(write_page(tmp_path / "page.html", results, brief=True))
    shown = seen.page.locator(".first .grid tbody th").all_text_contents()
    assert {as_seen(text) for text in HARM.values()} <= set(shown)
    nothing_ran(seen)


def test_a_very_long_line_is_cut_and_keeps_to_the_page(people: list[Result], tmp_path: Path, visit: Visiting) -> None:
    assert len(LONG) == 10_000
    unbroken = "W" * 10_000
    for text in (LONG, unbroken):
        path = write_page(tmp_path / "page.html", [harmful(people[0], text), harmful(people[1], f"{text[:300]}2")])
        seen = visit(path, viewport={"width": 360, "height": 740})
        seen.page.wait_for_selector("#rows[data-turn]")
        first = seen.page.locator("#rows td").nth(1)
        assert first.locator(".translation").text_content() == f"א{text}"[:2000]
        assert "8,001 characters more" in first.inner_text()
        assert not seen.page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
        nothing_ran(seen)


def test_harm_from_a_file_takes_the_same_way(epicene_page: Path, visit: Visiting) -> None:
    seen = visit(epicene_page)
    seen.page.wait_for_selector("#rows[data-turn]")
    seen.page.select_option("select[data-facet='person']", index=1)
    nothing_ran(seen)


@pytest.fixture
def epicene_page(tmp_path: Path) -> Path:
    """A page of SimpleGEN whose translations are a file of harmful lines."""
    lines = [text for kind, text in HARM.items() if kind not in ("nought", "lonely")]  # not UTF-8 text, so refused
    hypotheses = tmp_path / "<b>hyp.txt"
    hypotheses.write_text("\n".join(lines[number % len(lines)] for number in range(2664)) + "\n", encoding="utf-8")
    run = epicene.audit(["simplegen"], ["en-de"], [f"file:{hypotheses}"], folder=tmp_path / "run", anyway=True)
    assert run.folder
    return run.folder / "report.html"
