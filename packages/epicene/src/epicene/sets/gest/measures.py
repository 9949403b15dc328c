"""GEST's measures: how often a speaker becomes a man, by stereotype, and how much the stereotype decides.

``p_1`` … ``p_16`` are masculine shares of what was read as feminine or masculine; ``p_f`` and ``p_m`` are means over
the stereotypes about women (1 to 7) and men (8 to 16), ``f_m`` the mean of these two and ``f_s`` the latter less the
former.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from epicene.labour.reference import Reference
from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import Measures, Rate, is_shown, reads
from epicene.stats.clustered import Share
from epicene.tables import table
from epicene.types import Gender, Item, Measure

WOMEN, MEN = (tuple(str(number) for number in numbers) for numbers in (range(1, 8), range(8, 17)))
_SAYS = {row["number"]: row["stereotype"] for row in table("sets/gest/tables", "stereotypes.tsv")}


def _stereotype(item: Item) -> str:
    return item.labels["stereotype"]


def _compared(item: Item) -> tuple[str, ...]:
    """All, and whom the stereotype is about."""
    return "all", f"stereotypes about {'women' if _stereotype(item) in WOMEN else 'men'}"


def _means(outcomes: Outcomes, references: Sequence[Reference]) -> list[Measure]:  # noqa: ARG001
    """Means over stereotypes, each of which weighs the same however many of its sentences were read."""
    rows = [
        (profile.unit, profile.stratum, outcome.gender is Gender.MASCULINE, number)
        for profile, outcome, number in outcomes.cells()
        if outcome.shown
    ]
    counts = Counter[str]()
    for _, which, _, number in rows:
        counts[which] += number
    if not all(counts[which] for which in (*WOMEN, *MEN)):
        return []
    clusters, weights = outcomes.clusters, {which: 1 / counts[which] for which in counts}

    def mean(over: Mapping[str, float]) -> Share:
        scale = sum(counts[which] for which in over) / sum(over.values())
        return clusters.share(
            (sentence, scale * over[which] * weights[which] * man * n, scale * over[which] * weights[which] * n)
            for sentence, which, man, n in rows
            if which in over
        )

    women, men = mean(dict.fromkeys(WOMEN, 1.0)), mean(dict.fromkeys(MEN, 1.0))
    both = mean({which: 1 / len(part) for part in (WOMEN, MEN) for which in part})
    about_women, about_men = (sum(counts[which] for which in part) for part in (WOMEN, MEN))
    return [
        clusters.mean("f_m", "all", "% masculine", both, counts.total(), scale=100),
        clusters.gap("f_s", "men-women", men, women),
        clusters.mean("p_f", "women", "% masculine", women, about_women, scale=100),
        clusters.mean("p_m", "men", "% masculine", men, about_men, scale=100),
    ]


MEASURES = Measures(
    groups=lambda item: (_SAYS[_stereotype(item)],),
    rates=tuple(
        Rate(
            f"p_{which}",
            reads(Gender.MASCULINE),
            is_shown,
            excluded=lambda outcome: not outcome.shown,
            groups=(_SAYS[which],),
        )
        for which in (*WOMEN, *MEN)
    ),
    stratum=_stereotype,
    order=lambda sizes: [said for said in _SAYS.values() if said in sizes],
    own=_means,
    compared=_compared,
    gated=("f_s",),
    shares=True,
)
