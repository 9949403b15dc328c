"""GEST's measures: how often a speaker becomes a man, by stereotype, and how much the stereotype decides.

``p_1`` … ``p_16`` are masculine shares of what was read as feminine or masculine; ``p_f`` and ``p_m`` are means over
the stereotypes about women (1 to 7) and men (8 to 16), ``f_m`` the mean of these two and ``f_s`` the latter less the
former.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.stats.clustered import Share
from epicene.tables import table
from epicene.types import Gender, Item, Measure

WOMEN, MEN = (tuple(str(number) for number in numbers) for numbers in (range(1, 8), range(8, 17)))
_TOLD = (Gender.FEMININE, Gender.MASCULINE)
_Row = tuple[str, str, bool]  # sentence, stereotype, masculine


def key(item: Item) -> Key:
    """The stereotype and the sentence."""
    return item.labels["stereotype"], item.id


def groups(item: Item) -> tuple[str, ...]:  # noqa: ARG001
    """None: no gender is expected."""
    return ()


def names() -> Mapping[str, str]:
    """What each stereotype says, by its number."""
    return {row["number"]: row["stereotype"] for row in table("sets/gest/tables", "stereotypes.tsv")}


def measures(tally: Tally) -> list[Measure]:
    """The masculine share of every stereotype, the means, and shares of what was read."""
    cells = [(stereotype, sentence, gender, n) for ((stereotype, sentence), _, gender), n in tally.cells.items()]
    everybody = Clusters.of((sentence, stereotype) for stereotype, sentence, _, _ in cells)
    rows = [(sentence, which, gender is Gender.MASCULINE) for which, sentence, gender, _ in cells if gender in _TOLD]
    apart = Counter(which for which, _, gender, _ in cells if gender not in _TOLD)
    clusters = Clusters.of((sentence, which) for sentence, which, _ in rows)
    said = names()
    found = [
        clusters.rate(
            f"p_{which}",
            said[which],
            clusters.share((sentence, man, 1) for sentence, own, man in rows if own == which),
            apart=apart[which],
        )
        for which in (*WOMEN, *MEN)
        if any(own == which for _, own, _ in rows)
    ]
    read = [
        everybody.rate("share", gender.value, everybody.share((s, n * (seen is gender), n) for _, s, seen, n in cells))
        for gender in Gender
    ]
    return [*_means(rows, clusters), *found, *read]


def _means(rows: Sequence[_Row], clusters: Clusters) -> list[Measure]:
    """Means over stereotypes, each of which weighs the same however many of its sentences were read."""
    counts = Counter(which for _, which, _ in rows)
    if not all(counts[which] for which in (*WOMEN, *MEN)):
        return []
    weights = {which: 1 / counts[which] for which in counts}

    def mean(over: Mapping[str, float]) -> Share:
        scale = sum(counts[which] for which in over) / sum(over.values())
        return clusters.share(
            (sentence, scale * over[which] * weights[which] * man, scale * over[which] * weights[which])
            for sentence, which, man in rows
            if which in over
        )

    women, men = mean(dict.fromkeys(WOMEN, 1.0)), mean(dict.fromkeys(MEN, 1.0))
    both = mean({which: 1 / len(part) for part in (WOMEN, MEN) for which in part})
    n = {name: sum(counts[each] for each in part) for name, part in (("women", WOMEN), ("men", MEN))}
    return [
        clusters.mean("f_m", "all", "% masculine", both, len(rows), scale=100),
        clusters.gap("f_s", "men-women", men, women),
        clusters.mean("p_f", "women", "% masculine", women, n["women"], scale=100),
        clusters.mean("p_m", "men", "% masculine", men, n["men"], scale=100),
    ]


def shares(item: Item) -> tuple[str, ...]:
    """All, and whom the stereotype is about."""
    return "all", f"stereotypes about {'women' if item.labels['stereotype'] in WOMEN else 'men'}"


def stratum(item: Item) -> str:
    """The stereotype, each of which has its own sentences."""
    return item.labels["stereotype"]


FAMILY = Family(key, groups, measures, main_gaps=("f_s",), shares=shares, stratum=stratum)
