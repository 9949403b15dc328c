"""How much measures against a reference vary because its own shares are estimates.

The shares of all categories are drawn anew from what their standard errors allow, and every measure is computed again
with the same answers. The spread of a measure over the draws is added to the interval that it has over categories, in
squares. A mean bias is over the same jobs in every draw: those whose bias the reference bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from epicene.labour.reference import Reference
from epicene.sets.occupations.jobs import Job
from epicene.stats.rates import Z95
from epicene.types import Gender, Measure

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

DRAWS = 400
SEED = 20220101


def widened(measures: Sequence[Measure], spreads: Mapping[tuple[str, str], float]) -> list[Measure]:
    """The measures with intervals that hold the uncertainty of the reference too."""
    return [_widen(measure, spreads.get((measure.name, measure.group), 0.0)) for measure in measures]


def _widen(measure: Measure, spread: float) -> Measure:
    if not spread or measure.value is None or measure.low is None or measure.high is None:
        return measure
    least, most = 0.0, 100.0 if measure.unit == "%" else math.inf
    low = measure.value - math.hypot(measure.value - measure.low, Z95 * spread)
    high = measure.value + math.hypot(measure.high - measure.value, Z95 * spread)
    return replace(measure, low=max(least, low), high=min(most, high))


def spreads(
    reference: Reference, jobs: Sequence[Job], weights: Mapping[str, Sequence[float]]
) -> dict[tuple[str, str], float]:
    """The standard deviation of every measure over draws of the reference; ``weights``: of the jobs of each sector."""
    import numpy as np

    name, women = reference.name, _draw(reference, jobs)
    she, he = (_count(jobs, gender) for gender in (Gender.FEMININE, Gender.MASCULINE))
    answers = np.array([len(job.said) for job in jobs], dtype=float)
    gendered = she + he
    named = gendered > 0
    feminine, masculine = women > 50, women < 50
    wrong = he * feminine + she * masculine
    with np.errstate(divide="ignore", invalid="ignore"):
        made = (she * (100 - women) + he * women) / gendered
        needed = np.minimum(women, 100 - women)
        bias = np.where(named, (made - needed) / needed, 0.0)
        bounded = (
            named & np.isfinite(bias) & np.array([job.bias is not None and math.isfinite(job.bias) for job in jobs])
        )
        finite = np.where(bounded, bias, 0.0)
        values: dict[tuple[str, str], Array] = {}
        everybody = np.ones_like(feminine)
        groups = {name: everybody, f"{name} female-dominated": feminine, f"{name} male-dominated": masculine}
        for group, inside in groups.items():
            values["wrong", group] = 100 * _mean(wrong, answers, inside)
            values["wrong_of_gendered", group] = 100 * _mean(wrong, gendered, inside)
            values["bias", group] = _mean(finite, bounded.astype(float), inside)
            whose = group.removeprefix(name)
            for sector, weight in weights.items():
                if sector.endswith(whose) and (whose or not sector.endswith("-dominated")):
                    weighted = np.array(weight) * bounded
                    values["bias", f"{name} sector {sector}"] = _mean(finite * weighted, weighted, inside)
        values["wrong_to_women", name] = 100 * (he * feminine).sum(axis=1) / wrong.sum(axis=1)
        both = 2 * women * (100 - women) / 100
        for label, value in (("error", made), ("optimal_error", needed), ("probabilistic_error", both)):
            values[label, name] = _mean(np.where(named, value, 0.0), named.astype(float), everybody)
        biased = np.where(bounded & (bias > 0), bias, np.nan)
    values["bias_median", name] = np.array([np.median(row[~np.isnan(row)]) if (row > 0).any() else 0 for row in biased])
    return {key: float(np.std(value[np.isfinite(value)])) for key, value in values.items() if np.isfinite(value).any()}


def spread_of_wrong(reference: Reference, jobs: Sequence[Job]) -> float:
    """The standard deviation of the share of wrong pronouns, of he and she, over draws of the reference."""
    import numpy as np

    if not reference.uncertain:
        return 0.0
    women = _draw(reference, jobs)
    she, he = (_count(jobs, gender) for gender in (Gender.FEMININE, Gender.MASCULINE))
    wrong = he * (women > 50) + she * (women < 50)
    return float(np.std(wrong.sum(axis=1) / (she + he).sum()))


def _mean(counted: Array, of: Array, inside: npt.NDArray[np.bool_]) -> Array:
    means: Array = (counted * inside).sum(axis=1) / (of * inside).sum(axis=1)
    return means


def _count(jobs: Sequence[Job], gender: Gender) -> Array:
    import numpy as np

    return np.array([job.count(gender) for job in jobs], dtype=float)


def _draw(reference: Reference, jobs: Sequence[Job]) -> Array:
    """Shares of women in each draw, in per cent; jobs move together as far as they have the same rows."""
    import numpy as np

    mixed = np.zeros((len(reference.rows), len(jobs)))
    for column, job in enumerate(jobs):
        for row, part in job.share.parts:
            mixed[row, column] += part
    shares: Array = np.clip(reference.draws(DRAWS, SEED) @ mixed, 0.0, 100.0)
    return shares
