"""Answers against one reference: wrong pronouns, whom they wrong, and how much worse than optimal they are.

A group is the name of the reference, with what it is narrowed to: "us-acs-2018", "us-acs-2018 female-dominated",
"us-acs-2018 near-even" (45 to 55 % women), "us-acs-2018 women 10–20 %", "us-acs-2018 sector Healthcare", "us-acs-2018
category Dancers", "us-acs-2018 occupation orvos". A category is what the reference has one figure for. An unbounded
bias (nobody of the gender named does the job, or by the reference's own error perhaps nobody) is counted as wrong and
apart, as ``unbounded``; no mean can have it in, and a median takes it for the largest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from epicene.labour.reference import Reference, find_interval
from epicene.measures.outcomes import Clusters, Outcomes
from epicene.measures.rates import Measures, Outcome, Profile, Rate, expects, is_misgendered, is_shown, reads
from epicene.sets.occupations import redrawn
from epicene.sets.occupations.conclusions import find_direction
from epicene.sets.occupations.jobs import ALWAYS_HE, DOMINATED, Answer, Job, joined, optimal_error, probabilistic_error
from epicene.stats import clustered
from epicene.stats.means import cluster_interval
from epicene.stats.rates import Z95
from epicene.types import Gender, Measure

if TYPE_CHECKING:
    from epicene.stats.means import Array

_COARSE = 5  # occupations that share a figure on average, from which on a reference says little of a single one
_CONSTANT = "the baseline is a constant"
_FEWEST = 8  # categories from which on resampling them tells how a correlation varies


def not_linked(reference: Reference, answers: Sequence[Answer]) -> list[str]:
    """What a reader should know of a reference: why occupations have no figure, rows that no occupation has, and its
    own notes."""
    by_reason: dict[str, dict[str, None]] = {}
    units = []
    for labels in {answer.labels["occupation"]: answer.labels for answer in answers}.values():
        share = reference.share(labels)
        if isinstance(share, str):
            by_reason.setdefault(share, {})[labels["occupation"]] = None
        else:
            units.append(share.unit)
    if reference.key == "occupation" and (unused := reference.unused([answer.labels for answer in answers])):
        by_reason["rows that name no occupation here"] = dict.fromkeys(unused)
    lines = [f"{why}: {len(names)} ({', '.join(names)})" for why, names in by_reason.items()]
    if len(units) > _COARSE * len(set(units)):
        lines.append(f"coarse: {len(units)} occupations have the figures of {len(set(units))} categories")
    source = [f"figures of {reference.source}"] if reference.source else []
    return [f"{reference.name}: {line}" for line in (*source, *lines, *reference.notes)]


def against(reference: Reference, answers: Sequence[Answer]) -> list[Measure]:
    """All measures of answers against a reference: of all, by dominating gender, by sector, category and occupation."""
    name, jobs = reference.name, joined(reference, answers)
    occupations = len({answer.labels["occupation"] for answer in answers})
    # How many are linked is no estimate: the reference has them or has them not.
    linked = Measure("linked", name, 100 * len(jobs) / occupations, "%", occupations, len(jobs))
    wrong = [job for job in jobs if job.wrong]
    weights = _sector_weights(jobs, reference.sized)
    outcomes = _count(name, jobs)
    follows = [(job.unit, job.women, job.she) for job in jobs if job.she is not None]
    measures = [*_errors(name, outcomes, wrong), correlation("correlation", name, follows)]
    measures += [_rate(outcomes, _SHE, f"{name} {tenth}") for tenth in _BY_TENTH]
    measures += _means(name, jobs, weights)
    spreads = redrawn.spreads(reference, jobs, weights) if reference.uncertain and jobs else {}
    share = outcomes.share(_TO_WOMEN, name)
    p = find_direction(share, outcomes.clusters.design, spreads.get((_TO_WOMEN.name, name), 0.0))
    return [
        linked,
        *(
            replace(measure, p=p) if measure.name == _TO_WOMEN.name else measure
            for measure in redrawn.widened(measures, spreads)
        ),
        *_baseline(reference, answers),
        *_people(reference),
        *_details(name, jobs),
        *_ranked(name, wrong),
    ]


# Wrong pronouns of all and of those that name a gender, and what was said: a row of the confusion matrix.
_PRONOUNS = (
    Rate("wrong", is_misgendered),
    Rate("wrong_of_gendered", is_misgendered, is_shown, undetected=False),
    Rate("said_she", reads(Gender.FEMININE)),
    Rate("said_he", reads(Gender.MASCULINE)),
    Rate("said_neutral", reads(Gender.NEUTRAL)),
)
_TO_WOMEN = Rate("wrong_to_women", expects(Gender.FEMININE), is_misgendered, undetected=False)
# How often "she" is said of jobs with 0 to 10, 10 to 20 … per cent of women, of the answers that name a gender.
_SHE = Rate("she_of_gendered", reads(Gender.FEMININE), is_shown, undetected=False)
_BY_TENTH = tuple(f"women {low}–{low + 10} %" for low in range(0, 100, 10))


def _count(name: str, jobs: Sequence[Job]) -> Outcomes:
    """The answers as outcomes: expected is the pronoun of the majority, and the unit a category of the reference."""
    outcomes = Outcomes(Measures(groups=lambda _: ()))
    for job in jobs:
        kinds = [whose for whose, gender in DOMINATED.items() if job.majority is gender]
        kinds += ["near-even"] if job.near_even else []
        groups = (name, *(f"{name} {kind}" for kind in (*kinds, _BY_TENTH[min(int(job.women // 10), 9)])))
        for gender, number in Counter(job.said).items():
            outcomes.add_outcome(Profile(groups, job.unit, ""), Outcome(job.majority, gender), number)
    return outcomes


def _rate(outcomes: Outcomes, rate: Rate, group: str) -> Measure:
    return outcomes.measure(rate, group) or Measure(rate.name, group, None, "%", 0, 0)


def _errors(name: str, outcomes: Outcomes, wrong: Sequence[Job]) -> list[Measure]:
    """Wrong pronouns, whom they wrong, and how large the bias is where there is one."""
    groups = (name, *(f"{name} {kind}" for kind in (*DOMINATED, "near-even")))
    return [
        *(_rate(outcomes, rate, group) for group in groups for rate in _PRONOUNS),
        _rate(outcomes, _TO_WOMEN, name),
        *_spread(name, wrong),
    ]


def _baseline(reference: Reference, answers: Sequence[Answer]) -> list[Measure]:
    """What a translator comes to that says he of every occupation, without intervals: it is a constant."""
    labels = {tuple(answer.labels.values()): answer.labels for answer in answers}
    jobs = joined(reference, [Answer(job_labels, Gender.MASCULINE) for job_labels in labels.values()])
    name = f"{reference.name} {ALWAYS_HE}"
    measures = [*_errors(name, _count(name, jobs), [job for job in jobs if job.wrong]), *_means(name, jobs, {})]
    return [replace(measure, low=None, high=None, why=_CONSTANT) for measure in measures]


def _people(reference: Reference) -> list[Measure]:
    """How feminine the people of a survey find all its jobs together, and by what they decided."""
    people = reference.people
    if people is None:
        return []
    (mean, error), rows = people.mean, sum(number > 0 for number in people.answers)
    measures = [Measure("femininity", reference.name, mean, "%", rows, None, mean - Z95 * error, mean + Z95 * error)]
    for motive, share in people.motives.items():
        estimate, named = clustered.rate(share), int((share.counted > 0).sum())
        value, group = 100 * float(estimate.value), f"{reference.name} motive {motive}"
        measures.append(Measure("motive", group, value, "%", people.respondents, named, *estimate.ends()))
    return measures


def _spread(group: str, wrong: Sequence[Job]) -> list[Measure]:
    """Median and range of the bias where there is one, and how often it is unbounded."""
    biased = [(job.unit, job.bias) for job in wrong if job.bias is not None]
    finite, n = [bias for _, bias in biased if math.isfinite(bias)], len(biased)
    return [
        _median("bias_median", group, biased),
        Measure("bias_min", group, min(finite, default=None), "", n),
        Measure("bias_max", group, max(finite, default=None), "", n),
        Measure("unbounded", group, n - len(finite), "occupations", n),
    ]


def _median(name: str, group: str, values: Sequence[tuple[str, float]]) -> Measure:
    """A median; its ends are the values at the ends of the interval, over categories, of the share below it."""
    if not values:
        return Measure(name, group, None, "", 0)
    ordered = sorted(value for _, value in values)
    middle, last = median(ordered), len(ordered) - 1
    if not math.isfinite(middle):
        return Measure(name, group, None, "", len(ordered), why="unbounded in half of the occupations or more")
    clusters = Clusters.of((unit, "") for unit, _ in values)
    below = clusters.rate(name, group, clusters.share((unit, value <= middle, 1) for unit, value in values))
    if below.low is None or below.high is None:
        return Measure(name, group, middle, "", len(ordered), why=below.why)
    low, high = ordered[int(below.low / 100 * last)], ordered[math.ceil(below.high / 100 * last)]
    why = None if math.isfinite(high) else "the upper end is unbounded"
    return Measure(name, group, middle, "", len(ordered), None, low, _finite(high), why=why)


def correlation(measure: str, group: str, pairs: Sequence[tuple[str, float, float]]) -> Measure:
    """Pearson's coefficient of pairs that belong to categories; its interval is by resampling these."""
    import numpy as np

    rows: dict[str, list[float]] = {}
    for unit, x, y in pairs:
        products = (1.0, x, y, x * x, y * y, x * y)
        rows[unit] = [sum(column) for column in zip(rows.get(unit, [0.0] * 6), products, strict=True)]
    counts = np.array([rows[unit] for unit in sorted(rows)], dtype=float).reshape(-1, 6)
    n, value = len(pairs), float(_pearson(counts.sum(axis=0)[None, :])[0])
    if not math.isfinite(value):
        return Measure(measure, group, None, "", n, why="one of the two never changes, or there are too few")
    low, high = (cluster_interval(counts, _pearson) if len(counts) >= _FEWEST else None) or (None, None)
    why = None if low is not None else "too few categories for an interval"
    return Measure(measure, group, value, "", n, None, low, high, why=why)


