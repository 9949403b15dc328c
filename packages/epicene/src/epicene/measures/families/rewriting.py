"""Measures of rewriters, as GATE's authors compute them: precision, recall and F0.5, whole and by category."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.types import Gender, Item, Measure

_BETA = 0.5
_Row = tuple[str, bool, bool]  # sentence, whether it matches, whether anything was written


def key(item: Item) -> Key:
    """The sentence and its categories."""
    return item.id, item.labels["categories"]


def groups(item: Item) -> tuple[str, ...]:
    """All, and the categories."""
    return ("all", *filter(None, item.labels["categories"].split(";")))


def measures(tally: Tally) -> list[Measure]:
    """The three figures of all sentences and of each category, the larger ones first."""
    rows: dict[str, list[_Row]] = {"all": []}
    for ((sentence, categories), expected, gender), number in tally.cells.items():
        row = sentence, gender is expected, gender is not Gender.UNKNOWN
        for group in ("all", *filter(None, categories.split(";"))):
            rows.setdefault(group, []).extend([row] * number)
    ordered = sorted(rows, key=lambda group: (group != "all", -len(rows[group]), group))
    return [measure for group in ordered for measure in _figures(group, rows[group])]


def _figures(group: str, rows: list[_Row]) -> Iterable[Measure]:
    clusters = Clusters.of((sentence, "") for sentence, _, _ in rows)
    precision = clusters.share((sentence, match, written) for sentence, match, written in rows)
    recall = clusters.share((sentence, match, 1) for sentence, match, _ in rows)
    yield clusters.rate("precision", group, precision)
    yield clusters.rate("recall", group, recall)
    # F as a ratio of sums, so that it has an interval too: (1 + b²) matches over b² sentences and lines written.
    square = _BETA * _BETA
    f = clusters.share((s, (1 + square) * match, square + written) for s, match, written in rows)
    value = 100 * float(f.counted.sum() / f.of.sum()) if f.of.any() else None
    interval = clusters.rate("f0.5", group, f._replace(size=recall.of))
    yield replace(interval, value=value, n=len(rows), count=None)


FAMILY = Family(key, groups, measures, quality=False)  # a rewriter may leave lines empty
