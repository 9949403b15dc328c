"""The conclusions of Farkas and Németh (2022) as measures of any result: each an estimate, an interval and a test.

``wrong_to_women``: bias against women is more frequent than bias against men; tested against one half.
``closer_to_opinion``: the answers are closer to what people think than to who does the job; on the jobs that a survey
and the statistics both have a figure for, wrong pronouns by the statistics less those by the survey.
``occupation_less_adjective``: occupations matter more than adjectives; how often the pronoun is another for another
occupation, less how often an adjective changes it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from epicene.labour.reference import Reference
from epicene.measures.outcomes import Clusters
from epicene.sets.occupations import redrawn
from epicene.sets.occupations.jobs import ADJECTIVES, ALWAYS_HE, Answer, Job, joined
from epicene.stats import clustered
from epicene.stats.clustered import Design, Estimate, Share
from epicene.stats.student import student_quantile
from epicene.types import Gender, Measure

_SURE = 0.05
_NAMES = {
    "wrong_to_women": "more against women ({statistics})",
    "closer_to_opinion": "closer to {opinion} than {statistics}",
    "occupation_less_adjective": "occupations over adjectives",
}
_AND = " and "  # between the names of statistics and survey


class Conclusion(NamedTuple):
    """A conclusion of the paper, and what a result says of it."""

    statement: str
    measure: Measure
    least: float  # the value that it must lie above

    @property
    def holds(self) -> str:
        """What the test says of it: yes, no (the reverse is significant), unclear, or a dash where there is none."""
        if self.measure.value is None or self.measure.p is None:
            return "–"
        if self.measure.p >= _SURE:
            return "unclear"
        return "yes" if self.measure.value > self.least else "no"


def conclude(measures: Sequence[Measure]) -> list[Conclusion]:
    """What a result says of every conclusion, by every reference; nothing of the baseline."""
    conclusions = []
    for name, words in _NAMES.items():
        for measure in measures:
            if measure.name == name and not measure.group.endswith(ALWAYS_HE):
                statistics, _, opinion = measure.group.partition(_AND)
                statement = words.format(statistics=statistics, opinion=opinion)
                conclusions.append(Conclusion(statement, measure, 50.0 if measure.unit == "%" else 0.0))
    return conclusions


def compare_opinions(references: Sequence[Reference], answers: Sequence[Answer]) -> list[Measure]:
    """Every survey beside every table of statistics, for the answers and for the baseline."""
    surveys, tables = ([one for one in references if one.opinion is whether] for whether in (True, False))
    constant = [Answer(answer.labels, Gender.MASCULINE) for answer in answers]
    measures = []
    for opinion, statistics in product(surveys, tables):
        measures += _compare_opinion(opinion, statistics, answers)
        measures += [
            replace(measure, group=f"{measure.group} {ALWAYS_HE}", low=None, high=None, p=None, why=None)
            for measure in _compare_opinion(opinion, statistics, constant)
        ]
    return measures


def _compare_opinion(opinion: Reference, statistics: Reference, answers: Sequence[Answer]) -> list[Measure]:
    """Wrong pronouns by a survey and by statistics on the jobs that both have, and how much closer opinion is."""
    by_opinion = {job.labels["occupation"]: job for job in joined(opinion, answers)}
    pairs = [
        (by_opinion[job.labels["occupation"]], job)
        for job in joined(statistics, answers)
        if job.gendered and job.labels["occupation"] in by_opinion
    ]
    if not pairs:
        return []
    names = (f"{opinion.name}{_AND}{statistics.name}", f"{statistics.name}{_AND}{opinion.name}")
    sides: tuple[list[Job], list[Job]] = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    measures = []
    for name, jobs in zip(names, sides, strict=True):
        categories = Clusters.of((job.unit, "") for job in jobs)
        share = categories.share((job.unit, job.wrong, job.gendered) for job in jobs)
        measures.append(categories.rate("wrong_of_shared", name, share))
    clusters = Clusters.of((job.unit, "") for job in sides[1])
    more = clusters.share((job.unit, max(0, job.wrong - other.wrong), job.gendered) for other, job in pairs)
    fewer = clusters.share((job.unit, max(0, other.wrong - job.wrong), job.gendered) for other, job in pairs)
    estimate = clustered.difference(more.counted, fewer.counted, more.of, clusters.design)
    spreads = [redrawn.spread_of_wrong(*side) for side in zip((opinion, statistics), sides, strict=True)]
    measures.append(_measure("closer_to_opinion", names[1], estimate, spreads, len(pairs)))
    return measures


def find_direction(to_women: Share, design: Design, spread: float) -> float | None:
    """How surely women and men are not wronged equally often; ``spread`` is that of the share, by the reference."""
    if not to_women.of.any():
        return None
    estimate = clustered.difference(to_women.counted, to_women.of - to_women.counted, to_women.of, design)
    return _measure("", "", estimate, (2 * spread / 100,), 0).p


def compare_adjectives(wordings: Mapping[str, Sequence[Answer]], category: str) -> list[Measure]:
    """How often another occupation, and how often an adjective, has another pronoun than the plain sentence has."""
    plain = {answer.labels["occupation"]: answer for answer in wordings.get("plain", ()) if answer.names_gender}
    changes: dict[str, list[bool]] = {}
    for variant in ADJECTIVES:
        for answer in wordings.get(variant, ()):
            if answer.names_gender and (before := plain.get(answer.labels["occupation"])):
                changes.setdefault(before.labels["occupation"], []).append(answer.said is not before.said)
    if len(changes) < 2:
        return []
    she = sum(plain[word].said is Gender.FEMININE for word in changes) / len(changes)
    other = 2 * she * (1 - she) * len(changes) / (len(changes) - 1)
    # How far each occupation pulls the chance that two of them differ (the first term of Hoeffding's decomposition).
    pulls = {word: other + 2 * (1 - 2 * she) * ((plain[word].said is Gender.FEMININE) - she) for word in changes}
    adjectives = {word: sum(changed) / len(changed) for word, changed in changes.items()}
    units = {word: plain[word].labels[category] or word for word in changes}
    clusters = Clusters.of((unit, "") for unit in units.values())

    def share(values: Mapping[str, float]) -> Share:
        return clusters.share((units[word], value, 1) for word, value in values.items())

    n = len(changes)
    gaps = {word: pulls[word] - adjectives[word] for word in changes}
    return [
        clusters.mean("changed_by_occupation", "adjectives", "%", share(pulls), n, scale=100.0),
        clusters.mean("changed_by_adjective", "adjectives", "%", share(adjectives), n, scale=100.0),
        _measure("occupation_less_adjective", "adjectives", clustered.mean(share(gaps), clusters.design), (), n),
    ]


def _measure(name: str, group: str, estimate: Estimate, spreads: Sequence[float], n: int) -> Measure:
    """A difference in points; what references vary by is added to its own error, in squares."""
    import numpy as np

    value = float(estimate.value)
    if estimate.error is None or estimate.df is None:
        return Measure(name, group, 100 * value, "points", n, why=estimate.why)
    error = math.hypot(float(estimate.error), *spreads)
    half = float(student_quantile(estimate.df, 0.975)) * error
    low, high = max(-1.0, value - half), min(1.0, value + half)
    p = estimate._replace(error=np.array(error)).p_value()
    return Measure(
        name, group, 100 * value, "points", n, None, 100 * low, 100 * high, None if p is None else min(1.0, float(p))
    )
