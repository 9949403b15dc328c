"""Links from occupations to US titles follow the rules that the crosswalk states."""

from __future__ import annotations

import pytest

from epicene.labour import codes
from epicene.labour.codes import Link, isco_of_feor, of_isco, of_title
from epicene.sets.occupations.lists import read_titles
from epicene.tables import table

US_TABLES = ("us-acs-2011", "us-acs-2018", "us-bls-2020")


@pytest.mark.parametrize(
    ("english", "major", "codes", "rule"),
    [
        ("Dental assistant", "31", "31-9091", "title"),
        ("Surgeon", "29", "29-1067", "title"),
        ("Designer", "27", "27-1021 27-1022 27-1023 27-1024 27-1025 27-1026 27-1027 27-1029", "title"),
        ("Account collector", "43", "43-3011", "part"),
        ("Barber", "39", "39-5011", "title"),
        ("Textile twisting machine tender", "51", "51-6064", "words"),
        ("Welder", "51", "51-4121 51-4122", "hand"),
        ("Glorfindel", "", "", "none"),
    ],
)
def test_a_title_is_linked_by_the_first_rule_that_fits(english: str, major: str, codes: str, rule: str) -> None:
    assert of_title(english, major) == Link(tuple(codes.split()), rule)


def test_what_a_title_excludes_does_not_link_to_it() -> None:
    # Ambulance drivers and attendants, except emergency medical technicians
    assert "53-3011" not in of_title("Emergency medical technician", "").codes


def test_supervisors_and_residual_classes_stand_back() -> None:
    assert of_isco(isco_of_feor()["5252"], "fire brigade member") == Link(("33-2011",), "chain")
    assert of_isco(isco_of_feor()["3212"], "works foreman") == Link(("51-1011",), "chain")
    assert of_isco(isco_of_feor()["1329"], "head of a service") == Link(("11-9199",), "chain")


def test_of_several_codes_the_title_that_names_the_occupation_is_taken() -> None:
    assert of_isco(isco_of_feor()["5211"], "barber") == Link(("39-5011",), "narrowed")
    assert set(of_isco(isco_of_feor()["5211"], "somebody who cuts hair").codes) == {"39-5011", "39-5012"}


def test_codes_of_the_table_go_first_and_say_whether_they_are_in_the_chain() -> None:
    assert of_isco(isco_of_feor()["5211"], "barber", ("39-5012",)).rule == "chosen"
    assert of_isco(isco_of_feor()["5211"], "barber", ("11-1011",)).rule == "corrected"


@pytest.mark.parametrize("name", US_TABLES)
def test_every_code_but_the_armed_forces_stands_in_one_row_of_a_us_table(name: str) -> None:
    listed = [code for row in codes.us_rows(name) for code in row["soc"].split()]
    assert len(listed) == len(set(listed))
    assert set(listed) == {code for code in codes.soc_titles() if not code.startswith("55-")}


def test_every_code_that_a_table_names_is_known() -> None:
    known = codes.soc_titles()
    for folder, name in (("sets/occupations/tables", "hungarian.tsv"), ("labour/tables", "isco.tsv")):
        assert {code for row in table(folder, name) for code in row["soc"].split()} <= known.keys()
    assert {
        code for row in table("labour/tables", "feor.tsv") for code in row["isco08"].split()
    } <= codes.soc_of_isco().keys()
    assert {row["feor08"] for row in table("sets/occupations/tables", "hungarian.tsv")} <= codes.feor_names().keys()


@pytest.mark.usefixtures("titles")
def test_every_title_named_by_hand_exists_and_is_needed() -> None:
    listed = {(title.english, title.soc_major) for title in read_titles()}
    for row in table("labour/tables", "by_hand.tsv"):
        assert (row["english"], row["soc_major"]) in listed
        assert of_title(row["english"], row["soc_major"]).rule == "hand"
