"""Farkas & Németh 2022 and Prates et al. 2020: worked numbers, published counts, and links that people checked."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from epicene.files import checksum
from epicene.flow import plan
from epicene.labour import codes
from epicene.labour.read import open_reference
from epicene.labour.reference import Reference, Row, Share, weighed
from epicene.sets.occupations import occupations
from epicene.sets.occupations.against import against
from epicene.sets.occupations.jobs import Answer, error, optimal_error
from epicene.sets.occupations.lists import read_titles
from epicene.types import Gender, Pair
from epicene_lab.studies.occupations import bias, femininity, prates

LABELS = Path(__file__).parent / "labels"
CARPENTER = (170, 12, 7, 3, 4, 0)  # Table 1


def test_table_2_carpenter_is_98_per_cent_masculine() -> None:
    assert weighed(CARPENTER) == (425 + 18 + 3.5, 1.5 + 6 + 0)
    assert round(100 - (femininity(CARPENTER) or 0)) == 98
    assert round(femininity(CARPENTER) or 0) == 2


def test_the_example_of_60_per_cent_women() -> None:
    assert optimal_error(60) == 40
    assert error(60, Gender.FEMININE) == 40
    assert error(60, Gender.MASCULINE) == 60
    assert bias(60, Gender.FEMININE) == 0
    assert bias(60, Gender.MASCULINE) == 0.5


def test_table_3_statistician_dancer_choreographer_and_their_category() -> None:
    assert round(bias(73, Gender.MASCULINE) or 0, 1) == 1.7
    rows = (Row("Dancers and Choreographers", ("2727",), 42, 58),)
    census = Reference("census", "census@0", "feor08", rows, sized=True)
    labels = {"english": "", "sector": "Culture", "feor08": "2727", "isco08": "", "soc": ""}
    answers = [
        Answer({**labels, "occupation": "dancer"}, Gender.FEMININE),
        Answer({**labels, "occupation": "choreographer"}, Gender.MASCULINE),
    ]
    found = {each.group: each.value for each in against(census, answers) if each.name == "bias"}
    assert found["census occupation dancer"] == 0
    assert round(found["census occupation choreographer"] or 0, 1) == 0.4
    assert round(found["census category Dancers and Choreographers"] or 0, 1) == 0.2


@pytest.mark.usefixtures("titles")
def test_prates_hungarian_answers_are_594_he_350_she_75_unread() -> None:
    said = Counter(answer.said for answer in prates.answers()["Hungarian"])
    assert said == {Gender.MASCULINE: 594, Gender.FEMININE: 350, Gender.UNKNOWN: 75}


@pytest.mark.usefixtures("titles")
@pytest.mark.parametrize(
    ("language", "number", "digits"),
    [
        ("eu", 3300, "74842ac4"),
        ("sw", 2538, "5042dc8a"),
        ("ms", 4354, "c737761a"),
        ("hy", 3570, "ba703424"),
        ("bn", 3936, "2b15a6e6"),
        ("ne", 3888, "4d36963d"),
        ("yo", 3456, "addd215d"),
    ],
)
def test_weak_lists_have_the_sentences_that_version_0_2_had(language: str, number: int, digits: str) -> None:
    sources = [item.source for item in plan.open_set("occupations:all").items(Pair(language, "en"))]
    assert (len(sources), checksum("\n".join(sources))) == (number, digits)


def test_shipped_statistics_are_the_published_ones(published: Path) -> None:
    for name, file in (
        ("us-acs-2011", "acs1_2011_fulltime_yearround_occupation_by_sex.csv"),
        ("us-acs-2018", "acs1_2018_all_employed_occupation_by_sex.csv"),
    ):
        with (published / "occupations" / file).open(encoding="utf-8", newline="") as stream:
            wanted = {(row["men"], row["women"]) for row in csv.DictReader(stream) if row["occupation"] != "Total"}
        assert {(row["men"], row["women"]) for row in codes.us_rows(name)} == wanted


@pytest.mark.usefixtures("titles")
def test_all_1019_occupations_are_linked_by_documented_rules_most_without_a_hand() -> None:
    answers = prates.answers()["Hungarian"]
    us = open_reference("us-acs-2018")
    linked = [answer for answer in answers if isinstance(us.share(answer.labels), Share)]
    assert len(answers) == 1019
    assert len(linked) >= 700
    rules = Counter(answer.labels["link"] for answer in linked)
    assert rules["hand"] <= 50
    assert set(rules) == {"title", "part", "words", "hand"}


@pytest.mark.usefixtures("titles")
@pytest.mark.parametrize("name", ["prates", "hungarian", "finnish", "turkish"])
def test_of_100_links_read_by_hand_95_and_more_are_right_and_still_stand(name: str) -> None:
    us = open_reference("us-acs-2018")
    if name == "prates":
        linked = {
            str(row): codes.of_title(title.english, title.soc_major).codes for row, title in enumerate(read_titles(), 1)
        }
    else:
        language = {"hungarian": "hu", "finnish": "fi", "turkish": "tr"}[name]
        linked = {each.word: each.soc for each in occupations(language)}
    with (LABELS / f"occupations.{name}-links.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    assert len(rows) == 100
    right = [row for row in rows if row["label"] == "right"]
    assert len(right) >= 95
    for row in right:
        share = us.share({"soc": " ".join(linked[row["row" if name == "prates" else "occupation"]])})
        assert isinstance(share, Share)
        assert share.unit == row["us_title"]
