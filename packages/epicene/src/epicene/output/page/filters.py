"""What the sentences of a page can be filtered by, and the addresses that lead from a number to its sentences.

Sentences are filtered by what a set says of them, who translated them and how they were read. An address holds filters
after the ``#``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from epicene import sets
from epicene.measures.claims import Claim
from epicene.measures.rates import OPPOSITE, Measures
from epicene.text import visible
from epicene.types import Gender, Item, Measure, Verdict

if TYPE_CHECKING:
    from epicene.output.page.series import Series

LONGEST = 200  # characters of a value
NOT_STATED = "not stated"
VOICES = ("voice", "speaker")  # labels whose groups are called voice:NAME
# What each outcome is called, and a sign, so that nothing is told by colour alone; the telling ones first.
OUTCOMES = {
    "wrong": ("✗", "wrong gender"),
    "undetected": ("?", "gender not detected"),
    "right gender, other word": ("≈", "right gender, of another word"),
    "no gender": ("○", "neutral"),
    "right": ("✓", "right"),
    "no expectation": ("–", "gender not stated"),
}
EXPECTED = {Gender.FEMININE: "a woman", Gender.MASCULINE: "a man", Gender.NEUTRAL: "singular “they”", None: NOT_STATED}
READ = {
    Gender.FEMININE: "feminine",
    Gender.MASCULINE: "masculine",
    Gender.NEUTRAL: "neutral",
    Gender.UNKNOWN: "gender not detected",
}


class Facet(NamedTuple):
    """A filter: its name in addresses, and what it is called."""

    name: str
    title: str
    many: bool = False  # whether a sentence may have several values


OF_RESULTS = (Facet("set", "Set"), Facet("language", "Language"), Facet("system", "System"))
OF_ITEMS = (
    Facet("expected", "In the source"),
    Facet("group", "Group", many=True),
    Facet("person", "Person"),
)
OF_VERDICTS = (
    Facet("verdict", "Verdict"),
    Facet("read", "In the translation"),
    Facet("step", "Decided by"),
    Facet("cause", "Error from"),
    Facet("decision", "Reviewers say"),
)


def of_result(system: Series) -> tuple[str, ...]:
    """Values of the filters that all sentences of a result share."""
    return _text(system.result.set), _text(system.into), _text(system.label)


def of_items(set_names: Iterable[str]) -> tuple[Facet, ...]:
    """The filters of sentences: those of every page, and those that the sets declare."""
    declared = (system for name in set_names for system in sets.of_result(name).about.filters.values())
    return *OF_ITEMS, *dict.fromkeys(Facet(system.name, system.title) for system in declared)


def of_item(set_name: str, facets: Sequence[Facet]) -> Callable[[Item], tuple[tuple[str, ...], ...]]:
    """What gives the values of an item, each as a tuple, in the order of the filters."""
    measured, declared = sets.of_result(set_name).measures, sets.of_result(set_name).about.filters
    labels = [declared[facet.name].label if facet.name in declared else "" for facet in facets[len(OF_ITEMS) :]]

    def values(item: Item) -> tuple[tuple[str, ...], ...]:
        declared_values = ((_text(item.labels.get(label, "")),) for label in labels)
        return (item.expected or "",), groups_shown(measured, item), (_text(person(item)),), *declared_values

    return values


def groups_of(measured: Measures, item: Item) -> tuple[str, ...]:
    """All groups that a sentence counts for by name, those of voices with them."""
    voices = (f"{kind}:{item.labels[kind]}" for kind in VOICES if item.labels.get(kind))
    return tuple(dict.fromkeys(("all", *measured.groups(item), *voices)))


def groups_shown(measured: Measures, item: Item) -> tuple[str, ...]:
    """The groups that a sentence can be filtered by; where it has none, what it says of itself."""
    groups = [group for group in measured.groups(item) if group != "all"]
    subset = item.labels.get("group") or item.labels.get("subset")
    return tuple(_text(group) for group in groups or filter(None, [subset]))


def person(item: Item) -> str:
    """The person or the occupation that a sentence is about."""
    return item.labels.get("occupation") or item.person.concept


def outcome(verdict: Verdict) -> str:
    """What a verdict comes to, as a page sorts sentences."""
    expected, read = verdict.output.item.expected, verdict.gender
    if read is Gender.UNKNOWN:
        return "undetected"
    if expected is None:
        return "no expectation"
    if read is expected:
        return "right" if verdict.right else "right gender, other word"
    return "no gender" if read is Gender.NEUTRAL else "wrong"


def step(verdict: Verdict) -> str:
    """The reader's step, with the strategy of a form that names everybody."""
    strategy = verdict.inclusive
    return verdict.step if strategy is None or strategy in verdict.step else f"{verdict.step}: {strategy}"


