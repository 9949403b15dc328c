"""The paper's conclusions of any result: an estimate, an interval and a test each, and the constant beside them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from epicene.labour.reference import People, Reference, Row
from epicene.sets.occupations.against import against
from epicene.sets.occupations.conclusions import compare_adjectives, compare_opinions, conclude
from epicene.sets.occupations.jobs import Answer
from epicene.types import Gender, Measure
from tests.conftest import Command

SHE, HE = Gender.FEMININE, Gender.MASCULINE


def answer(job: int | str, said: Gender, sector: str = "Arts") -> Answer:
    labels = {"occupation": str(job), "english": "", "sector": sector, "feor08": "", "isco08": "", "soc": ""}
    return Answer(labels, said)


def reference(name: str, women: dict[int, float], error: float = 0.0, opinion: bool = False) -> Reference:
    rows = tuple(Row(str(job), (str(job),), 100 - share, share, error) for job, share in women.items())
    return Reference(name, f"{name}@0", "occupation", rows, False, opinion=opinion)


def named(measures: list[Measure], name: str, group: str) -> Measure:
    return next(each for each in measures if (each.name, each.group) == (name, group))


def test_bias_against_women_is_tested_against_one_half() -> None:
    answers = [answer(job, HE if job < 40 else SHE) for job in range(50)]
    women = {job: 70.0 if job < 40 else 30.0 for job in range(50)}  # 40 women's jobs called he, 10 men's called she
    found = named(against(reference("ref", women), answers), "wrong_to_women", "ref")
    assert found.value == 80
    assert found.p is not None and found.p < 0.001
    even = {job: 70.0 if job < 25 else 30.0 for job in range(50)}
    halves = [answer(job, HE if job < 25 else SHE) for job in range(50)]
    found = named(against(reference("ref", even), halves), "wrong_to_women", "ref")
    assert (found.value, found.p) == (50, 1)


def test_answers_that_follow_opinion_are_closer_to_it_and_those_that_follow_statistics_are_not() -> None:
    chance = random.Random(1)
    opinion = {job: chance.uniform(0, 100) for job in range(80)}
    statistics = {job: chance.uniform(0, 100) for job in range(80)}
    pair = [reference("survey", opinion, opinion=True), reference("census", statistics)]
    for followed, sign in ((opinion, 1), (statistics, -1)):
        answers = [answer(job, SHE if share > 50 else HE) for job, share in followed.items()]
        found = compare_opinions(pair, answers)
        closer = named(found, "closer_to_opinion", "census and survey")
        assert closer.p is not None and closer.p < 0.001
        assert closer.value is not None and sign * closer.value > 20
        assert named(found, "wrong_of_shared", "survey and census").n == closer.n == 80
        assert [line.holds for line in conclude(found)] == ["yes" if sign > 0 else "no"]


def test_the_error_of_a_survey_widens_how_much_closer_opinion_is() -> None:
    chance = random.Random(2)
    opinion = {job: chance.uniform(40, 60) for job in range(60)}
    statistics = {job: chance.uniform(0, 100) for job in range(60)}
    answers = [answer(job, SHE if share > 50 else HE) for job, share in opinion.items()]
    sure, unsure = (
        named(
            compare_opinions([reference("s", opinion, error, True), reference("c", statistics)], answers),
            "closer_to_opinion",
            "c and s",
        )
        for error in (0.0, 10.0)
    )
    assert sure.value == unsure.value
    assert sure.low is not None and unsure.low is not None and unsure.low < sure.low
    assert sure.p is not None and unsure.p is not None and unsure.p > sure.p


def test_people_who_err_together_widen_it_more_than_people_who_err_apart() -> None:
    chance = random.Random(3)
    opinion = {job: chance.uniform(45, 55) for job in range(40)}
    statistics = {job: chance.uniform(0, 100) for job in range(40)}
    answers = [answer(job, HE) for job in range(40)]
    widths = []
    for together in (0.0, 0.9):
        rows = reference("s", opinion, 5.0, opinion=True)
        alike = np.full((40, 40), together) + (1 - together) * np.eye(40)
        people = People(200, (200,) * 40, 0, alike, (50.0, 1.0), {})
        survey = Reference("s", "s@0", "occupation", rows.rows, False, opinion=True, people=people)
        found = named(compare_opinions([survey, reference("c", statistics)], answers), "closer_to_opinion", "c and s")
        assert found.interval is not None
        widths.append(found.interval[1] - found.interval[0])
    assert widths[1] > 1.2 * widths[0]


def test_occupations_matter_more_where_adjectives_never_change_the_pronoun() -> None:
    plain = [answer(job, SHE if job % 2 else HE) for job in range(40)]
    same = {"plain": plain, "good": plain, "bad": plain}
    found = compare_adjectives(same, "feor08")
    assert named(found, "changed_by_occupation", "adjectives").value == pytest.approx(100 * 0.5 * 40 / 39)
    assert named(found, "changed_by_adjective", "adjectives").value == 0
    other = {
        "plain": [answer(job, HE if job else SHE) for job in range(40)],
        "good": [answer(j, SHE) for j in range(40)],
    }
    found = compare_adjectives(other, "feor08")
    less = named(found, "occupation_less_adjective", "adjectives")
    assert less.value == pytest.approx(100 * (2 * 1 / 40 * 39 / 40 * 40 / 39 - 39 / 40))
    assert [line.holds for line in conclude(found)] == ["no"]


def test_a_constant_leaves_nothing_to_conclude_about_adjectives() -> None:
    constant = [answer(job, HE) for job in range(40)]
    found = compare_adjectives({"plain": constant, "bad": constant}, "feor08")
    assert [line.holds for line in conclude(found)] == ["–"]
    assert named(found, "occupation_less_adjective", "adjectives").interval is None


def test_the_baseline_says_he_of_everybody() -> None:
    women = {job: 70.0 if job < 30 else 20.0 for job in range(50)}
    found = against(reference("ref", women), [answer(job, SHE) for job in range(50)])
    assert named(found, "wrong", "ref always he").value == 60
    assert named(found, "wrong", "ref always he female-dominated").value == 100
    assert named(found, "wrong_to_women", "ref always he").value == 100
    assert named(found, "error", "ref always he").value == pytest.approx(0.6 * 70 + 0.4 * 20)


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_a_raw_survey_is_scored_with_its_people_and_every_spelling_names_both_references(
    epicene: Command, tmp_path: Path
) -> None:
    from epicene.sets.occupations import occupations

    hypotheses = tmp_path / "hyp.en"
    chance = random.Random(5)
    said = (f"{chance.choice(('He', 'He', 'She'))} is a {each.english or each.word}.\n" for each in occupations("hu"))
    hypotheses.write_text("".join(said), encoding="utf-8")
    survey, census = EXAMPLES / "survey-people-made-up.csv", EXAMPLES / "census-made-up.csv"
    common = ("-l", "hu-en", "-i", hypotheses)
    done = epicene("score", "-t", "occupations", *common, "--reference", survey, "--reference", census)
    assert done.returncode == 0, done.stderr
    assert "60 people gave 350 answers" in " ".join(done.stdout.split())
    assert "closer to survey-people-made-up than census-made-up" in done.stdout
    assert "decided by: physical ability" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines() if "|set:" not in line) <= 80
    for spelling in (f"reference={survey},{census}", f"reference={survey}&reference={census}"):
        other = epicene("score", "-t", f"occupations?{spelling}", *common)
        assert other.stdout == done.stdout
    files = (hypotheses, hypotheses)
    given = ("--reference", survey, "--reference", census)
    compared = epicene("compare", "-t", "occupations", "-l", "hu-en", *given, *files)
    assert compared.returncode == 0, compared.stderr
    assert "survey-people-made-up" in compared.stdout and "census-made-up female-dominated" in compared.stdout
    refused = epicene("compare", "-l", "hu-en", *given, *files)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--reference needs the test set" in refused.stderr
