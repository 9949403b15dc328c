"""Accuracy of the gender, whole and by expected gender: the measures of a user's own sentences."""

from __future__ import annotations

from collections import Counter

from epicene.measures import Family
from epicene.measures.tally import Key, Tally, rate
from epicene.types import Gender, Item, Measure


def key(item: Item) -> Key:
    """The user's own group."""
    return (item.labels["group"],)


def groups(item: Item) -> tuple[str, ...]:
    """All, the expected gender and the user's own group."""
    return tuple(filter(None, ("all", item.expected and item.expected.value, item.labels["group"])))


def measures(tally: Tally) -> list[Measure]:
    """Accuracy of all, of each expected gender and of each group; shares of each gender read."""
    right, seen, unread = Counter[str](), Counter[str](), Counter[str]()
    for ((group,), expected, gender), number in tally.cells.items():
        if expected is None:
            continue
        for name in filter(None, ("all", expected.value, group)):
            seen[name] += number
            right[name] += number * (gender == expected)
            unread[name] += number * (gender is Gender.UNKNOWN)
    found = [rate("accuracy", name, right[name], seen[name], unread[name]) for name in seen]
    read = tally.genders()
    return found + [rate("share", gender, read[gender], tally.n) for gender in read]


FAMILY = Family(key, groups, measures)
