"""WiBeMT's measures: how many translations are feminine (%TFG) and right (%TCG), by word class, pronoun, occupation.

Groups are ``verbs`` and ``adjectives``, then ``adjectives/feminine`` (the class of the word), ``adjectives/she`` (the
pronoun), ``adjectives/feminine/she`` and ``verbs/occ-feminine`` (the third of the occupation's gender score).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from epicene.labour.reference import Reference
from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import Measures, Rate, is_shown, is_stated, reads
from epicene.sets.wibemt.hypotheses import run_tests
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
_PRONOUNS = {"feminine": "she", "masculine": "he"}
_ORDER = ("all", "adjectives", "verbs", "none", "feminine", "neutral", "masculine", "she", "he")


def _labels(item: Item) -> tuple[str, ...]:
    """Part, class of the word, pronoun, third of the occupation's score, occupation."""
    labels = item.labels
    return labels["part"], labels["class"], labels["pronoun"], labels["group"], labels["occupation"]


def _groups(item: Item) -> tuple[str, ...]:
    return tuple(_names(*_labels(item)[:4]))


def _compared(item: Item) -> tuple[str, ...]:
    """The groups of a sentence; all that leave the gender open are of one part, so that it stands for all."""
    return _groups(item) if item.expected else _groups(item)[1:]


def _names(part: str, word_class: str, pronoun: str, third: str) -> Iterator[str]:
    yield from ("all", part, f"{part}/{word_class}")
    if third:
        yield f"{part}/occ-{third}"
    if pronoun:
        yield f"{part}/{_PRONOUNS[pronoun]}"
        yield f"{part}/{word_class}/{_PRONOUNS[pronoun]}"


def _own(outcomes: Outcomes, references: Sequence[Reference]) -> list[Measure]:  # noqa: ARG001
    """Categories of each group, and the hypotheses that the groups allow."""
    counts = group_counts(outcomes)
    categories = [measure for group, rows in counts.items() for measure in _categories(group, rows)]
    return categories + [m for test in run_tests(counts, outcomes.clusters.strata) for m in test.measures()]


def group_counts(outcomes: Outcomes) -> dict[str, Array]:
    """Per group one row an occupation: feminine, masculine, neutral, wrong, right, not right."""
    import numpy as np

    counts = {}
    for group in _order(outcomes.group_sizes()):
        shares = [outcomes.share(Rate("", reads(gender)), group) for gender in CATEGORIES]
        told = outcomes.share(_TCG, group)
        counts[group] = np.column_stack([*(share.counted for share in shares), told.counted, told.of - told.counted])
    return counts


def _order(sizes: Mapping[str, int]) -> list[str]:
    """The groups in reading order; a part is none where it is all there is."""
    parts = {group for group in sizes if group in ("adjectives", "verbs")}
    return sorted((group for group in sizes if len(parts) > 1 or group not in parts), key=_place)


def _place(group: str) -> tuple[int, int, list[tuple[int, str]]]:
    """Parts before their groups, classes before pronouns before occupations, in reading order."""
    part, *rest = group.split("/")
    names = [(_ORDER.index(name) if name in _ORDER else len(_ORDER), name) for name in rest]
    occupations = [(_ORDER.index(name.removeprefix("occ-")), name) for name in rest if name.startswith("occ-")]
    kind = 3 if occupations else len(rest) if rest[-1:] not in (["she"], ["he"]) or len(rest) > 1 else 1
    return _ORDER.index(part), kind, occupations or names


def _categories(group: str, rows: Array) -> Iterator[Measure]:
    total = rows.sum(axis=0)
    n = int(total[: len(_COLUMNS)].sum())
    for gender, name in CATEGORIES.items():
        count = int(total[_COLUMNS[gender]])
        yield Measure(name, group, float(count), "sentences", n, count)


_TFG = Rate("tfg", reads(Gender.FEMININE), is_shown, excluded=reads(Gender.UNKNOWN))
_TCG = Rate(
    "tcg",
    lambda outcome: outcome.gender is outcome.expected,
    lambda outcome: is_stated(outcome) and outcome.shown,
    excluded=lambda outcome: is_stated(outcome) and outcome.undetected,
)
MEASURES = Measures(
    groups=_groups,
    rates=(_TFG, _TCG),
    stratum=lambda item: item.labels["group"],  # the third of the scores that the occupation was drawn from
    labels=_labels,
    order=_order,
    own=_own,
    compared=_compared,
)
