"""What a page shows of the study of occupations."""

from __future__ import annotations

from pathlib import Path

import pytest

import epicene
from epicene.flow import plan
from epicene.output.page.figures import Figure
from epicene.output.page.series import Series
from epicene.output.table import Link
from epicene.result import Result
from epicene.sets.occupations.page import labour_figures
from epicene.types import Measure
from tests.output.conftest import valid_charts  # noqa: F401 - checks what is drawn here


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """A translator that says she of a bricklayer, he of a teacher and of a doctor, against two references."""
    reference = tmp_path_factory.mktemp("reference") / "office.csv"
    rows = "kőműves,0,1\norvos,51,2\ntanító,90,2\nács,1,0.2\nápoló,95,1\n"
    reference.write_text(f"occupation,women_pct,women_se\n{rows}", encoding="utf-8")
    challenge = plan.open_set("occupations:adjectives")
    lines = []
    for item in challenge.items(plan.open_pair("hu-en", challenge)):
        variant = item.labels["variant"]
        she = item.labels["occupation"] in ("kőműves", "ápoló") and variant != "bad"
        kind = "" if variant == "plain" else f"{variant} "
        lines.append(f"{'She' if she else 'He'} is a {kind}{item.labels['english']}.")
    return epicene.score("occupations:adjectives", "hu-en", lines, references=["us-acs-2011", str(reference)])


def figure(result: Result, title: str) -> Figure:
    shown = labour_figures("x", [Series("made-up", result, "English")])
    return next(each for each in shown if each.title == title)


def texts(found: Figure) -> list[list[str]]:
    return [[cell.text if isinstance(cell, Link) else cell for cell in row] for row in found.numbers.rows]


def test_jobs_without_a_bound_come_first_and_near_even_ones_last(result: Result) -> None:
    rows = texts(figure(result, "Occupations given the minority’s pronoun, office"))
    assert rows == [
        ["kőműves (bricklayer)", "she", "0.0", "∞"],
        ["tanító (primary school teacher)", "he", "90.0", "8.00"],
        ["orvos (doctor)", "he", "≈ 51.0", "0.04"],
    ]


def test_the_statistics_that_the_run_used_are_cited_and_no_others(result: Result) -> None:
    captions = {each.title: each.caption for each in labour_figures("x", [Series("made-up", result, "English")])}
    assert "American Community Survey 1-year 2011" in captions["Occupations given the minority’s pronoun, us-acs-2011"]
    assert not [caption for caption in captions.values() if "Current Population Survey" in caption]
    assert "American Community Survey" not in captions["Occupations given the minority’s pronoun, office"]


def test_adjectives_have_the_papers_table(result: Result) -> None:
    rows = {row[0]: row[1:] for row in texts(figure(result, "Adjectives and wording"))}
    assert set(rows) == {"a good …", "a very good …", "a bad …", "a very bad …", "always he"}
    jobs, she_she, he_he, she_he, he_she, changed, _ = rows["a bad …"]
    assert (changed.split()[0], he_she, she_he, he_he, she_she, jobs) == ("0.2", "0.0", "0.2", "99.8", "0.0", "1,237")


def test_a_small_correlation_is_not_rounded_to_nought() -> None:
    from epicene.output.page.templating import open_templates

    cell = open_templates("epicene.output.page").get_template("parts.html").module.cell  # type: ignore[attr-defined]
    assert "0.03" in cell(Measure("correlation", "office", 0.03, "", 100), "")
    assert "24.9" in cell(Measure("wrong", "office", 24.94, "%", 100), "")


def test_the_papers_conclusions_stand_on_the_page_with_a_test_each(result: Result) -> None:
    rows = {row[0]: row[1:] for row in texts(figure(result, "Conclusions of Farkas and Németh (2022)"))}
    assert set(rows) == {
        "more against women (us-acs-2011)",
        "more against women (office)",
        "occupations over adjectives",
    }
    holds, estimate, interval, n, p = rows["more against women (us-acs-2011)"]
    assert (holds, p) == ("yes", "<.0001")
    low, high = interval.strip("[]").split(", ")
    assert 50 < float(low) < float(estimate) <= float(high)
    assert int(n.replace(",", "")) > 100


def test_the_page_shows_the_people_of_a_survey_and_the_constant() -> None:
    survey = Path(__file__).parents[2] / "docs" / "examples" / "survey-people-made-up.csv"
    lines = [
        "He is at work."
        for _ in plan.open_set("occupations").items(plan.open_pair("hu-en", plan.open_set("occupations")))
    ]
    asked = epicene.score("occupations", "hu-en", lines, references=[str(survey)], anyway=True)
    rows = {row[0]: row[1:] for row in texts(figure(asked, "The people of the survey, survey-people-made-up"))}
    assert rows["mean femininity of the jobs"][0] == "12"
    assert {"decided by: physical ability", "decided by: personality"} <= set(rows)
    sectors = texts(figure(asked, "Sectors, survey-people-made-up"))
    assert sectors[-1][0] == "all, if always he"
