"""Measures of sentences that stand there twice, about a woman and about a man: is each kept, and are both?"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.stats.clustered import Share
from epicene.types import Gender, Item, Measure

GROUPS: dict[str, tuple[Gender, ...]] = {
    "all": (Gender.FEMININE, Gender.MASCULINE),
    "feminine": (Gender.FEMININE,),
    "masculine": (Gender.MASCULINE,),
}
GAPS = {"gap": ("accuracy", "feminine", "masculine")}  # in a rate: first group less second
OUTCOMES = ("accuracy", "wrong", "no_evidence")
BOTH = "both_right"
_Cell = tuple[str, Gender | None, str, int]  # pair, expected, outcome, sentences


def key(item: Item) -> Key:
    """What stands or falls together: the pair."""
    return (item.unit,)


def groups(item: Item) -> tuple[str, ...]:
    """All, and the expected gender."""
    return ("all", item.expected.value) if item.expected else ()


def outcome(expected: Gender | None, gender: Gender, on_other_word: bool) -> str:
    """Right, wrong, or no evidence: nothing names a gender, or nothing of this person."""
    if gender not in GROUPS["all"] or on_other_word:
        return "no_evidence"
    return "accuracy" if gender is expected else "wrong"


def measures(tally: Tally) -> list[Measure]:
    """Rates of each outcome, the gap between women and men, and the pairs of which both are right."""
    clusters = Clusters.of((pair, "") for (pair,), _, _ in tally.cells)
    cells: list[_Cell] = []
    unread = Counter[Gender | None]()
    for ((pair,), expected, gender), elsewhere, number in tally.parted():
        cells.append((pair, expected, outcome(expected, gender, elsewhere), number))
        unread[expected] += number * (gender is Gender.UNKNOWN)

    def share(name: str, group: str) -> Share:
        among = GROUPS[group]
        return clusters.share((pair, n * (found == name), n) for pair, expected, found, n in cells if expected in among)

    rates = [
        clusters.rate(name, group, share(name, group), None if name == "no_evidence" else sum(unread[e] for e in among))
        for group, among in GROUPS.items()
        for name in OUTCOMES
    ]
    gaps = [
        clusters.gap(name, f"{first}-{second}", share(rated, first), share(rated, second))
        for name, (rated, first, second) in GAPS.items()
    ]
    return [*rates, *_both(cells, clusters), *gaps]


def _both(cells: list[_Cell], clusters: Clusters) -> list[Measure]:
    """The share of whole pairs of which the woman and the man are right; none where no sentence has its twin."""
    sides: dict[str, dict[Gender | None, str]] = {}
    for pair, expected, found, _ in cells:
        sides.setdefault(pair, {})[expected] = found
    whole = {pair: found for pair, found in sides.items() if len(found) == 2}
    if not whole:
        return []
    share = clusters.share((pair, set(found.values()) == {"accuracy"}, 1) for pair, found in whole.items())
    return [replace(clusters.rate(BOTH, "pairs", share), unit="% of pairs")]


FAMILY = Family(key, groups, measures, gaps=GAPS, main_gaps=("gap",))