def _pearson(sums: Array) -> Array:
    import numpy as np

    n, x, y, xx, yy, xy = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.maximum(n * xx - x * x, 0.0) * np.maximum(n * yy - y * y, 0.0)
        coefficients: Array = np.where(spread > 1e-6, (n * xy - x * y) / np.sqrt(spread), np.nan)
    return coefficients


def _sector_weights(jobs: Sequence[Job], sized: bool) -> dict[str, list[float]]:
    """What each job weighs in each sector and whose: its category's heads, shared out among its jobs with a bias."""
    weights: dict[str, list[float]] = {}
    for sector in dict.fromkeys(job.labels["sector"] for job in jobs):
        for whose in ("", *DOMINATED):
            inside = [j.labels["sector"] == sector and (not whose or j.majority is DOMINATED[whose]) for j in jobs]
            heads: dict[str, float] = {}
            members = Counter[str]()
            for job in (job for job, is_inside in zip(jobs, inside, strict=True) if is_inside):
                men, women = job.share.men, job.share.women
                size = {"female-dominated": women, "male-dominated": men}.get(whose, men + women)
                # Occupations may have different parts of the same rows; the category weighs as much as the widest.
                heads[job.unit] = max(heads.get(job.unit, 0.0), size) if sized else 1.0
                members[job.unit] += _finite(job.bias) is not None
            weights[f"{sector} {whose}".strip()] = [
                heads[job.unit] / members[job.unit] if is_inside and members[job.unit] else 0.0
                for job, is_inside in zip(jobs, inside, strict=True)
            ]
    return weights


