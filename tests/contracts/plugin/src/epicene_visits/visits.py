"""The set: whoever visits has a mother or a father, whose pronoun tells the gender."""

from __future__ import annotations

from collections.abc import Iterator

from epicene.measures.rates import Measures, Rate, reads
from epicene.output.table import Table
from epicene.result import Result
from epicene.sets import TestSet, read_about
from epicene.types import Gender, Item, Pair, Person
from epicene_visits.scoring import Strict

PEOPLE = {"teacher": "instruist", "nurse": "flegist", "doctor": "kuracist"}
_PRONOUNS = {Gender.FEMININE: "her", Gender.MASCULINE: "his"}


def items(pair: Pair) -> list[Item]:
    """Six sentences."""
    return [
        Item(
            f"{person}-{pronoun}",
            f"The {person} visited {pronoun} mother.",
            Person(person, 4, person),
            gender,
            {"group": gender.value, "occupation": person, "place": "hospital" if person != "teacher" else "school"},
        )
        for person in PEOPLE
        for gender, pronoun in _PRONOUNS.items()
    ]


def tables(result: Result) -> Iterator[Table]:
    """What is printed of a result."""
    yield Table(f"women who visit: {result['women', 'all'].count} of {result.n}")


MEASURES = Measures(
    groups=lambda item: ("all", item.labels["group"]),
    rates=(Rate("women", reads(Gender.FEMININE), groups=("all",)),),
)
SET = TestSet(
    about=read_about("epicene_visits"),
    items=items,
    version=lambda: "1",
    measures=MEASURES,
    detector="ino",
    paper=Strict,
    tables=tables,
)
