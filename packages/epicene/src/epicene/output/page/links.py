"""Addresses that lead from a number to its sentences: the filters of the page, after the ``#``."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from epicene.measures import Family
from epicene.output.families import family_name
from epicene.output.page.facets import LONGEST, OF_RESULTS, of_result
from epicene.text import visible
from epicene.types import Gender, Item, Measure

if TYPE_CHECKING:
    from epicene.output.charts.page import Series

# Which sentences a rate counts, by its name: the filter and its value.
_COUNTED = {
    "accuracy": ("verdict", "right"),
    "correct": ("verdict", "right"),
    "wrong": ("verdict", "wrong"),
    "other_word": ("verdict", "right gender, other word"),
    "tfg": ("read", "feminine"),
    "he": ("read", "masculine"),
    "she": ("read", "feminine"),
    "neutral": ("read", "neutral"),
    "unread": ("read", "unknown"),
}
_PRONOUNS = {"she": "feminine", "he": "masculine"}


def address(**filters: str) -> str:
    """The address of the sentences that all filters let through."""
    return "#?" + "&".join(f"{name}={quote(visible(value)[:LONGEST], safe='')}" for name, value in filters.items())


def of(each: Series, **filters: str) -> str:
    """The address of sentences of one result; nothing on a page that has no sentences."""
    if not each.linked:
        return ""
    own = dict(zip((facet.name for facet in OF_RESULTS), of_result(each), strict=True))
    return address(**own, **filters)


def misgendered(each: Series, expected: Gender, read: Gender) -> str:
    """The address of people of one gender who are written with another."""
    return of(each, expected=expected.value, read=read.value)


def counted(each: Series, measure: Measure) -> str:
    """The address of exactly the sentences that a rate counts; nothing where no filter can say which they are."""
    what = _COUNTED.get(measure.name)
    if what is None or measure.count is None or measure.unit != "%":
        return ""
    where = _grouped(each, measure.group)
    if where is None or each.tallies[measure.group, *what] != measure.count:
        return ""  # a rate of the same name that counts otherwise
    return of(each, **where, **dict([what]))


def _grouped(each: Series, group: str) -> dict[str, str] | None:
    """The filters of a group; None where they cannot say which sentences it has."""
    if group == "all":
        return {}
    name = family_name(each.result.set)
    if name == "occupations":
        return {"wording": group}
    if name == "wibemt":
        return _wibemt(group)
    kind, _, rest = group.partition(":")
    return {kind: rest} if kind in ("voice", "speaker") and rest else {"group": group}


def groups_of(family: Family, set_name: str, item: Item) -> tuple[str, ...]:
    """All that a sentence counts for by name: the groups of its family, and those that have filters of their own."""
    labels = item.labels
    if family_name(set_name) == "wibemt":
        part, word = labels["part"], f"{labels['part']}/{labels['class']}"
        pronoun = {"feminine": "she", "masculine": "he"}.get(labels["pronoun"])
        told = (f"{part}/{pronoun}", f"{word}/{pronoun}") if pronoun else ()
        return ("all", part, word, *told, *((f"{part}/occ-{labels['group']}",) if labels["group"] else ()))
    own = [
        name for name in (f"voice:{labels.get('voice', '')}", f"speaker:{labels.get('speaker', '')}") if name[-1] != ":"
    ]
    return tuple(dict.fromkeys(("all", *family.groups(item), *own, *filter(None, [labels.get("variant", "")]))))


def _wibemt(group: str) -> dict[str, str]:
    """``adjectives/feminine/she``: part, class and pronoun; ``verbs/occ-feminine``: the third of the occupation."""
    part, *rest = group.split("/")
    found = {"part": part}
    for each in rest:
        if each.startswith("occ-"):
            found["third"] = each.removeprefix("occ-")
        elif each in _PRONOUNS:
            found["pronoun"] = _PRONOUNS[each]
        else:
            found["class"] = each
    return found