def of_verdict(verdict: Verdict, decided: str = "") -> tuple[str, ...]:
    """Values of what was read, in the order of ``OF_VERDICTS``."""
    cause = verdict.cause.origin.value if verdict.cause else ""
    return outcome(verdict), verdict.gender.value, _text(step(verdict)), cause, _said(decided, verdict.gender)


def _said(decided: str, read: Gender) -> str:
    """What people say of a sentence, and whether the reader says otherwise."""
    if decided not in READ:
        return decided  # nothing, or that they are divided
    text = READ[Gender(decided)]
    return text if decided == read else f"{text}; the reader differs"


def words(facet: str, value: str, set_name: str) -> str:
    """A value in plain words."""
    if facet == "verdict":
        return OUTCOMES[value][1]
    if facet == "expected":
        return EXPECTED[Gender(value) if value else None]
    if facet == "read":
        return READ[Gender(value)]
    if facet == "group":
        return visible(sets.page_words(set_name).describe(value))
    declared = sets.of_result(set_name).about.filters.get(facet) if set_name else None
    return declared.words.get(value, value) if declared else value


def _text(value: str) -> str:
    return visible(value)[:LONGEST]


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


def link(system: Series, **filters: str) -> str:
    """The address of sentences of one result; nothing on a page that has no sentences."""
    if not system.linked:
        return ""
    of_result_filters = dict(zip((facet.name for facet in OF_RESULTS), of_result(system), strict=True))
    return address(**of_result_filters, **filters)


def link_misgendered(system: Series, expected: Gender, read: Gender) -> str:
    """The address of people of one gender who are written with another."""
    return link(system, expected=expected.value, read=read.value)


def link_rates(system: Series) -> tuple[tuple[Claim, str] | None, ...]:
    """The rates of women and men misgendered, or of masculine and feminine, each with the address of its sentences."""
    if system.is_open:
        addresses = [link(system, read=gender.value) for gender in (Gender.MASCULINE, Gender.FEMININE)]
    else:
        addresses = [link_misgendered(system, gender, OPPOSITE[gender]) for gender in OPPOSITE]
    pairs = zip(system.claims, addresses, strict=True)
    return tuple((claim, address) if claim else None for claim, address in pairs)


def link_counted(system: Series, measure: Measure) -> str:
    """The address of exactly the sentences that a rate counts; nothing where no filter can say which they are."""
    read = sets.page_words(system.result.set).read.get(measure.name)
    what = ("read", read) if read else _COUNTED.get(measure.name)
    if what is None or measure.count is None or measure.unit != "%":
        return ""
    if system.tallies[measure.group, *what] != measure.count:
        return ""  # a rate of the same name that counts otherwise
    return link(system, **_grouped(measure.group), **dict([what]))


def _grouped(group: str) -> dict[str, str]:
    """The filters of a group."""
    if group == "all":
        return {}
    kind, _, rest = group.partition(":")
    return {kind: rest} if kind in VOICES and rest else {"group": group}
