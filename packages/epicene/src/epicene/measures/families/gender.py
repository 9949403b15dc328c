"""Accuracy of the gender, whole and by expected gender: the measures of a user's own sentences."""

from __future__ import annotations

from collections import Counter

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.types import Gender, Item, Measure

OTHER_WORD = "other_word"


def key(item: Item) -> Key:
    """The user's own group, and the occupation or whatever else names the person."""
    return item.labels["group"], item.labels.get("occupation") or item.person.concept


def groups(item: Item) -> tuple[str, ...]:
    """All, the expected gender and the user's own group; none where no gender is expected."""
    return tuple(filter(None, ("all", item.expected.value, item.labels["group"]))) if item.expected else ()


def measures(tally: Tally) -> list[Measure]:
    """Accuracy of all, of each expected gender and of each group; shares of each gender read."""
    clusters = Clusters.of((unit, "") for (_, unit), _, _ in tally.cells)
    rows: dict[str, list[tuple[str, bool, bool, int]]] = {}  # unit, right gender, on another's word, sentences
    unread = Counter[str]()
    for ((group, unit), expected, gender), elsewhere, number in tally.parted():
        if expected is None:
            continue
        for name in filter(None, ("all", expected.value, group)):
            rows.setdefault(name, []).append((unit, gender == expected, elsewhere, number))
            unread[name] += number * (gender is Gender.UNKNOWN)
    found = [
        clusters.rate(
            "accuracy",
            name,
            clusters.share((u, n * (right and not other), n) for u, right, other, n in own),
            unread[name],
        )
        for name, own in rows.items()
    ]
    if tally.other_word:
        found += [
            clusters.rate(OTHER_WORD, name, clusters.share((u, n * (right and other), n) for u, right, other, n in own))
            for name, own in rows.items()
        ]
    for gender in Gender:
        read = ((unit, number * (seen is gender), number) for ((_, unit), _, seen), number in tally.cells.items())
        found.append(clusters.rate("share", gender.value, clusters.share(read)))
    return found


FAMILY = Family(key, groups, measures)
