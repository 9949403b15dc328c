"""Measures of people whose gender is open: which one a translator chooses, by position, category and occupation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.types import Gender, Item, Measure

_OCCUPATION = "occupation "  # begins the groups of single occupations
_LABELS = ("occupation", "position", "categories")
_Row = tuple[str, str, tuple[str, ...], Gender]  # sentence, occupation, groups, gender read


def key(item: Item) -> Key:
    """The sentence, and what its person is grouped by."""
    return (item.line or item.id, *(item.labels.get(name, "") for name in _LABELS))


def groups(item: Item) -> tuple[str, ...]:  # noqa: ARG001
    """None: no gender is expected."""
    return ()


def measures(tally: Tally) -> list[Measure]:
    """Shares of each gender, over all people and by group; how often people of one sentence get different ones."""
    rows: list[_Row] = []
    for ((line, occupation, position, categories), _, gender), number in tally.cells.items():
        own = ("all", position, *filter(None, categories.split(";")))
        rows += [(line, occupation, own, gender)] * number
    clusters = Clusters.of((occupation, "") for _, occupation, _, _ in rows)
    names = dict.fromkeys(group for _, _, own, _ in rows for group in own)
    ordered = sorted(names, key=lambda group: (group.isupper(), 0 if not group.isupper() else -_size(rows, group)))
    found = [
        measure for group in ordered for measure in _shares(group, [row for row in rows if group in row[2]], clusters)
    ]
    return [*found, *_mixed(rows), *_occupations(rows)]


def _size(rows: Sequence[_Row], group: str) -> int:
    return sum(group in own for _, _, own, _ in rows)


def _shares(group: str, rows: Sequence[_Row], clusters: Clusters) -> Iterable[Measure]:
    unread = sum(gender is Gender.UNKNOWN for _, _, _, gender in rows)
    for gender in (Gender.MASCULINE, Gender.FEMININE, Gender.NEUTRAL):
        share = clusters.share((occupation, seen is gender, 1) for _, occupation, _, seen in rows)
        yield clusters.rate(gender.value, group, share, unread)


def _mixed(rows: Sequence[_Row]) -> Iterable[Measure]:
    """Of sentences in which two people or more were read, those with a woman and a man."""
    read: dict[str, list[Gender]] = {}
    for line, _, _, gender in rows:
        if gender in (Gender.FEMININE, Gender.MASCULINE):
            read.setdefault(line, []).append(gender)
    several = {line: genders for line, genders in read.items() if len(genders) > 1}
    if several:
        clusters = Clusters.of((line, "") for line in several)
        share = clusters.share((line, len(set(genders)) > 1, 1) for line, genders in several.items())
        yield replace(clusters.rate("mixed", "sentences", share), unit="% of sentences")


def _occupations(rows: Sequence[_Row]) -> Iterable[Measure]:
    """The masculine share of each occupation, of what was read as either; too many for a printed table."""
    told: dict[str, list[tuple[str, bool]]] = {}
    for line, occupation, _, gender in rows:
        if gender in (Gender.FEMININE, Gender.MASCULINE):
            told.setdefault(occupation, []).append((line, gender is Gender.MASCULINE))
    for occupation, own in sorted(told.items()):
        clusters = Clusters.of((line, "") for line, _ in own)
        share = clusters.share((line, man, 1) for line, man in own)
        yield clusters.rate("masculine_of_read", _OCCUPATION + occupation, share, detail=True)


def shares(item: Item) -> tuple[str, ...]:
    """All, and where the person stands in the sentence."""
    return tuple(filter(None, ("all", item.labels.get("position", ""))))


FAMILY = Family(key, groups, measures, shares=shares)