def _means(name: str, jobs: Sequence[Job], weights: Mapping[str, Sequence[float]]) -> list[Measure]:
    """Mean errors and bias, and the bias of sectors weighted by heads, with intervals over categories."""
    measures = [_mean("bias", name, "", [(job, job.bias, 1.0) for job in jobs])]
    for whose, gender in DOMINATED.items():
        part = [(job, job.bias, 1.0) for job in jobs if job.majority is gender]
        measures.append(_mean("bias", f"{name} {whose}", "", part))
    gendered = [job for job in jobs if job.error is not None]
    measures += [
        _mean(label, name, "points", [(j, error(j), 1.0) for j in gendered]) for label, error in _ERRORS.items()
    ]
    for sector, weight in weights.items():
        inside = [(job, job.bias, heads) for job, heads in zip(jobs, weight, strict=True) if heads]
        measures.append(_mean("bias", f"{name} sector {sector}", "", inside))
    return measures


def _mean(name: str, group: str, unit: str, values: Sequence[tuple[Job, float | None, float]]) -> Measure:
    """A weighted mean over occupations whose value is bounded."""
    known = [
        (job.unit, weight * value, weight)
        for job, value, weight in values
        if value is not None and math.isfinite(value)
    ]
    clusters = Clusters.of((category, "") for category, _, _ in known)
    return clusters.mean(name, group, unit, clusters.share(known), len(known), skewed=True)


