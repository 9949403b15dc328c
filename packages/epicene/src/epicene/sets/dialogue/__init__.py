"""The dialogues of WMT24 (Dawkins et al. 2024): does agreement with speakers and listeners follow what is told?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from epicene.files import checksum, read_lines
from epicene.languages.english import concept
from epicene.measures.rates import (
    Gap,
    Measures,
    Rate,
    both,
    is_as_expected,
    is_hidden,
    is_open,
    is_shown,
    is_stated,
    reads,
)
from epicene.sets import TestSet, read_about
from epicene.sets.files import require
from epicene.tables import table
from epicene.types import Gender, Item, Kind, Pair, Person

_QUOTE = re.compile(r'"[^"]*"')
_LEAD = re.compile(
    r"\b(?:The (?P<noun>man|woman)|The (?P<adjective>[\w-]+) (?P<person>[\w -]+?)|(?P<pronoun>I|He|She))"
    r" (?:smiled|laughed)"
)
_TAG = re.compile(
    r"^,? ?(?P<pronoun>he|she|they|I) (?:said|replied)(?: (?P<adverb>\w+ly))?"
    r"(?: to the (?P<adjective>[\w-]+) (?P<person>[\w -]+?) ?\.)?"
)
_SAID = re.compile(r"\b(?P<who>I|you)(?:'m|'re| am| are) (?:not )?(?P<adjective>[\w-]+)")
_PRONOUNS = {"he": Gender.MASCULINE, "she": Gender.FEMININE}
_NOUNS = {"man": Gender.MASCULINE, "woman": Gender.FEMININE}


class Somebody(NamedTuple):
    """One of the people of a dialogue."""

    gender: Gender | None = None  # as the text tells it
    told: str = "not told"  # man or woman, pronoun
    adjective: str = ""  # that describes the person, or how the person speaks
    noun: str = ""
    start: int = 0  # of the noun


class Saying(NamedTuple):
    """Somebody is said to be something, by I or you."""

    role: str  # speaker or listener
    who: Somebody
    pronoun: str
    start: int
    adjective: str


def lines() -> list[str]:
    """The dialogues in published order."""
    return list(read_lines(require("dialogue", "source.txt")))


def people(text: str) -> list[Somebody]:
    """The speakers of a dialogue in order; a listener who is only spoken to comes last."""
    speakers = []
    listeners: list[Somebody] = []
    end = 0
    for quote in _QUOTE.finditer(text):
        leads = list(_LEAD.finditer(text, end, quote.start()))
        end = quote.end()
        tag = _TAG.match(text[end:])
        speakers.append(_speaker(leads[-1] if leads else None, tag))
        if tag and tag["person"]:
            listeners = [Somebody(adjective=tag["adjective"], noun=tag["person"], start=end + tag.start("person"))]
    return speakers + listeners


def _speaker(lead: re.Match[str] | None, tag: re.Match[str] | None) -> Somebody:
    if lead and lead["noun"]:
        return Somebody(_NOUNS[lead["noun"]], "man or woman")
    pronoun = lead["pronoun"].lower() if lead and lead["pronoun"] else tag["pronoun"] if tag else ""
    gender = _PRONOUNS.get(pronoun)
    told = "pronoun" if gender else "not told"
    if lead and lead["person"]:
        return Somebody(gender, told, lead["adjective"], lead["person"], lead.start("person"))
    return Somebody(gender, told, (tag["adverb"] or "") if tag else "")


def sayings(text: str) -> Iterator[Saying]:
    """What is said with I and you in each quotation, each person once in each."""
    somebody = people(text)
    for number, quote in enumerate(_QUOTE.finditer(text)):
        speaker, listener = somebody[number], somebody[1 - number] if len(somebody) > 1 else Somebody()
        seen = set()
        for match in _SAID.finditer(text, quote.start(), quote.end()):
            if match["who"] not in seen:
                seen.add(match["who"])
                role, who = ("speaker", speaker) if match["who"] == "I" else ("listener", listener)
                yield Saying(role, who, match["who"], match.start("who"), match["adjective"])


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
    for place, saying in enumerate(sayings(text)):
        person = Person(saying.pronoun, saying.start, saying.pronoun.lower(), kind=Kind.PRONOUN)
        yield _item(f"{number}-{place}", text, number, person, saying.who, saying.role, saying.adjective)
    named = [somebody for somebody in people(text) if somebody.noun]
    persons = [Person(somebody.noun, somebody.start, *concept(somebody.noun)) for somebody in named]
    for place, (somebody, person) in enumerate(zip(named, persons, strict=True)):
        item = _item(f"{number}-n{place}", text, number, person, somebody, "named", person.concept)
        yield replace(item, others=tuple(other for other in persons if other is not person))


def _item(name: str, text: str, number: int, person: Person, who: Somebody, role: str, occupation: str) -> Item:
    labels = {"role": role, "told": who.told, "stereotype": _stereotype(who.adjective), "occupation": occupation}
    return Item(name, text, person, who.gender, labels, line=str(number))


def items(pair: Pair) -> list[Item]:  # noqa: ARG001 - the English sentences serve every target
    """Everybody of every dialogue, in published order."""
    return [item for number, text in enumerate(lines()) for item in _of_line(number, text)]


_ORDER = ("all", "feminine", "masculine", "speaker", "listener", "named", "man or woman", "pronoun")
_NOT_TOLD = "not told: "


def _groups(item: Item) -> tuple[str, ...]:
    """All, the gender, the role, how it is told, and the stereotype; under other names where nothing is told."""
    role, told, stereotype = (item.labels[name] for name in ("role", "told", "stereotype"))
    described = f"{stereotype} stereotype" if stereotype else ""
    if item.expected is None:
        return tuple(_NOT_TOLD + name for name in ("all", role, described) if name)
    return tuple(filter(None, ("all", item.expected.value, role, told, described)))


def _order(sizes: Mapping[str, int]) -> list[str]:
    """The groups as docs list them, whatever the first dialogue is about."""

    def place(group: str) -> tuple[bool, int, str]:
        name = group.removeprefix(_NOT_TOLD)
        return name != group, _ORDER.index(name) if name in _ORDER else len(_ORDER), name

    return sorted(sizes, key=place)


MEASURES = Measures(
    groups=_groups,
    rates=(
        Rate("accuracy", is_as_expected, both(is_stated, is_shown), both(is_stated, is_hidden)),
        Rate("masculine", reads(Gender.MASCULINE), both(is_open, is_shown), both(is_open, is_hidden)),
    ),
    gaps=(Gap("gap", "accuracy", "feminine", "masculine"),),
    order=_order,
    gated=("gap",),
)


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    detector="agreement",
    items=items,
    version=lambda: checksum("\n".join(lines())),
)
