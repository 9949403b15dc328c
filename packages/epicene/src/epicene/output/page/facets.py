"""What the sentences of a page can be filtered by: what a set says of them, who translated them, how they were read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from epicene.flow.plan import family_of
from epicene.output.counts import outcome
from epicene.output.families import family, family_name, voice_words
from epicene.text import visible
from epicene.types import Gender, Item, Verdict

if TYPE_CHECKING:
    from epicene.output.charts.page import Series

LONGEST = 200  # characters of a value
NOT_STATED = "not stated"
# What each outcome is called, and a sign, so that nothing is told by colour alone; the telling ones first.
OUTCOMES = {
    "wrong": ("✗", "wrong gender"),
    "unread": ("?", "could not be read"),
    "right gender, other word": ("≈", "right gender, other word"),
    "no gender": ("○", "names no gender"),
    "right": ("✓", "right"),
    "no expectation": ("–", "nothing expected"),
}
EXPECTED = {Gender.FEMININE: "a woman", Gender.MASCULINE: "a man", Gender.NEUTRAL: "neither", None: NOT_STATED}
READ = {Gender.FEMININE: "a woman", Gender.MASCULINE: "a man", Gender.NEUTRAL: "no gender", Gender.UNKNOWN: "unread"}
# Labels of sets that are filters of their own, by the name of the filter.
LABELS = {
    "part": "part",
    "class": "class",
    "word": "word",
    "pronoun": "pronoun",
    "wording": "variant",
    "sector": "sector",
    "stereotype": "stereotype",
    "role": "role",
    "told": "told",
    "family": "family",
    "voice": "voice",
    "speaker": "speaker",
}


class Facet(NamedTuple):
    """A filter: its name in addresses, and what it is called."""

    name: str
    title: str
    many: bool = False  # whether a sentence may have several values


OF_RESULTS = (Facet("set", "Set"), Facet("language", "Language"), Facet("system", "System"))
OF_ITEMS = (
    Facet("expected", "Sentence is about"),
    Facet("group", "Group", many=True),
    Facet("person", "Person"),
    *(Facet(name, name.capitalize()) for name in LABELS),
    Facet("third", "Occupations gendered"),
)
OF_VERDICTS = (
    Facet("verdict", "Verdict"),
    Facet("read", "Read as"),
    Facet("step", "Reader’s step"),
    Facet("cause", "Error from"),
    Facet("decision", "People say"),
)


def of_result(each: Series) -> tuple[str, ...]:
    """Values of the filters that all sentences of a result share."""
    return _text(each.result.set), _text(each.into), _text(each.label)


def of_item(set_name: str) -> Callable[[Item], tuple[tuple[str, ...], ...]]:
    """What gives the values of an item, each as a tuple, in the order of ``OF_ITEMS``."""
    measured = family_of(set_name)
    by_words = family_name(set_name) == "wibemt"  # whose groups are part, class, pronoun and third, each a filter

    def values(item: Item) -> tuple[tuple[str, ...], ...]:
        own = item.labels.get("group") or item.labels.get("subset") or ""
        groups = () if by_words else tuple(_text(group) for group in measured.groups(item) if group != "all")
        if not groups and own and not by_words:
            groups = (_text(own),)
        labels = ((_text(item.labels.get(label, "")),) for label in LABELS.values())
        third = _text(own) if by_words else ""
        return (item.expected or "",), groups, (_text(person(item)),), *labels, (third,)

    return values


def person(item: Item) -> str:
    """The person or the occupation that a sentence is about."""
    return item.labels.get("occupation") or item.person.concept


def of_verdict(verdict: Verdict, decided: str = "") -> tuple[str, ...]:
    """Values of what was read, in the order of ``OF_VERDICTS``."""
    cause = verdict.cause.origin.value if verdict.cause else ""
    return outcome(verdict), verdict.gender.value, _text(verdict.step), cause, _said(decided, verdict.gender)


def _said(decided: str, read: Gender) -> str:
    """What people say of a sentence, and whether the reader says otherwise."""
    if decided not in READ:
        return decided  # nothing, or that they are divided
    said = "cannot be told" if decided == Gender.UNKNOWN else READ[Gender(decided)]
    return said if decided == read else f"{said}; the reader differs"


def words(facet: str, value: str, set_name: str) -> str:
    """A value in plain words."""
    if facet == "verdict":
        return OUTCOMES[value][1]
    if facet == "expected":
        return EXPECTED[Gender(value) if value else None]
    if facet == "read":
        return READ[Gender(value)]
    if facet == "group":
        return visible(family(set_name).words(value))
    if facet == "speaker":
        return voice_words(f"speaker:{value}") or value
    if facet == "pronoun":
        return {"feminine": "she", "masculine": "he"}.get(value, value)
    return value


def _text(value: str) -> str:
    return visible(value)[:LONGEST]
