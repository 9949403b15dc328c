"""Every sample page says what its results say: headline, tables, charts and captions, number by number.

``python -m benchmarks.page samples docs/samples`` writes each page, and beside it the results that it is made from.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from epicene.check.language import called
from epicene.output.table import format_number
from tests.output.tree import Element, parse

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
PAGES = sorted(path.stem for path in SAMPLES.glob("*.html"))
KINDS = {"women misgendered": "female", "men misgendered": "male", "masculine": "masculine", "feminine": "feminine"}
NUMBER = r"([\d,]+(?:\.\d+)?)"


@cache
def page(name: str) -> Element:
    return parse((SAMPLES / f"{name}.html").read_text(encoding="utf-8"))


@cache
def numbers(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(lzma.decompress((SAMPLES / f"{name}.json.xz").read_bytes()))
    return content


def results(name: str, system: str = "", language: str = "") -> list[dict[str, Any]]:
    """The results of a system into a language."""
    return [
        result
        for result in numbers(name)["results"]
        if system in ("", result["system"]) and language in ("", called(result["langs"].partition("-")[2]))
    ]


def cells(name: str, measure: str, language: str) -> dict[str, dict[str, Any]]:
    """The cells of a comparison into a language, or of its means, by system."""
    for column in numbers(name)["compared"]:
        into = column["langs"] if column["langs"] == "mean" else called(column["langs"].partition("-")[2])
        if (column["measure"], into) == (measure, language):
            return {cell["system"]: cell for cell in column["cells"]}
    raise KeyError(language)


def claim(result: dict[str, Any], group: str) -> dict[str, Any]:
    """The rate of the women or the men misgendered; where no gender is stated, of a gender."""
    wanted = ("misgendered", group) if group in ("female", "male") else ("share", group)
    (found,) = [each for each in result["measures"] if (each["name"], each["group"]) == wanted]
    assert isinstance(found, dict)
    return found


def texts(row: Element) -> list[str]:
    return [each.text for each in row.content if isinstance(each, Element) and each.tag in ("th", "td")]


def rows(table: Element) -> Iterator[list[str]]:
    for body in table.all("tbody"):
        for row in body.all("tr"):
            yield texts(row)


def triple(measure: dict[str, Any]) -> tuple[str, str, str]:
    """The rate and its interval as they are printed: one decimal of per cents and points, two of coefficients."""
    digits = 1 if measure.get("unit", "%") else 2
    value, low, high = (format_number(measure.get(name), digits) for name in ("value", "low", "high"))
    return value, low, high


def share(measure: dict[str, Any]) -> str:
    """A rate as a sentence has it: whole per cents where that hides nothing."""
    value = measure["value"]
    whole = 9.95 <= value < 90.05 or measure["count"] in (0, measure["n"])
    return f"{value:.{0 if whole else 1}f}"


@pytest.mark.parametrize("name", [name for name in PAGES if not list(page(name).all("table", "matrix"))])
def test_the_headline_of_one_system_gives_its_rates(name: str) -> None:
    headline, lead = (next(page(name).all(tag, kind)).text for tag, kind in (("h1", ""), ("p", "lead")))
    (result,) = results(name)
    assert result["system"] in headline and called(result["langs"].partition("-")[2]) in headline
    groups = ("female", "male") if "misgendered" in lead else ("masculine", "feminine")
    assert re.findall(r"in ([\d.]+) %", headline) == [share(claim(result, group)) for group in groups]
    stated = re.findall(rf"{NUMBER} % of {NUMBER} \(95 % CI {NUMBER}–{NUMBER} %\)", lead.replace("\u00a0", " "))
    known = [claim(result, group) for group in groups]
    assert stated == [(v, f"{each['n']:,}", low, high) for each in known for v, low, high in [triple(each)]]
    undetected = result["verdicts"]["unknown"]
    assert f"Gender not detected: {undetected:,} of {result['n']:,}" in lead


@pytest.mark.parametrize("name", [name for name in PAGES if list(page(name).all("table", "matrix"))])
def test_the_headline_of_many_systems_names_the_least_and_the_first(name: str) -> None:
    headline = page(name).first("h1").text
    languages = [
        head.text for head in page(name).first("table", "matrix").all("th") if head.text not in ("System", "Mean")
    ]
    languages = [language for language in languages if results(name, language=language)]
    sound = [
        cell
        for cell in cells(name, "women", "mean" if len(languages) > 1 else languages[0]).values()
        if not cell["doubtful"]
    ]
    sound.sort(key=lambda cell: float(cell["value"]))
    if len(sound) > 2:
        ends = re.search(
            rf"^(\d+) systems misgender {NUMBER} % \( ?(.+?) ?\) to {NUMBER} % \( ?(.+?) ?\) of the women", headline
        )
        assert ends and ends.groups() == (
            *(str(len(sound)), format_number(sound[0]["value"]), sound[0]["system"]),
            *(format_number(sound[-1]["value"]), sound[-1]["system"]),
        )
    named = 0
    for language in languages:
        known = {system: cell for system, cell in cells(name, "women", language).items() if not cell["doubtful"]}
        if len(known) > 1:
            first = min(known.values(), key=lambda cell: float(cell["value"]))
            said = re.search(rf"([\w.-]+) into {language} \( ?{NUMBER} % ?\)", headline)
            assert said and said.groups() == (first["system"], format_number(first["value"]))
            named += 1
    if not named:  # nobody can be first, so each result is named with its rate
        women, men = headline.split("; when ")
        for part, group in ((women, "female"), (men, "male")):
            said = re.findall(rf"{NUMBER} % \(([^()]+)\)", part)
            assert len(said) == len(numbers(name)["results"])
            for rate, what in said:
                system, _, language = what.partition(", ")
                assert bool(language) == (len(languages) > 1)
                assert rate == share(claim(results(name, system, language)[0], group))


@pytest.mark.parametrize("name", PAGES)
def test_the_first_chart_shows_the_rates_of_the_headline_at_their_places(name: str) -> None:
    figure = page(name).first("figure")
    means = "mean of" in figure.first("h2").text
    values = []
    for system, kind, value, low, high, n, undetected in rows(figure.first("table")):
        if means:
            known = cells(name, "women", "mean")[system.removesuffix(" ⚠")]
            assert system.endswith(" ⚠") == known["doubtful"]
        else:
            system = system.removesuffix(" ⚠")
            (result,) = results(name, system) if results(name, system) else results(name, language=system)
            known = claim(result, KINDS[kind])
        assert (value, low, high) == triple(known), system
        assert (n, undetected) == (f"{known['n']:,}", f"{known['undetected']:,}"), system
        values.append(float(known["value"]))
    ticks = {each.text: _x(each) for each in figure.all("text") if each.text in ("0", "100")}
    points = [
        _x(path)
        for path in figure.all("path")
        if re.search(r"[AHh]", path.attributes["d"])
        and "stroke-width" in path.attributes
        and path.attributes["stroke-width"] == "2"
    ]
    drawn = [100 * (x - ticks["0"]) / (ticks["100"] - ticks["0"]) for x in points]
    expected = values[: len(drawn)]
    assert drawn and sorted(drawn) == pytest.approx(sorted(expected), abs=0.3)


def _x(element: Element) -> float:
    place = re.match(r"translate\(([-\d.]+)", element.attributes["transform"])
    assert place
    return float(place[1])


@pytest.mark.parametrize("name", [name for name in PAGES if list(page(name).all("table", "matrix"))])
def test_the_table_of_systems_has_their_rates_intervals_and_ranks(name: str) -> None:
    for table in page(name).all("table", "matrix"):
        heads = [head.text for head in table.first("thead").all("th")][1:]
        for row in table.first("tbody").all("tr"):
            system = row.first("th").text
            for language, cell in zip(heads, row.all("td"), strict=True):
                if cell.text == "–":
                    continue
                known = cells(name, "women", "mean" if language == "Mean" else language)[system]
                value, low, high = triple(known)
                assert cell.text.startswith(f"women {value}") and f"{low}–{high}" in cell.text, (system, language)
                rank = next((each.text for each in cell.all("span", "place")), "")
                ranks = known["ranks"]
                assert rank == (f"rank {ranks[0]}{'=' if known['tied'] else ''}" if ranks else "")
                marked = next(
                    (each.text for each in cell.content if isinstance(each, Element) and "bad" in each.classes), ""
                )
                assert bool(marked) == known["doubtful"], (system, language)
                if language != "Mean":
                    men = cells(name, "men", language)[system]
                    assert f"men {format_number(men['value'])}" in cell.text


@pytest.mark.parametrize("name", PAGES)
def test_every_table_of_measures_is_the_results(name: str) -> None:
    checked = 0
    for panel in page(name).all("div", "panel"):
        language = panel.first("h3").text.removeprefix("Into ").partition(" ")[0]
        for details in panel.all("details", "measures"):
            for table in details.all("table"):
                summary = details.first("summary").text
                system = next((each.text for each in details.first("summary").all("bdi")), "")
                own = results(name, system) if system else results(name)
                if "of all systems" in summary:
                    continue
                found = list(rows(table))
                same = [
                    result
                    for result in own
                    if [each for each in result["measures"] if not each.get("detail")]
                    and _measured(result) == _shown(found)
                ]
                assert same, (name, system, language)
                checked += len(found)
    assert checked or name == "many"


def _shown(found: list[list[str]]) -> list[tuple[str, ...]]:
    return [(row[0], row[2].partition(" ")[0], row[3], *row[-2:]) for row in found]


def _measured(result: dict[str, Any]) -> list[tuple[str, ...]]:
    listed = []
    for each in result["measures"]:
        if not each.get("detail"):
            value, low, high = (text.replace("-", "\u2212") for text in triple(each))
            ends = "" if each.get("low") is None else f"{low} to {high}"
            listed.append((each["name"], value, ends, f"{each['n']:,}", str(each.get("undetected", ""))))
    return listed


@pytest.mark.parametrize("name", PAGES)
def test_every_row_under_a_chart_is_a_measure_of_its_system(name: str) -> None:
    """A rate with its interval and n, or a count among so many, of the system that the row names."""
    checked = 0
    for panel in page(name).all("div", "panel"):
        for figure in panel.all("figure"):
            table = figure.first("table")
            heads = [head.text for head in table.first("thead").all("th")]
            if "system" not in heads:
                continue
            for row in rows(table):
                own = results(name, row[heads.index("system")])
                known = [each for result in own for each in (*result["measures"], *result["details"])]
                if {"%", "low", "high"} <= set(heads):
                    shown = tuple(row[heads.index(head)] for head in ("%", "low", "high"))
                    n = row[heads.index("n" if "n" in heads else "of")]
                    assert (*shown, n) in {(*triple(each), f"{each['n']:,}") for each in known}, (name, row)
                    checked += 1
                elif "of" in heads and "share" in heads:
                    count, n = row[heads.index("of") - 1], row[heads.index("of")]
                    counted = {(f"{each.get('count') or 0:,}", f"{each['n']:,}") for each in known}
                    assert (count, n) in counted, (name, row)
                    checked += 1
    assert checked


@pytest.mark.parametrize("name", PAGES)
def test_differences_are_those_of_the_rates_beside_them(name: str) -> None:
    for section in page(name).all("section"):
        if section.attributes.get("id") != "compared":
            continue
        for table in section.all("table"):
            for _, verdict, _, before, after, difference, ends, gained, lost, p in rows(table):
                change = float(difference.replace("\u2212", "-"))
                assert change == pytest.approx(float(after) - float(before), abs=0.11)
                assert (change > 0) == (int(gained) > int(lost)) or gained == lost
                if ends != "–":
                    low, high = (float(end.replace("\u2212", "-")) for end in ends.split(" to "))
                    assert low <= change <= high
                is_clear = p != "–" and (p.startswith("<") or float(p) < 0.05)
                assert is_clear == ("worse" in verdict or "better" in verdict), (verdict, p)


@pytest.mark.parametrize("name", PAGES)
def test_every_result_is_there_with_its_signature_and_set(name: str) -> None:
    made = next(each for each in page(name).all("section") if each.attributes.get("id") == "source")
    assert {each.text for each in made.first("ul", "signatures").all("code")} == {
        result["signature"] for result in results(name)
    }
    assert "epicene" in made.text and "@" in made.text  # the command or the version, and what to cite


@pytest.mark.parametrize("name", PAGES)
def test_the_lines_in_short_have_the_rates_of_their_results(name: str) -> None:
    for table in page(name).all("table", "lines"):
        for row in table.first("tbody").all("tr"):
            into, system, *bars = texts(row)
            (result,) = results(
                name, system, next(lang for lang in (into.split()[0], "") if results(name, system, lang))
            )
            groups = ("female", "male") if "Women" in table.first("thead").text else ("masculine", "feminine")
            for text, group in zip(bars, groups, strict=False):
                known = claim(result, group)
                assert text.startswith(f"{share(known)} %") and " to ".join(triple(known)[1:]) in text
            assert bars[2].strip("⚠ ") == f"{result['n']:,}"
            assert bars[3].strip("⚠ ") == f"{result['verdicts']['unknown']:,}"
