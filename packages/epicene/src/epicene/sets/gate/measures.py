"""Measures of people whose gender is open, by position, category and occupation; and those of rewriters.

Rewriters are measured as GATE's authors do: precision, recall and F0.5, whole and by category.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from epicene.measures.outcomes import Clusters, Outcomes
from epicene.measures.rates import Measures, Outcome, Rate, reads
from epicene.stats.clustered import Share
from epicene.types import Gender, Item, Measure

_BETA = 0.5


def _categories(item: Item) -> tuple[str, ...]:
    return tuple(filter(None, item.labels.get("categories", "").split(";")))


def _order(sizes: Mapping[str, int]) -> list[str]:
    """Positions first, then categories, the larger ones first."""
    return sorted(sizes, key=lambda group: (group.isupper(), -sizes[group] if group.isupper() else 0))


def _own(outcomes: Outcomes) -> list[Measure]:
    return [*_mixed(outcomes), *_occupations(outcomes)]


def _mixed(outcomes: Outcomes) -> Iterable[Measure]:
    """Of sentences in which two people or more were read, those with a woman and a man."""
    read: dict[str, list[Gender]] = {}
    for profile, outcome, number in outcomes.cells():
        if outcome.shown:
            read.setdefault(profile.labels[0], []).extend([outcome.gender] * number)
    several = {line: genders for line, genders in read.items() if len(genders) > 1}
    if several:
        clusters = Clusters.of((line, "") for line in several)
        share = clusters.share((line, len(set(genders)) > 1, 1) for line, genders in several.items())
        yield replace(clusters.rate("mixed", "sentences", share), unit="% of sentences")


def _occupations(outcomes: Outcomes) -> Iterable[Measure]:
    """The masculine share of each occupation, of what was read as either; too many for a printed table."""
    read: dict[str, list[tuple[str, int, int]]] = {}
    for profile, outcome, number in outcomes.cells():
        if outcome.shown:
            counted = number * (outcome.gender is Gender.MASCULINE)
            read.setdefault(profile.unit, []).append((profile.labels[0], counted, number))
    for occupation, counts in sorted(read.items()):
        clusters = Clusters.of((line, "") for line, _, _ in counts)
        share = clusters.share(counts)
        yield clusters.rate("masculine_of_read", f"occupation {occupation}", share, detail=True)


def _is_match(outcome: Outcome) -> bool:
    return outcome.gender is outcome.expected


_PRECISION = Rate("precision", _is_match, lambda outcome: not outcome.undetected, undetected=False)
_RECALL = Rate("recall", _is_match, undetected=False)


def _larger_first(sizes: Mapping[str, int]) -> list[str]:
    return sorted(sizes, key=lambda group: (group != "all", -sizes[group], group))


def _f(outcomes: Outcomes) -> list[Measure]:
    """F as a ratio of sums, so that it has an interval too: (1 + b²) matches over b² sentences and lines written."""
    square, measures = _BETA * _BETA, []
    for group in _larger_first(outcomes.group_sizes()):
        written, asked = (outcomes.share(rate, group) for rate in (_PRECISION, _RECALL))
        f = Share((1 + square) * asked.counted, square * asked.of + written.of, size=asked.of)
        value = 100 * float(f.counted.sum() / f.of.sum()) if f.of.any() else None
        interval = outcomes.clusters.rate("f0.5", group, f)
        measures.append(replace(interval, value=value, n=round(float(asked.of.sum())), count=None))
    return measures


MEASURES = Measures(
    groups=lambda item: ("all", item.labels["position"], *_categories(item)),
    rates=tuple(Rate(gender.value, reads(gender)) for gender in (Gender.MASCULINE, Gender.FEMININE, Gender.NEUTRAL)),
    labels=lambda item: (item.line or item.id,),
    order=_order,
    own=_own,
    compared=lambda item: ("all", item.labels["position"]),
)
REWRITES = Measures(
    groups=lambda item: ("all", *_categories(item)),
    rates=(_PRECISION, _RECALL),
    order=_larger_first,
    own=_f,
    misgendered=False,  # another line than the reference says nothing of anybody's gender
    quality=False,  # a rewriter may leave lines empty
)
