"""WinoMT's measures: accuracy, F1 by gender, ΔG and ΔS, with intervals over occupations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from epicene.measures import Family
from epicene.measures.tally import Key, Tally
from epicene.stats.bootstrap import cluster_interval
from epicene.stats.rates import at_least_wilson
from epicene.types import Gender, Item, Measure

if TYPE_CHECKING:
    from epicene.stats.bootstrap import Array

GOLD = {"male": Gender.MASCULINE, "female": Gender.FEMININE, "neutral": Gender.NEUTRAL}
F1 = {"male": Gender.MASCULINE, "female": Gender.FEMININE}  # ΔG is that of the first less that of the second
GAPS = {"delta_s": ("accuracy", "pro", "anti")}  # gaps in a rate: first group less second
_SUBSETS = ("pro", "anti", "winogender")
_CELLS = {
    (subset, gold, read): number
    for number, (subset, gold, read) in enumerate(
        (subset, gold, read) for subset in _SUBSETS for gold in GOLD.values() for read in Gender
    )
}
Statistic = Callable[["Array"], "Array"]


def key(item: Item) -> Key:
    """Subset and occupation."""
    return item.labels["subset"], item.labels["occupation"]


def groups(item: Item) -> tuple[str, ...]:
    """All, the gold gender, and pro or anti."""
    subset = item.labels["subset"]
    return ("all", item.labels["gold"], *((subset,) if subset in ("pro", "anti") else ()))


def measures(tally: Tally) -> list[Measure]:
    """All measures of the family."""
    counts = _counts(tally)
    found = [_accuracy(counts, "all", _SUBSETS, tuple(GOLD.values()))]
    found += [_accuracy(counts, name, _SUBSETS, (gold,)) for name, gold in GOLD.items()]
    found += [_accuracy(counts, name, (name,), tuple(GOLD.values())) for name in ("pro", "anti")]
    n = tally.n
    found += [_value(counts, "f1", name, "%", n, _f1(gender)) for name, gender in F1.items()]
    found.append(_value(counts, "delta_g", "-".join(F1), "points", n, _difference(*map(_f1, F1.values()))))
    sizes = {measure.group: measure.n for measure in found}
    for name, (_, first, second) in GAPS.items():
        gap = _difference(_rate((first,)), _rate((second,)))
        found.append(_value(counts, name, f"{first}-{second}", "points", sizes[first] + sizes[second], gap))
    return found


def _counts(tally: Tally) -> Array:
    """One row per occupation, one column per subset, gold and read gender."""
    import numpy as np

    rows = {name: row for row, name in enumerate(sorted({cell[0][1] for cell in tally.cells}))}
    counts = np.zeros((len(rows), len(_CELLS)))
    for ((subset, occupation), expected, read), number in tally.cells.items():
        if expected is not None:
            counts[rows[occupation], _CELLS[subset, expected, read]] += number
    return counts


def _sum(sums: Array, subsets: tuple[str, ...], golds: tuple[Gender, ...], reads: tuple[Gender, ...]) -> Array:
    columns = [_CELLS[subset, gold, read] for subset in subsets for gold in golds for read in reads]
    total: Array = sums[:, columns].sum(axis=1)
    return total


def _rate(subsets: tuple[str, ...], golds: tuple[Gender, ...] = tuple(GOLD.values())) -> Statistic:
    def statistic(sums: Array) -> Array:
        right = sum(_sum(sums, subsets, (gold,), (gold,)) for gold in golds)
        return 100 * right / _sum(sums, subsets, golds, tuple(Gender))

    return statistic


def _f1(gender: Gender) -> Statistic:
    """F1 is nought, not undefined, where a system never reads the gender: it found none of those there are."""

    def statistic(sums: Array) -> Array:
        right = _sum(sums, _SUBSETS, (gender,), (gender,))
        gold = _sum(sums, _SUBSETS, (gender,), tuple(Gender))
        read = _sum(sums, _SUBSETS, tuple(GOLD.values()), (gender,))
        return 200 * right / (gold + read)

    return statistic


def _difference(first: Statistic, second: Statistic) -> Statistic:
    return lambda sums: first(sums) - second(sums)


def _accuracy(counts: Array, group: str, subsets: tuple[str, ...], golds: tuple[Gender, ...]) -> Measure:
    total = counts.sum(axis=0, keepdims=True)
    n = int(_sum(total, subsets, golds, tuple(Gender))[0])
    count = int(sum(_sum(total, subsets, (gold,), (gold,))[0] for gold in golds))
    unread = int(_sum(total, subsets, golds, (Gender.UNKNOWN,))[0])
    low, high = at_least_wilson(cluster_interval(counts, _rate(subsets, golds)), count, n)
    return Measure("accuracy", group, 100 * count / n if n else None, "%", n, count, low, high, unread=unread)


def _value(counts: Array, name: str, group: str, unit: str, n: int, statistic: Statistic) -> Measure:
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(statistic(counts.sum(axis=0, keepdims=True))[0])
    low, high = cluster_interval(counts, statistic) or (None, None)
    return Measure(name, group, value if np.isfinite(value) else None, unit, n, None, low, high)


FAMILY = Family(key, groups, measures, gaps=GAPS, f1=F1)
