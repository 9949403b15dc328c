"""Measures of passages about one person: right, wrong or unread, by gender and family; late binding apart."""

from __future__ import annotations

from collections import Counter

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.stats.clustered import Share
from epicene.types import Gender, Item, Measure

GAPS = {"gap": ("accuracy", "feminine", "masculine")}  # in a rate: first group less second
_LATE = "late_binding"
_FIRST = ("all", "feminine", "masculine", "without late binding")  # rows before those of families


def key(item: Item) -> Key:
    """The family and the passage."""
    return item.labels["family"], item.id


def groups(item: Item) -> tuple[str, ...]:
    """All, the gender and the family."""
    return _groups(item.expected, item.labels["family"])


def _groups(expected: Gender | None, family: str) -> tuple[str, ...]:
    if expected is None:
        return ()
    late = () if family == _LATE else ("without late binding",)
    return ("all", expected.value, *late, family)


def measures(tally: Tally) -> list[Measure]:
    """Accuracy and misgendering of every group, and the gap between women and men."""
    clusters = Clusters.of((passage, "") for (_, passage), _, _ in tally.cells)
    rows: dict[str, list[tuple[str, str, int]]] = {}
    unread = Counter[str]()
    for ((family, passage), expected, gender), number in tally.cells.items():
        told = gender in (Gender.FEMININE, Gender.MASCULINE)
        outcome = "accuracy" if gender is expected else "misgendered" if told else "other"
        for group in _groups(expected, family):
            rows.setdefault(group, []).append((passage, outcome, number))
            unread[group] += number * (gender is Gender.UNKNOWN)

    def share(name: str, group: str) -> Share:
        return clusters.share((passage, n * (outcome == name), n) for passage, outcome, n in rows.get(group, ()))

    rates = [
        clusters.rate(name, group, share(name, group), unread[group])
        for group in (*(each for each in _FIRST if each in rows), *sorted(rows.keys() - set(_FIRST)))
        for name in ("accuracy", "misgendered")
    ]
    gaps = [
        clusters.gap(name, f"{first}-{second}", share(rated, first), share(rated, second))
        for name, (rated, first, second) in GAPS.items()
    ]
    return [*rates, *gaps]


FAMILY = Family(key, groups, measures, gaps=GAPS, main_gaps=("gap",))
