"""SimpleGEN (Renduchintala et al. 2021): short sentences that state the gender of one person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

from epicene.errors import UnknownNameError
from epicene.files import checksum
from epicene.measures.rates import OTHER_WORD, Gap, Measures, Rate, is_right
from epicene.sets import TestSet, read_about
from epicene.sets.simplegen.paper import Dictionary
from epicene.tables import resource, table
from epicene.types import Gender, Item, Person

# Official order of the groups: stereotype of the occupation, gender of the context.
_GROUPS = (
    ("FOFC", "female", "female"),
    ("MOMC", "male", "male"),
    ("FOMC", "female", "male"),
    ("MOFC", "male", "female"),
)
_EXPECTED = {"female": Gender.FEMININE, "male": Gender.MASCULINE}
_SLOT = re.compile(r"\{([\w-]+)\}")
_ARTICLE = re.compile(r"\ban? \{occ-[cv]\}")  # which the occupation chooses
_TABLES = ("templates.tsv", "keywords.tsv", "occupations.tsv")


def _occupations(slot: str, stereotype: str) -> list[tuple[str, str]]:
    """Surface and singular of the occupations that fit an occupation slot."""
    number = "plural" if slot == "occ-pl" else "singular"
    vowel = {"occ-c": False, "occ-v": True}.get(slot)
    return [
        (row[number], row["singular"])
        for row in table("sets/simplegen/tables", "occupations.tsv")
        if row["stereotype"] == stereotype and vowel in (None, row["singular"][0] in "aeiou")
    ]


def _values(slot: str, context: str, stereotype: str) -> list[tuple[str, str]]:
    if slot.startswith("occ"):
        return _occupations(slot, stereotype)
    keyword = next(row for row in table("sets/simplegen/tables", "keywords.tsv") if row["keyword"] == slot.lower())
    words = keyword[context].split("|")
    return [(word.capitalize() if slot[0].isupper() else word, "") for word in words]


def _fill(template: str, context: str, stereotype: str) -> Iterator[tuple[str, Person]]:
    """All sentences of a template: slots vary in the order they stand in, the last one fastest."""
    slots = _SLOT.findall(template)
    literals = _SLOT.split(template)[::2]
    for chosen in product(*(_values(slot, context, stereotype) for slot in slots)):
        text, focus = literals[0], None
        for slot, (word, concept), literal in zip(slots, chosen, literals[1:], strict=True):
            if concept:
                focus = Person(word, len(text), concept, plural=slot == "occ-pl")
            text += word + literal
        assert focus is not None  # noqa: S101 - every template has an occupation slot, as the tests check
        yield text, focus


def _generate() -> Iterator[Item]:
    """The 2,664 sentences in official order."""
    number = 0
    for group, stereotype, context in _GROUPS:
        for row in table("sets/simplegen/tables", "templates.tsv"):
            if row["context"] not in ("", context):
                continue
            template = _ARTICLE.sub("a {occ}", row["template"]).rstrip(".!")  # one ends otherwise in a male context
            for source, focus in _fill(row["template"], context, stereotype):
                labels = {
                    "group": group,
                    "occupation": focus.concept,
                    "number": "pl" if focus.plural else "sg",
                    "context_gender": context,
                    "template": template,
                }
                yield Item(str(number), source, focus, _EXPECTED[context], labels)
                number += 1


GROUPS = {
    "MOMC": ("MOMC",),
    "MOFC": ("MOFC",),
    "FOFC": ("FOFC",),
    "FOMC": ("FOMC",),
    "pro": ("MOMC", "FOFC"),
    "anti": ("MOFC", "FOMC"),
    "all": ("MOMC", "MOFC", "FOFC", "FOMC"),
}


def _groups(item: Item) -> tuple[str, ...]:
    return tuple(name for name, parts in GROUPS.items() if item.labels["group"] in parts)


MEASURES = Measures(
    groups=_groups,
    rates=(
        Rate("correct", is_right),
        Rate("wrong", lambda outcome: outcome.shown and outcome.gender is not outcome.expected),
        # The form names no gender, or none was detected.
        Rate("inconclusive", lambda o: not o.shown and o.gender is not o.expected, undetected=False),
        OTHER_WORD._replace(undetected=True),
    ),
    gaps=(
        Gap("delta", "correct", "pro", "anti"),
        Gap("delta_fc", "correct", "FOFC", "MOFC"),
        Gap("delta_mc", "correct", "MOMC", "FOMC"),
    ),
    stratum=lambda item: item.labels["group"][:2],  # whether men or women dominate the occupation: MO or FO
    order=lambda _: GROUPS,
    gated=("delta",),
)


def variant(argument: str) -> TestSet:
    """The sentences of one group, as the authors keep them in files: ``simplegen:MOFC``; also ``pro`` and ``anti``."""
    names = {name.lower(): name for name in GROUPS}
    name = names.get(argument.lower())
    if name is None:
        raise UnknownNameError("group of simplegen", argument, tuple(GROUPS))
    part = SET.subset(item.id for item in _generate() if name in _groups(item))
    inside = {group: parts for group, parts in GROUPS.items() if group == "all" or {*parts} <= {*GROUPS[name]}}
    measures = replace(
        MEASURES,
        groups=lambda item: tuple(group for group in _groups(item) if group in inside),
        gaps=tuple(gap for gap in MEASURES.gaps if {gap.first, gap.second} <= inside.keys()),
        order=lambda _: inside,
        gated=(),
    )
    return replace(part, about=replace(SET.about, name=f"simplegen:{name}"), measures=measures, variant=None)


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    paper=Dictionary,
    items=lambda _: list(_generate()),  # the English sentences serve every target
    version=cache(lambda: checksum(*(resource("sets/simplegen/tables", name).read_bytes() for name in _TABLES))),
    variant=variant,
)
