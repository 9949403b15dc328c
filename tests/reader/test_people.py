"""The people of an English sentence are found, and things are not taken for them."""

from __future__ import annotations

import pytest

from epicene.reader.people import people


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("The truck driver thanked a nurse.", ["truck driver", "nurse"]),
        ("A catholic friend of mine attended a service with me.", ["friend", "mine", "me"]),
        ("They guide the students through the museum.", ["They", "students"]),
        ("The student council met on Monday.", []),
        ("Someone told Mary Smith that those who wait are paid.", ["Someone", "Mary Smith", "those"]),
        ("The computer is on the table.", []),
        ("I spoke to the videographers, who were tired.", ["I", "videographers"]),
        ("Her ex-husband met an ex-nurse and her ex.", ["Her", "ex-husband", "nurse", "her", "ex"]),
        ("Sasha forgot the keys.", ["Sasha"]),
        ("Klopp said that the singer Adele was tired.", ["Klopp", "singer", "Adele"]),
        ("Brown, who lost, met Ludwig van Beethoven in Vienna.", ["Brown", "Ludwig van Beethoven"]),
        ("President Emma Stone spoke for Prof. García.", ["President Emma Stone", "Prof. García"]),
        ("Kelvin Fletcher left; they saw that Fletcher was sad.", ["Kelvin Fletcher", "they", "Fletcher"]),
        ("The FBI moved from Kansas to the White House after Brexit.", []),
        ("San Francisco and Houston lost to Harvard University.", []),
        ("The Canadian kept the American$ 50 bills.", ["Canadian"]),
        ("It's super easy with tighter rules and a prettier foreigner.", ["foreigner"]),
        ("Very heavy rain fell on the Canadian coast.", []),
        ("Her reserve server failed on May 21st, prior to the launch in St. Petersburg.", ["Her"]),
        ("The vegan menu and the pilot project cost more than customer service.", []),
        ("No man ate there; the driver heading home let the boy play.", ["man", "driver", "boy"]),
        ("Google said that Bombardier was no longer a rival.", ["rival"]),
        ("Some of his favourite places were closed, but one of the guests was not.", ["his", "one", "guests"]),
        ("The fragrant, quiet garden is open to the disabled.", ["disabled"]),
        ("First of all, those reports cost $14 each; those who wait pay more.", ["those"]),
        ("The founder and the younger asked for the deeper pool.", ["founder", "younger"]),
    ],
)
def test_people_are_found(source: str, found: list[str]) -> None:
    assert [person.text for person in people(source)] == found


def test_a_person_has_place_kind_and_number() -> None:
    (person,) = people("The astronauts slept.")
    assert (person.start, person.kind, person.plural) == (4, "noun", True)
    assert [each.kind for each in people("She met Anna Kowalska.")] == ["pronoun", "name"]
