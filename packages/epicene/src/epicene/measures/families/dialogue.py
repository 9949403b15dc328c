"""Measures of dialogues: agreement with what is told, and what is chosen where nothing is, by role and stereotype."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.types import Gender, Item, Measure

_LABELS = ("role", "told", "stereotype", "occupation")
_TOLD = (Gender.FEMININE, Gender.MASCULINE)
GAPS = {"gap": ("accuracy", "feminine", "masculine")}  # in a rate: first group less second
_ORDER = ("all", "feminine", "masculine", "speaker", "listener", "named", "man or woman", "pronoun")
_Row = tuple[str, tuple[str, ...], Gender | None, Gender, int]  # unit, groups, expected, read, people


def key(item: Item) -> Key:
    """Role, how the gender is told, stereotype, and the word that must agree."""
    return tuple(item.labels[name] for name in _LABELS)


def groups(item: Item) -> tuple[str, ...]:
    """All, the gender, the role, how it is told, and the stereotype."""
    return _groups(item.expected, *key(item)[:3]) if item.expected else ()


def _groups(expected: Gender | None, role: str, told: str, stereotype: str) -> tuple[str, ...]:
    described = f"{stereotype} stereotype" if stereotype else ""
    return tuple(filter(None, ("all", expected.value if expected else "", role, told if expected else "", described)))


def measures(tally: Tally) -> list[Measure]:
    """Accuracy where a gender is told and shown, by group, then the masculine share where none is told."""
    rows: list[_Row] = [
        (unit, _groups(expected, role, told, stereotype), expected, gender, number)
        for ((role, told, stereotype, unit), expected, gender), number in tally.cells.items()
    ]
    clusters = Clusters.of((unit, "") for unit, *_ in rows)
    told = [row for row in rows if row[2] is not None]
    names = _in_order(told)
    found = [_accuracy(group, [row for row in told if group in row[1]], clusters) for group in names]
    free = [row for row in rows if row[2] is None]
    found += [_masculine(group, [row for row in free if group in row[1]], clusters) for group in _in_order(free)]
    return [*found, *_gap(told, clusters)]


def _in_order(rows: Sequence[_Row]) -> list[str]:
    """The groups as docs list them, whatever the first dialogue is about."""
    names = sorted({group for row in rows for group in row[1]})
    return sorted(names, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER))


def _accuracy(group: str, rows: Sequence[_Row], clusters: Clusters) -> Measure:
    apart = sum(n for _, _, _, gender, n in rows if gender not in _TOLD)
    shown = ((unit, n * (gender is gold), n) for unit, _, gold, gender, n in rows if gender in _TOLD)
    return clusters.rate("accuracy", group, clusters.share(shown), apart=apart)


def _masculine(group: str, rows: Sequence[_Row], clusters: Clusters) -> Measure:
    apart = sum(n for _, _, _, gender, n in rows if gender not in _TOLD)
    shown = ((unit, n * (gender is Gender.MASCULINE), n) for unit, _, _, gender, n in rows if gender in _TOLD)
    return clusters.rate("masculine", f"not told: {group}", clusters.share(shown), apart=apart)


def _gap(rows: Sequence[_Row], clusters: Clusters) -> Iterable[Measure]:
    women, men = (
        clusters.share(
            (unit, n * (seen is gold), n) for unit, _, gold, seen, n in rows if gold is gender and seen in _TOLD
        )
        for gender in _TOLD
    )
    yield clusters.gap("gap", "feminine-masculine", women, men)


FAMILY = Family(key, groups, measures, gaps=GAPS, main_gaps=("gap",), of_shown=True)
