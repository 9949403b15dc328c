"""The page holds what readers need, and what comes from outside is text on it."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import epicene as package
from epicene.measures.claims import Claim
from epicene.measures.outcomes import Outcomes
from epicene.output.page import sentences
from epicene.output.page.page import write_page
from epicene.output.page.sentences import squeeze
from epicene.output.page.templating import open_templates
from epicene.result import Result
from epicene.sets.wibemt import measures as wibemt
from epicene.types import Gender, Item, Measure, Output, Person, Verdict
from tests.conftest import Command
from tests.output.conftest import SENTENCES, table

OUTSIDE = "<script>alert(1)</script><img src=x onerror=alert(2)>"


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parsed(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    return tags


def written(path: Path, results: list[Result], **options: object) -> str:
    return write_page(path, results, **options).read_text(encoding="utf-8")  # type: ignore[arg-type]


def unsqueeze(text: str) -> bytes:
    """Bytes as the page's script unpacks them."""
    packed = base64.b85decode(text[1:].translate(str.maketrans("[]:", "&<>")))
    return zlib.decompress(packed[: len(packed) - int(text[0])])


def test_markup_from_outside_stays_text(tmp_path: Path) -> None:
    result = replace(package.score("simplegen", "en-de", [f"{OUTSIDE} Die Ärztin"] * 2664, anyway=True), system=OUTSIDE)
    page = written(tmp_path / "page.html", [result], commands=[["epicene", "audit", "-s", OUTSIDE]])
    tags = parsed(page)
    assert tags.seen.count("script") == 2  # the sentences, as data, and the page's own
    assert "img" not in tags.seen
    assert OUTSIDE in "".join(tags.text)


def test_the_page_runs_its_own_script_and_nothing_else(simplegen: list[Result], tmp_path: Path) -> None:
    page = written(tmp_path / "page.html", simplegen)
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert len(script) == 1
    assert policy
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy[1].replace("&#39;", "'")
    assert "default-src 'none'" in policy[1].replace("&#39;", "'")
    assert not re.findall(r'(?:src|href)="(?!#)', page)


def test_what_a_reader_needs_is_on_the_page(simplegen: list[Result], tmp_path: Path) -> None:
    text = "".join(
        parsed(written(tmp_path / "page.html", simplegen, commands=[["/x/epicene", "audit", "-l", "en-de"]])).text
    )
    for needed in (
        "When the sentence says she, 2 systems use the masculine word for her job in",
        "Table 4 of Renduchintala et al. (2021)",
        "women in men’s occupations",
        "@inproceedings{renduchintala-etal-2021-gender",
        simplegen[0].signature,
        "epicene audit -l en-de",
        "B some against A men",
        "What this does not see",
        "How this was made",
        "people who are neither",
    ):
        assert needed in text, needed


def test_the_page_says_what_the_translator_that_ships_is_worth(simplegen: list[Result], tmp_path: Path) -> None:
    for system, told in (("bundled@0a", True), ("cascade:x@1:en+bundled@0a?beam=5", True), ("my-bundled@0a", False)):
        page = written(tmp_path / "page.html", [replace(simplegen[0], system=system)])
        assert ("no finding about other translators" in page) is told, system


@pytest.mark.parametrize(
    ("count", "share"), [(0, "0"), (1, "0.2"), (49, "9.8"), (50, "10"), (471, "96.1"), (489, "99.8"), (490, "100")]
)
def test_nobody_and_everybody_are_none_and_all(count: int, share: str) -> None:
    bar: Any = open_templates("epicene.output.page").get_template("parts.html").module
    n = 490 if count > 400 else 500
    rate = Claim(Measure("misgendered", "female", 100 * count / n, "%", n, count), "s", "winomt", "en-de")
    shown = str(bar.bar(rate, "women", None))
    assert f"<b>{share} %</b>" in shown


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])  # type: ignore[no-any-return]


def unpacked(text: str) -> Any:
    return json.loads(unsqueeze(text))