def _details(name: str, jobs: Sequence[Job]) -> list[Measure]:
    """The bias of every category; share of women, errors and bias of every occupation, and how often it is she."""
    categories: dict[str, list[float]] = {}
    for job in jobs:
        if (bias := _finite(job.bias)) is not None:
            categories.setdefault(job.unit, []).append(bias)
    measures = [
        Measure("bias", f"{name} category {unit}", sum(biases) / len(biases), "", len(biases), detail=True)
        for unit, biases in categories.items()
    ]
    sampled = any(len(job.said) > 1 for job in jobs)
    for job in jobs:
        group, label = f"{name} occupation {job.labels['occupation']}", job.labels["english"]
        low, high = find_interval(job.women, job.share.error) or (None, None)
        measures.append(Measure("women", group, job.women, "%", 1, None, low, high, detail=True, label=label))
        for measure, value in (("error", job.error), ("optimal_error", optimal_error(job.women)), ("bias", job.bias)):
            unit, n = "" if measure == "bias" else "points", int(value is not None)
            measures.append(Measure(measure, group, _finite(value), unit, n, detail=True))
        if sampled:
            measures.append(Measure("she", group, job.she, "%", job.gendered, detail=True))
    return measures


def _ranked(name: str, wrong: Sequence[Job]) -> list[Measure]:
    """The wrong occupations, worst first: ``wrongly_he`` or ``wrongly_she`` with their bias; unbounded ones have none.

    Jobs with 45 to 55 % women come last, since neither pronoun is much better there.
    """
    measures = []
    for job in sorted(wrong, key=lambda job: (job.near_even, -(job.bias or 0.0), -abs(job.women - 50))):
        kind = "wrongly_he" if job.majority is Gender.FEMININE else "wrongly_she"
        group, label = f"{name} occupation {job.labels['occupation']}", job.labels["english"]
        measures.append(Measure(kind, group, _finite(job.bias), "", job.gendered, job.wrong, detail=True, label=label))
    return measures


# The translator, and the two optimal ones on the same occupations.
_ERRORS: dict[str, Callable[[Job], float | None]] = {
    "error": lambda job: job.error,
    "optimal_error": lambda job: optimal_error(job.women),
    "probabilistic_error": lambda job: probabilistic_error(job.women),
}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
