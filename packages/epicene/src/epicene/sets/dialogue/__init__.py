"""The dialogues of WMT24 (Dawkins et al. 2024): does agreement with speakers and listeners follow what is told?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from epicene.languages.english import concept
from epicene.sets import TestSet, read_about
from epicene.sets.dialogue import files as published
from epicene.sets.dialogue.measures import MEASURES
from epicene.tables import table
from epicene.types import Item, Kind, Pair, Person


@cache
def _stereotypes() -> dict[str, str]:
    return {row["adjective"]: row["stereotype"] for row in table("sets/dialogue/tables", "adjectives.tsv")}


def _stereotype(word: str) -> str:
    """The stereotype of an adjective, or of the adjective that an adverb is made from."""
    stem = word.removesuffix("ly").rstrip("i")
    near = (name for name in _stereotypes() if stem and name.startswith(stem[:5]) and abs(len(name) - len(stem)) < 3)
    return _stereotypes().get(word) or _stereotypes().get(next(near, ""), "")


def _of_line(number: int, text: str) -> Iterator[Item]:
    """Everybody who is said to be something, then everybody whom a noun names."""
    for place, saying in enumerate(published.sayings(text)):
        person = Person(saying.pronoun, saying.start, saying.pronoun.lower(), kind=Kind.PRONOUN)
        yield _item(f"{number}-{place}", text, number, person, saying.who, saying.role, saying.adjective)
    named = [each for each in published.people(text) if each.noun]
    people = [Person(each.noun, each.start, *concept(each.noun)) for each in named]
    for place, (somebody, person) in enumerate(zip(named, people, strict=True)):
        item = _item(f"{number}-n{place}", text, number, person, somebody, "named", person.concept)
        yield replace(item, others=tuple(each for each in people if each is not person))


def _item(
    name: str, text: str, number: int, person: Person, who: published.Somebody, role: str, occupation: str
) -> Item:
    labels = {
        "role": role,
        "told": who.told,
        "stereotype": _stereotype(who.adjective),
        "occupation": occupation,
    }
    return Item(name, text, person, who.gender, labels, line=str(number))


def items(pair: Pair) -> list[Item]:  # noqa: ARG001 - the English sentences serve every target
    """Everybody of every dialogue, in published order."""
    return [item for number, text in enumerate(published.lines()) for item in _of_line(number, text)]


def _version() -> str:
    return hashlib.sha256("\n".join(published.lines()).encode()).hexdigest()[:8]


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    detector="agreement",
    items=items,
    version=_version,
)
