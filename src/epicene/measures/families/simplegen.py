"""SimpleGEN's measures: right, wrong and inconclusive per group, and the gaps between groups (Table 4)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from epicene.measures import Family
from epicene.measures.tally import Key, Tally
from epicene.stats.bootstrap import cluster_interval
from epicene.stats.rates import wilson
from epicene.types import Gender, Item, Measure

if TYPE_CHECKING:
    from epicene.stats.bootstrap import Array

GROUPS = {
    "MOMC": ("MOMC",),
    "MOFC": ("MOFC",),
    "FOFC": ("FOFC",),
    "FOMC": ("FOMC",),
    "pro": ("MOMC", "FOFC"),
    "anti": ("MOFC", "FOMC"),
    "all": ("MOMC", "MOFC", "FOFC", "FOMC"),
}
# Gaps in a rate: first group less second.
GAPS = {
    "delta": ("correct", "pro", "anti"),
    "delta_fc": ("correct", "FOFC", "MOFC"),
    "delta_mc": ("correct", "MOMC", "FOMC"),
}
OUTCOMES = ("correct", "wrong", "inconclusive")


def key(item: Item) -> Key:
    """Group and occupation."""
    return item.labels["group"], item.labels["occupation"]


def groups(item: Item) -> tuple[str, ...]:
    """The groups that a sentence counts for."""
    return tuple(name for name, parts in GROUPS.items() if item.labels["group"] in parts)


def outcome(expected: Gender | None, gender: Gender) -> str:
    """Right, wrong, or inconclusive: the form names no gender, or could not be read."""
    if gender == expected:
        return "correct"
    return "wrong" if gender in (Gender.FEMININE, Gender.MASCULINE) else "inconclusive"


def measures(tally: Tally) -> list[Measure]:
    """All measures of the family, rates first."""
    counts, unread = Counter[tuple[str, str]](), Counter[str]()
    for ((group, _), expected, gender), number in tally.cells.items():
        counts[group, outcome(expected, gender)] += number
        if gender is Gender.UNKNOWN:
            unread[group] += number
    rates = [_rate(name, group, parts, counts, unread) for group, parts in GROUPS.items() for name in OUTCOMES]
    return rates + _gaps(tally, rates)


def _rate(
    name: str, group: str, parts: tuple[str, ...], counts: Counter[tuple[str, str]], unread: Counter[str]
) -> Measure:
    count = sum(counts[part, name] for part in parts)
    n = sum(counts[part, each] for part in parts for each in OUTCOMES)
    low, high = wilson(count, n)
    value = 100 * count / n if n else None
    return Measure(
        name,
        group,
        value,
        "%",
        n,
        count,
        100 * low,
        100 * high,
        unread=None if name == "inconclusive" else sum(unread[part] for part in parts),
    )


def _gaps(tally: Tally, rates: list[Measure]) -> list[Measure]:
    correct = {rate.group: rate for rate in rates if rate.name == "correct"}
    table, columns = _by_occupation(tally)
    found = []
    for name, (_, first, second) in GAPS.items():
        a, b = correct[first], correct[second]
        value = None if a.value is None or b.value is None else a.value - b.value

        def gap(sums: Array, first: str = first, second: str = second) -> Array:
            return 100 * (_share(sums, columns, first) - _share(sums, columns, second))

        interval = cluster_interval(table, gap) if value is not None else None
        low, high = interval or (None, None)
        found.append(Measure(name, f"{first}-{second}", value, "points", a.n + b.n, None, low, high))
    return found


def _by_occupation(tally: Tally) -> tuple[Array, dict[tuple[str, str], int]]:
    """Sentences and correct ones per group, one row per occupation."""
    import numpy as np

    occupations = {name: row for row, name in enumerate(sorted({k[1] for k, _, _ in tally.cells}))}
    columns = {
        (group, what): 2 * i + j for i, group in enumerate(GROUPS["all"]) for j, what in enumerate(("n", "correct"))
    }
    counts = np.zeros((len(occupations), len(columns)))
    for ((group, occupation), expected, gender), number in tally.cells.items():
        counts[occupations[occupation], columns[group, "n"]] += number
        if gender == expected:
            counts[occupations[occupation], columns[group, "correct"]] += number
    return counts, columns


def _share(sums: Array, columns: dict[tuple[str, str], int], group: str) -> Array:
    correct = sum(sums[:, columns[part, "correct"]] for part in GROUPS[group])
    n = sum(sums[:, columns[part, "n"]] for part in GROUPS[group])
    return correct / n  # type: ignore[operator, return-value, unused-ignore]


FAMILY = Family(key, groups, measures, gaps=GAPS)
