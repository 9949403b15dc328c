"""Addresses that lead from a number to its sentences: the filters of the page, after the ``#``."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from epicene.measures.claims import Claim
from epicene.measures.outcomes import OPPOSITE
from epicene.output.page.facets import LONGEST, OF_RESULTS, VOICES, of_result
from epicene.sets import page_words
from epicene.text import visible
from epicene.types import Gender, Measure

if TYPE_CHECKING:
    from epicene.output.charts.page import Series

# Which sentences a rate counts, by its name: the filter and its value.
_COUNTED = {
    "accuracy": ("verdict", "right"),
    "correct": ("verdict", "right"),
    "wrong": ("verdict", "wrong"),
    "other_word": ("verdict", "right gender, other word"),
}


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


def link_rates(one: Series) -> tuple[tuple[Claim, str] | None, ...]:
    """The rates of women and men misgendered, or of masculine and feminine, each with the address of its sentences."""
    if one.is_open:
        addresses = [of(one, read=gender.value) for gender in (Gender.MASCULINE, Gender.FEMININE)]
    else:
        addresses = [misgendered(one, gender, OPPOSITE[gender]) for gender in OPPOSITE]
    pairs = zip(one.claims, addresses, strict=True)
    return tuple((claim, address) if claim else None for claim, address in pairs)


def counted(each: Series, measure: Measure) -> str:
    """The address of exactly the sentences that a rate counts; nothing where no filter can say which they are."""
    read = page_words(each.result.set).read.get(measure.name)
    what = ("read", read) if read else _COUNTED.get(measure.name)
    if what is None or measure.count is None or measure.unit != "%":
        return ""
    if each.tallies[measure.group, *what] != measure.count:
        return ""  # a rate of the same name that counts otherwise
    return of(each, **_grouped(measure.group), **dict([what]))


def _grouped(group: str) -> dict[str, str]:
    """The filters of a group."""
    if group == "all":
        return {}
    kind, _, rest = group.partition(":")
    return {kind: rest} if kind in VOICES and rest else {"group": group}