def test_many_systems_are_headed_by_who_is_best_and_where(simplegen: list[Result], tmp_path: Path) -> None:
    sound = [replace(each, warnings=()) for each in simplegen]
    tags = parsed(written(tmp_path / "page.html", sound))
    assert "some misgenders 66.7 % of the women in SimpleGEN (into German), men 100.0 %." in "".join(tags.text)
    twins = [sound[1], replace(sound[1], system="twin")]
    text = "".join(parsed(written(tmp_path / "page.html", twins)).text)
    assert "the difference is not significant. Fewest: some, tied with twin." in text
    assert text.count("rank 1=") == 2


def test_no_more_systems_are_drawn_than_colours_can_tell_apart(simplegen: list[Result], tmp_path: Path) -> None:
    systems = [replace(simplegen[1], system=f"system {number}", warnings=()) for number in range(8)]
    text = "".join(parsed(written(tmp_path / "page.html", systems)).text)
    assert "The figures show the 6 of 8 systems that misgender the fewest women." in text
    assert "All measures of all systems" in text


def custom_results(folder: Path, translations: list[list[str]], stated: bool) -> list[Result]:
    """Systems called s0, s1 … on the same five sentences, whose source states gender or not."""
    rows = [
        (str(number), source, focus, expected if stated else "", "", focus)
        for number, (source, focus, expected, *_) in enumerate(SENTENCES)
    ]
    own = f"custom:{table(folder / 'set.tsv', rows)}"
    return [
        replace(package.score(own, "en-de", lines, anyway=True), system=f"s{number}", warnings=())
        for number, lines in enumerate(translations)
    ]


GOOD = [sentence[5].replace("Der Arzt", "Die Ärztin") for sentence in SENTENCES]
MASCULINE = ["Der Pfleger kam.", "Der Arzt kam.", "Der Lehrer kam.", "Der Ingenieur kam.", "Der Sekretär kam."]
UNDETECTED = ["Blau."] * 5


def drawn_systems(page: str) -> set[str]:
    numbers = page[page.index('<div class="figures">') : page.index('<details class="measures">')]
    return set(re.findall(r"<bdi>(s\d)</bdi>", numbers))


@pytest.mark.parametrize("stated", [True, False])
def test_the_note_says_how_the_drawn_systems_were_chosen(tmp_path: Path, stated: bool) -> None:
    results = custom_results(tmp_path, [UNDETECTED, MASCULINE, *[GOOD] * 6, MASCULINE], stated)
    page = written(tmp_path / "page.html", results)
    if stated:
        assert "The figures show the 6 of 9 systems that misgender the fewest women." in page
        assert drawn_systems(page) == {"s2", "s3", "s4", "s5", "s6", "s7"}
    else:
        assert "The figures show the first 6 of 9 systems: the source does not state gender" in page
        assert drawn_systems(page) == {"s1", "s2", "s3", "s4", "s5", "s6"}
    assert "Systems with doubtful results come last." in page
    assert "results come last" not in written(tmp_path / "page.html", results[1:])


@pytest.mark.parametrize("size", range(9))
def test_bytes_come_back_as_they_were(size: int) -> None:
    raw = bytes(range(251, 251 - size, -1))
    assert unsqueeze(squeeze(raw)) == raw
    assert not set(squeeze(raw * 99)) & set("<>&\"\\'")


def test_the_sentences_come_back_from_their_blocks(simplegen: list[Result], tmp_path: Path) -> None:
    data = data_of(written(tmp_path / "page.html", simplegen))
    sources = [row for block in data["items"]["blocks"] for row in unpacked(block)]
    items = [verdict.output.item for verdict in simplegen[0].verdicts]
    assert [row[1] for row in sources] == [item.source for item in items]  # once, for both systems
    (task,) = data["tasks"]
    rows = [row for block in task["blocks"] for row in unpacked(block)]
    assert data["count"] == 2 * len(rows) == 2 * 2664
    for place, result in enumerate(simplegen):
        texts = [row[0][row[1][place] if len(row) > 1 else place][0] for row in rows]
        assert texts == [verdict.output.text for verdict in result.verdicts]
    by_name = {facet["name"]: facet for facet in data["facets"]}
    assert by_name["system"]["values"] == ["men", "some"]
    assert "women in women’s occupations" in by_name["group"]["words"]
    read = unsqueeze(by_name["read"]["codes"])
    said = [by_name["read"]["values"][code] for code in read]
    assert said == [verdict.gender for result in simplegen for verdict in result.verdicts]


