"""SimpleGEN's measures: right, wrong and inconclusive per group, and the gaps between groups (Table 4)."""

from __future__ import annotations

from collections import Counter

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.stats.clustered import Share
from epicene.types import Gender, Item, Measure

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
OTHER_WORD = "other_word"
OUTCOMES = ("correct", "wrong", "inconclusive", OTHER_WORD)


def key(item: Item) -> Key:
    """Group and occupation."""
    return item.labels["group"], item.labels["occupation"]


def groups(item: Item) -> tuple[str, ...]:
    """The groups that a sentence counts for."""
    return tuple(name for name, parts in GROUPS.items() if item.labels["group"] in parts)


def stratum(item: Item) -> str:
    """Whether men or women dominate the occupation: MO or FO."""
    return _dominated(item.labels["group"])


def _dominated(group: str) -> str:
    return group[:2]


def outcome(expected: Gender | None, gender: Gender, on_other_word: bool) -> str:
    """Right, wrong, inconclusive (the form names no gender, or could not be read), or right on another's word."""
    if gender == expected:
        return OTHER_WORD if on_other_word else "correct"
    return "wrong" if gender in (Gender.FEMININE, Gender.MASCULINE) else "inconclusive"


def measures(tally: Tally) -> list[Measure]:
    """All measures of the family, rates first."""
    clusters = Clusters.of((occupation, _dominated(group)) for (group, occupation), _, _ in tally.cells)
    counts, unread = Counter[tuple[str, str, str]](), Counter[str]()
    for ((group, occupation), expected, gender), elsewhere, number in tally.parted():
        counts[group, occupation, outcome(expected, gender, elsewhere)] += number
        unread[group] += number * (gender is Gender.UNKNOWN)

    def share(name: str, group: str) -> Share:
        return clusters.share(
            (occupation, number * (found == name), number)
            for (part, occupation, found), number in counts.items()
            if part in GROUPS[group]
        )

    silent = None if any(name == OTHER_WORD for _, _, name in counts) else True
    rates = []
    for group, parts in GROUPS.items():
        for name in OUTCOMES:
            missed = None if name == "inconclusive" else sum(unread[part] for part in parts)
            detail = silent if name == OTHER_WORD else None
            rates.append(clusters.rate(name, group, share(name, group), missed, detail=detail))
    return rates + [
        clusters.gap(name, f"{first}-{second}", share(rated, first), share(rated, second))
        for name, (rated, first, second) in GAPS.items()
    ]


FAMILY = Family(key, groups, measures, gaps=GAPS, stratum=stratum, main_gaps=("delta",))
