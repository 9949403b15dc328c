"""WiBeMT's measures: how many translations are feminine (%TFG) and right (%TCG), by word class, pronoun, occupation.

Groups are ``verbs`` and ``adjectives``, then ``adjectives/feminine`` (the class of the word), ``adjectives/she`` (the
pronoun), ``adjectives/feminine/she`` and ``verbs/occ-feminine`` (the third of the occupation's gender score).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.tally import Key, Tally
from epicene.sets.wibemt.hypotheses import run_tests
from epicene.stats.clustered import Share
from epicene.types import Gender, Item, Measure

if TYPE_CHECKING:
    from epicene.stats.clustered import Array

CATEGORIES = {
    Gender.FEMININE: "feminine",
    Gender.MASCULINE: "masculine",
    Gender.NEUTRAL: "neutral",
    Gender.UNKNOWN: "wrong",
}
_COLUMNS = {gender: column for column, gender in enumerate(CATEGORIES)}
_RIGHT, _OTHER = len(_COLUMNS), len(_COLUMNS) + 1  # of those with an expected gender and a feminine or masculine form
_PRONOUNS = {"feminine": "she", "masculine": "he"}
_ORDER = ("all", "adjectives", "verbs", "none", "feminine", "neutral", "masculine", "she", "he")


def key(item: Item) -> Key:
    """Part, class of the word, pronoun, third of the occupation's score, occupation."""
    labels = item.labels
    return labels["part"], labels["class"], labels["pronoun"], labels["group"], labels["occupation"]


def groups(item: Item) -> tuple[str, ...]:
    """The groups that a sentence with an expected gender counts for; verb sentences have none."""
    return tuple(_names(*key(item)[:4])) if item.expected else ()


def stratum(item: Item) -> str:
    """The third of the gender scores that the occupation was drawn from, where sentences say it."""
    return item.labels["group"]


def _names(part: str, word_class: str, pronoun: str, third: str) -> Iterator[str]:
    yield from ("all", part, f"{part}/{word_class}")
    if third:
        yield f"{part}/occ-{third}"
    if pronoun:
        yield f"{part}/{_PRONOUNS[pronoun]}"
        yield f"{part}/{word_class}/{_PRONOUNS[pronoun]}"


def measures(tally: Tally) -> list[Measure]:
    """Categories of each group, %TFG, %TCG, and the hypotheses that the groups allow."""
    counts, clusters = group_counts(tally), occupations(tally)
    found = [measure for group, rows in counts.items() for measure in _rates(group, rows, clusters)]
    found += [measure for group, rows in counts.items() for measure in _categories(group, rows)]
    return found + [measure for test in run_tests(counts, clusters.strata) for measure in test.measures()]


def occupations(tally: Tally) -> Clusters:
    """The occupations, in the rows of ``group_counts``, with the thirds that they were drawn from."""
    return Clusters.of((occupation, third) for (_, _, _, third, occupation), _, _ in tally.cells)


def group_counts(tally: Tally) -> dict[str, Array]:
    """Per group one row an occupation: feminine, masculine, neutral, wrong, right, not right."""
    import numpy as np

    rows = occupations(tally).rows
    counts: dict[str, Array] = {}
    for ((*labels, occupation), expected, gender), number in tally.cells.items():
        for group in _names(*labels):
            if group not in counts:
                counts[group] = np.zeros((len(rows), _OTHER + 1))
            row = counts[group][rows[occupation]]
            row[_COLUMNS[gender]] += number
            if expected is not None and gender in (Gender.FEMININE, Gender.MASCULINE):
                row[_RIGHT if gender == expected else _OTHER] += number
    parts = {group for group in counts if group in ("adjectives", "verbs")}
    kept = (group for group in counts if len(parts) > 1 or group not in parts)
    return {group: counts[group] for group in sorted(kept, key=_place)}


def _place(group: str) -> tuple[int, int, list[tuple[int, str]]]:
    """Parts before their groups, classes before pronouns before occupations, in reading order."""
    part, *rest = group.split("/")
    names = [(_ORDER.index(name) if name in _ORDER else len(_ORDER), name) for name in rest]
    occupations = [(_ORDER.index(name.removeprefix("occ-")), name) for name in rest if name.startswith("occ-")]
    kind = 3 if occupations else len(rest) if rest[-1:] not in (["she"], ["he"]) or len(rest) > 1 else 1
    return _ORDER.index(part), kind, occupations or names


def _rates(group: str, rows: Array, clusters: Clusters) -> Iterator[Measure]:
    yield _rate("tfg", group, rows, clusters, _COLUMNS[Gender.FEMININE], _COLUMNS[Gender.MASCULINE])
    if rows[:, [_RIGHT, _OTHER]].any():
        yield _rate("tcg", group, rows, clusters, _RIGHT, _OTHER)


def _rate(name: str, group: str, rows: Array, clusters: Clusters, first: int, second: int) -> Measure:
    """The share of the first count in the first and second."""
    share = Share(rows[:, first], rows[:, first] + rows[:, second])
    return clusters.rate(name, group, share, apart=int(rows[:, _COLUMNS[Gender.UNKNOWN]].sum()))


def _categories(group: str, rows: Array) -> Iterator[Measure]:
    total = rows.sum(axis=0)
    n = int(total[: len(_COLUMNS)].sum())
    for gender, name in CATEGORIES.items():
        count = int(total[_COLUMNS[gender]])
        yield Measure(name, group, float(count), "sentences", n, count)


def shares(item: Item) -> tuple[str, ...]:
    """The groups of a sentence without a pronoun, which leaves the gender open: all of them are of one part."""
    return tuple(_names(*key(item)[:4]))[1:]


FAMILY = Family(key, groups, measures, stratum=stratum, shares=shares)