def test_translations_take_a_bounded_room_and_every_sentence_is_counted(
    simplegen: list[Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = data_of(written(tmp_path / "page.html", simplegen))
    room = sum(len(block) for block in whole["tasks"][0]["blocks"]) // 3
    monkeypatch.setattr(sentences, "ROOM", room)
    page = written(tmp_path / "page.html", simplegen)
    data = data_of(page)
    kept = [block for block in data["tasks"][0]["blocks"] if block]
    assert sum(map(len, kept)) <= 1.1 * room
    assert data["count"] == 5328
    assert data["texts"] == 2 * sum(len(unpacked(block)) for block in kept)
    assert f"The translations of {data['texts']:,} of 5,328 sentences, spread evenly, are in this page" in page


def test_a_result_over_other_sentences_keeps_its_own(people: list[Result], tmp_path: Path) -> None:
    short = replace(people[0], verdicts=people[0].verdicts[1:4:2], n=2, system="short")
    data = data_of(written(tmp_path / "page.html", [people[0], short]))
    first, second = data["tasks"]
    assert first["places"] == 0
    places = unsqueeze(second["places"])
    assert list(memoryview(places).cast("I")) == [1, 3]
    assert data["items"]["count"] == 5


def test_without_the_extra_the_numbers_are_there_and_the_page_says_what_is_missing(
    simplegen: list[Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "vl_convert" else found(name))
    page = written(tmp_path / "page.html", simplegen)
    assert "<svg" not in page
    assert "pip install &#39;epicene[report]&#39;" in page or "pip install 'epicene[report]'" in page
    assert "against the stereotype" in page


def test_the_first_screen_alone_has_a_sentence_three_examples_a_chart_and_two_limits(
    simplegen: list[Result], tmp_path: Path
) -> None:
    page = written(tmp_path / "page.html", simplegen[1:], brief=True)
    assert page.count("<h1>") == 1 and page.count('class="translation"') == 3 and page.count("<svg") == 1
    assert re.search(r"Two limits.*?<ul>(.*?)</ul>", page, re.DOTALL)[1].count("<li>") == 2  # type: ignore[index]
    assert 'id="data"' not in page
    assert 'href="#?' not in page  # there are no sentences to lead to
    assert "By group" not in page


def test_report_joins_runs_and_tells_systems_of_one_name_apart(epicene: Command, tmp_path: Path) -> None:
    rows = [(str(n), source, focus, expected, "", focus) for n, (source, focus, expected, *_) in enumerate(SENTENCES)]
    own = f"custom:{table(tmp_path / 'set.tsv', rows)}"
    for name, lines in (("a", [sentence[-1] for sentence in SENTENCES]), ("b", ["Die Ärztin."] * len(SENTENCES))):
        (tmp_path / name).mkdir()
        hypotheses = tmp_path / name / "hyp.de"
        hypotheses.write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = epicene("audit", "-t", own, "-l", "en-de", "-s", f"file:{hypotheses}", "-o", tmp_path / f"run-{name}")
        assert done.returncode == 0, done.stderr
    page = tmp_path / "page.html"
    done = epicene("report", tmp_path / "run-a", tmp_path / "run-b", "-o", page)
    assert done.returncode == 0, done.stderr
    assert "run-b: hyp" in page.read_text(encoding="utf-8")
    assert epicene("report", tmp_path, "-o", page).returncode == 2


def test_sentences_that_leave_the_gender_open_have_words_of_their_own(tmp_path: Path) -> None:
    hungarian = ["She is a worker.", *["He is a worker."] * 1236]
    turkish = ["He is a worker."] * 870
    results = [
        package.score("occupations", "hu-en", hungarian, anyway=True),
        package.score("occupations:wording", "tr-en", turkish, anyway=True),
    ]
    text = "".join(parsed(written(tmp_path / "page.html", results)).text)
    for needed in (
        "When the source states no gender,",
        "Hungarian to English",
        "Turkish to English",
        "Occupations in languages without gendered pronouns (wording)",
        "Table 7 of Farkas and Németh (2022)",
        "@article{",
    ):
        assert needed in text, needed
    assert "Your own sentences" not in text
    assert "Systems compared" not in text
    assert '<div lang="hu" dir="ltr">' in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_one_result_says_its_intervals_and_warns_where_much_is_undetected(
    simplegen: list[Result], tmp_path: Path
) -> None:
    text = "".join(parsed(written(tmp_path / "page.html", simplegen[1:])).text).replace("\u00a0", " ")
    assert "Women misgendered: 66.7 % of 1,332 (95 % CI " in text
    assert "more than 5 %" not in text
    garbled = package.score(
        "simplegen", "en-de", ["Das Haus steht da."] * 1000 + ["Der Arzt ist da."] * 1664, anyway=True
    )
    text = "".join(parsed(written(tmp_path / "page.html", [garbled])).text)
    assert "gender was not detected for more than 5 % of the women or of the men" in text
    assert "% with those undetected" in text
    both = "".join(parsed(written(tmp_path / "page.html", [simplegen[0], garbled])).text)
    assert "In 1 of 2 results, marked below, gender was not detected" in both
    assert "men uses the masculine word for her job in 100 % of sentences" in both  # the other result is left out


def test_a_page_of_which_nothing_could_be_read_claims_nothing(tmp_path: Path) -> None:
    garbled = package.score("simplegen", "en-de", ["Das Haus steht da."] * 2664, anyway=True)
    text = "".join(parsed(written(tmp_path / "page.html", [garbled])).text)
    assert "No gender was detected in any of 2,664 translations" in text
    assert "the most of 1" not in text
    assert "none of 1,332" not in text
    assert "misgendered most" not in text  # a ranking of noughts says nothing


def test_the_papers_table_has_no_column_without_a_number(tmp_path: Path) -> None:
    tally, verdicts = Outcomes(wibemt.MEASURES), []
    for number in range(400):
        labels = {"part": "verbs", "class": ("feminine", "masculine")[number % 2], "pronoun": "", "group": ""}
        item = Item(str(number), "A cook.", Person("cook", 2, "cook"), None, {**labels, "occupation": f"{number % 5}"})
        gender = Gender.FEMININE if number % 3 else Gender.MASCULINE
        verdicts.append(Verdict(Output(item, "s", "de", "text"), gender, "lexicon"))
        tally.add(verdicts[-1])
    measures, genders = tuple(wibemt.MEASURES.compute(tally)), tally.genders()
    result = Result("wibemt-verbs", "en-de", "s", "epicene", "s", 400, genders, 0, measures, verdicts=tuple(verdicts))
    text = "".join(parsed(written(tmp_path / "page.html", [result])).text)
    assert "F verbs" in text
    assert "no adjective" not in text
    assert "%TCG" not in text.partition("Below each value")[2].partition("English to German")[0]


@pytest.mark.parametrize(
    ("argv", "shown"),
    [
        (["/usr/bin/epicene", "audit", "-s", "file:a b"], "epicene audit -s 'file:a b'"),
        (["/x/epicene/__main__.py", "audit"], "epicene audit"),
        (["/home/me/study.py", "--fast"], "python study.py --fast"),
        (
            ["epicene", "audit", "-s", "file:/home/me/hyp.de", "-o", "/home/me/runs/a"],
            "epicene audit -s file:hyp.de -o a",
        ),
    ],
)
def test_the_command_on_the_page_is_the_one_that_was_typed(
    argv: list[str], shown: str, people: list[Result], tmp_path: Path
) -> None:
    text = "".join(parsed(written(tmp_path / "page.html", people[:1], commands=[argv])).text)
    assert f"Command\n{shown}" in text
