"""Answers against one reference: wrong pronouns, whom they wrong, and how much worse than optimal they are.

A group is the name of the reference, with what it is narrowed to: "us-acs-2018", "us-acs-2018 female-dominated",
"us-acs-2018 sector Healthcare", "us-acs-2018 category Dancers", "us-acs-2018 occupation orvos". A category is what the
reference has one figure for. An unbounded bias (nobody of the gender named does the job) is counted as wrong and
apart, as ``unbounded``; no mean can have it in, and a median takes it for the largest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from epicene.labour.optimal import bias, error, is_wrong, optimal, optimal_error, probabilistic_error
from epicene.labour.reference import Reference, Share
from epicene.measures.inference import Clusters
from epicene.stats.clustered import Share as Ratio
from epicene.stats.rates import median_interval
from epicene.types import Gender, Measure

DOMINATED = {"female-dominated": Gender.FEMININE, "male-dominated": Gender.MASCULINE}


class Answer(NamedTuple):
    """What was said of an occupation."""

    labels: Mapping[str, str]
    said: Gender


class Linked(NamedTuple):
    """An answer with the men and women of its occupation."""

    answer: Answer
    share: Share

    @property
    def bias(self) -> float | None:
        """B, infinite where it is unbounded, None where no gender was named."""
        return bias(self.share.women_pct, self.answer.said)

    @property
    def wrong(self) -> bool:
        """Whether the pronoun is that of the minority."""
        return is_wrong(self.share.women_pct, self.answer.said)


def linked(reference: Reference, answers: Sequence[Answer]) -> list[Linked]:
    """The answers whose occupation the reference has a figure for."""
    pairs = ((answer, reference.share(answer.labels)) for answer in answers)
    return [Linked(answer, share) for answer, share in pairs if isinstance(share, Share)]


def not_linked(reference: Reference, answers: Sequence[Answer]) -> list[str]:
    """One line for each reason why occupations have no figure, and one for the rows that no occupation has."""
    found: dict[str, list[str]] = {}
    for answer in answers:
        share = reference.share(answer.labels)
        if isinstance(share, str):
            found.setdefault(share, []).append(answer.labels["occupation"])
    if reference.key == "occupation" and (unused := reference.unused([answer.labels for answer in answers])):
        found["rows that name no occupation here"] = unused
    return [f"{reference.name}: {why}: {len(names)} ({', '.join(names)})" for why, names in found.items()]


def against(reference: Reference, answers: Sequence[Answer]) -> list[Measure]:
    """All measures of answers against a reference: of all, by dominating gender, by sector, category and occupation."""
    name, all_of = reference.name, linked(reference, answers)
    parts = {name: all_of}
    for dominated, gender in DOMINATED.items():
        parts[f"{name} {dominated}"] = [each for each in all_of if optimal(each.share.women_pct) is gender]
    # How many are linked is no estimate: the reference has them or has them not.
    found = [Measure("linked", name, 100 * len(all_of) / len(answers), "%", len(answers), len(all_of))]
    found += [measure for group, part in parts.items() for measure in _pronouns(group, part)]
    wrong = [each for each in all_of if each.wrong]
    found.append(_rate("wrong_to_women", name, wrong, lambda each: optimal(each.share.women_pct) is Gender.FEMININE))
    found += _spread(name, wrong)
    return found + _means(reference, parts) + _details(name, all_of)


def _pronouns(group: str, part: Sequence[Linked]) -> list[Measure]:
    """Wrong pronouns of all and of those that name a gender, and what was said: a row of the confusion matrix."""
    unread = sum(each.answer.said is Gender.UNKNOWN for each in part)
    gendered = [each for each in part if each.answer.said in (Gender.FEMININE, Gender.MASCULINE)]
    return [
        _rate("wrong", group, part, lambda each: each.wrong, unread),
        _rate("wrong_of_gendered", group, gendered, lambda each: each.wrong),
        _rate("said_she", group, part, lambda each: each.answer.said is Gender.FEMININE, unread),
        _rate("said_he", group, part, lambda each: each.answer.said is Gender.MASCULINE, unread),
        _rate("said_neutral", group, part, lambda each: each.answer.said is Gender.NEUTRAL, unread),
    ]


def _rate(
    name: str, group: str, part: Sequence[Linked], counted: Callable[[Linked], bool], unread: int | None = None
) -> Measure:
    """A share of occupations, with an interval over the categories of the reference."""
    clusters = Clusters.of((each.share.unit, "") for each in part)
    share = clusters.share((each.share.unit, counted(each), 1) for each in part)
    return clusters.rate(name, group, share, unread)


def _spread(group: str, wrong: Sequence[Linked]) -> list[Measure]:
    """Median and range of the bias where there is one, and how often it is unbounded."""
    values = [value for each in wrong if (value := each.bias) is not None]
    finite = [value for value in values if math.isfinite(value)]
    low, high = median_interval(values) or (None, None)
    n = len(values)
    return [
        Measure("bias_median", group, _finite(median(values)) if n else None, "", n, None, _finite(low), _finite(high)),
        Measure("bias_min", group, min(finite, default=None), "", n),
        Measure("bias_max", group, max(finite, default=None), "", n),
        Measure("unbounded", group, len(values) - len(finite), "occupations", n),
    ]


def _means(reference: Reference, parts: Mapping[str, Sequence[Linked]]) -> list[Measure]:
    """Mean errors and bias, and the bias of sectors weighted by heads, with intervals over categories."""
    name, all_of = reference.name, parts[reference.name]
    columns: list[tuple[str, str, str, _Column]] = []
    for group, part in parts.items():
        columns.append(("bias", group, "", _plain(part, lambda each: each.bias)))
    gendered = [each for each in all_of if _error(each) is not None]
    for label, value in _ERRORS.items():
        columns.append((label, name, "points", _plain(gendered, value)))
    for sector in dict.fromkeys(each.answer.labels["sector"] for each in all_of):
        for group, part in parts.items():
            members = [each for each in part if each.answer.labels["sector"] == sector]
            whose = group.removeprefix(name)
            column = _weighted(members, whose.strip(), reference.sized)
            columns.append(("bias", f"{name} sector {sector}{whose}", "", column))
    return _ratios(columns)


class _Column(NamedTuple):
    """A ratio of sums over categories: numerator and denominator of each, and how many answers are in it."""

    sums: Mapping[str, tuple[float, float]]
    n: int


def _plain(part: Sequence[Linked], value: Callable[[Linked], float | None]) -> _Column:
    """The mean over occupations."""
    sums: dict[str, tuple[float, float]] = {}
    for each in part:
        found = value(each)
        if found is not None and math.isfinite(found):
            total, count = sums.get(each.share.unit, (0.0, 0.0))
            sums[each.share.unit] = total + found, count + 1
    return _Column(sums, round(sum(count for _, count in sums.values())))


def _weighted(part: Sequence[Linked], whose: str, sized: bool) -> _Column:
    """The mean over categories, each the mean of its occupations, weighted by the women, the men or all in it."""
    plain = _plain(part, lambda each: each.bias)
    heads: dict[str, float] = {}
    for each in part:
        men, women = each.share.men, each.share.women
        size = {"female-dominated": women, "male-dominated": men}.get(whose, men + women)
        # Occupations may have different parts of the same rows; the category weighs as much as the widest.
        heads[each.share.unit] = max(heads.get(each.share.unit, 0.0), size) if sized else 1.0
    return _Column({unit: (heads[unit] * total / n, heads[unit]) for unit, (total, n) in plain.sums.items()}, plain.n)


def _ratios(columns: Sequence[tuple[str, str, str, _Column]]) -> list[Measure]:
    import numpy as np

    found = []
    for name, group, unit, column in columns:
        clusters = Clusters.of((category, "") for category in column.sums)
        sums = np.array([column.sums[category] for category in clusters.rows], dtype=float).reshape(-1, 2)
        found.append(clusters.mean(name, group, unit, Ratio(sums[:, 0], sums[:, 1]), column.n))
    return found


def _details(name: str, all_of: Sequence[Linked]) -> list[Measure]:
    """The bias of every category, and errors and bias of every occupation."""
    found = [
        Measure("bias", f"{name} category {unit}", total / count, "", round(count), detail=True)
        for unit, (total, count) in _plain(all_of, lambda each: each.bias).sums.items()
    ]
    for each in all_of:
        group = f"{name} occupation {each.answer.labels['occupation']}"
        women = each.share.women_pct
        for measure, value in (("error", _error(each)), ("optimal_error", optimal_error(women)), ("bias", each.bias)):
            unit = "" if measure == "bias" else "points"
            found.append(Measure(measure, group, _finite(value), unit, int(value is not None), detail=True))
    return found


def _error(each: Linked) -> float | None:
    return error(each.share.women_pct, each.answer.said)


# The translator, and the two optimal ones on the same occupations.
_ERRORS: dict[str, Callable[[Linked], float | None]] = {
    "error": _error,
    "optimal_error": lambda each: optimal_error(each.share.women_pct),
    "probabilistic_error": lambda each: probabilistic_error(each.share.women_pct),
}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
