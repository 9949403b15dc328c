"""WiBeMT's measures: how many translations are feminine (%TFG) and right (%TCG), by word class, pronoun, occupation.

Groups are ``verbs`` and ``adjectives``, then ``adjectives/feminine`` (the class of the word), ``adjectives/she`` (the
pronoun), ``adjectives/feminine/she`` and ``verbs/occ-feminine`` (the third of the occupation's gender score). Tests of
the authors' hypotheses have the hypothesis as their group: H1, H2a, ….
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import Measures, Rate, both, is_as_expected, is_shown, is_stated, is_undetected, reads
from epicene.sets.wibemt.files import CATEGORIES
from epicene.stats import clustered
from epicene.stats.rates import Table, bonferroni, chi_square, odds_ratio
from epicene.types import Gender, Item, Measure

if TYPE_CHECKING:
    from epicene.stats.clustered import Array, Design

ALPHA = 0.05
# The categories as measures: feminine, masculine, neutral, wrong.
COUNTED = tuple("wrong" if gender is Gender.UNKNOWN else gender.value for gender in CATEGORIES.values())
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


class Hypothesis(NamedTuple):
    """The first group has more feminine translations than the second, or fewer."""

    name: str
    first: str
    second: str
    tests: int  # how many tests of one family share the error: Bonferroni
    more: bool = True
    claim: str = ""

    def holds(self, p: float, gap: float) -> bool:
        """Whether a difference is significant and goes the way the hypothesis says."""
        return p < ALPHA and (gap > 0) == self.more


# H2b's published p of .008 is three times that of its chi-square: the authors adjusted for H2a to H2c, not for H1.
HYPOTHESES = (
    Hypothesis("H1", "verbs/feminine", "verbs/masculine", 1, claim="feminine verbs bring more feminine translations"),
    Hypothesis("H2a", "adjectives/feminine", "adjectives/none", 3, claim="feminine adjectives bring more of them"),
    Hypothesis("H2b", "adjectives/masculine", "adjectives/none", 3, False, "masculine adjectives bring fewer of them"),
    Hypothesis("H2c", "adjectives/feminine", "adjectives/masculine", 3, claim="feminine ones more than masculine ones"),
    Hypothesis("occ-M", "verbs/occ-feminine", "verbs/occ-masculine", 2, claim="feminine occupations against masculine"),
    Hypothesis("occ-N", "verbs/occ-feminine", "verbs/occ-neutral", 2, claim="feminine occupations against neutral"),
)


def _own(outcomes: Outcomes) -> list[Measure]:
    """Categories of each group, and the hypotheses that the groups allow."""
    counts = _count_categories(outcomes)
    measures = [measure for group, rows in counts.items() for measure in _categories(group, rows)]
    for hypothesis in HYPOTHESES:
        if hypothesis.first in counts and hypothesis.second in counts:
            first, second = counts[hypothesis.first], counts[hypothesis.second]
            measures += _test(hypothesis, first, second, outcomes.clusters.design)
    return measures


def _count_categories(outcomes: Outcomes) -> dict[str, Array]:
    """Per group a row for each occupation: feminine, masculine, neutral, wrong."""
    import numpy as np

    counts = {}
    for group in _order(outcomes.group_sizes()):
        shares = [outcomes.share(Rate("", reads(gender)), group) for gender in CATEGORIES.values()]
        counts[group] = np.column_stack([share.counted for share in shares])
    return counts


def _test(hypothesis: Hypothesis, first: Array, second: Array, design: Design) -> Iterator[Measure]:
    """Chi-square with Yates' correction, and how large the effect is; nothing where neither is defined."""
    table = Table(*(int(cell) for side in (first, second) for cell in side.sum(axis=0)[:2]))
    chi, odds = chi_square(table), odds_ratio(table)
    if chi is None or odds is None:
        return
    shares = [clustered.Share(side[:, 0], side[:, 0] + side[:, 1]) for side in (first, second)]
    gap = clustered.gap(shares[0], shares[1], design)
    name, n, p = hypothesis.name, sum(table), gap.p_value()
    yield Measure("chi2", name, chi[0], "χ²", n, p=bonferroni(chi[1], hypothesis.tests))
    # Its p is over occupations, and agrees with its interval.
    clustered_p = None if p is None else float(p)
    yield Measure("delta_tfg", name, 100 * float(gap.value), "points", n, None, *gap.ends(), clustered_p)
    yield Measure("odds_ratio", name, odds[0], "", n, None, odds[1], odds[2])


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
    counts = [int(count) for count in rows.sum(axis=0)]
    for name, count in zip(COUNTED, counts, strict=True):
        yield Measure(name, group, float(count), "sentences", sum(counts), count)


_TFG = Rate("tfg", reads(Gender.FEMININE), is_shown, excluded=is_undetected)
_TCG = Rate("tcg", is_as_expected, both(is_stated, is_shown), excluded=both(is_stated, is_undetected))
MEASURES = Measures(
    groups=_groups,
    rates=(_TFG, _TCG),
    stratum=lambda item: item.labels["group"],  # the third of the scores that the occupation was drawn from
    template=lambda item: item.labels.get("word", ""),
    labels=_labels,
    order=_order,
    own=_own,
    compared=_compared,
)
