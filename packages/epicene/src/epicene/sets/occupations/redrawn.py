"""How much measures against a reference vary because its own shares are estimates.

The shares of all categories are drawn anew from what their standard errors allow (on the logit scale, so that they
stay between 0 and 100 %), and every measure is computed again with the same answers. The spread of a measure over the
draws is added to the interval that it has over categories, in squares.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from epicene.sets.occupations.jobs import Z95, Job
from epicene.types import Gender, Measure

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

DRAWS = 400
SEED = 20220101
_LEAST = 0.0025  # share of women or men in a draw: nobody seen is not nobody, and a bias stays finite


def widened(measures: Sequence[Measure], spreads: Mapping[tuple[str, str], float]) -> list[Measure]:
    """The measures with intervals that hold the uncertainty of the reference too."""
    return [_widened(each, spreads.get((each.name, each.group), 0.0)) for each in measures]


def _widened(measure: Measure, spread: float) -> Measure:
    if not spread or measure.value is None or measure.low is None or measure.high is None:
        return measure
    least, most = 0.0, 100.0 if measure.unit == "%" else math.inf
    low = measure.value - math.hypot(measure.value - measure.low, Z95 * spread)
    high = measure.value + math.hypot(measure.high - measure.value, Z95 * spread)
    return replace(measure, low=max(least, low), high=min(most, high))


def spreads(name: str, jobs: Sequence[Job], weights: Mapping[str, Sequence[float]]) -> dict[tuple[str, str], float]:
    """The standard deviation of every measure over draws of the reference; ``weights``: of the jobs of each sector."""
    import numpy as np

    women = _drawn(jobs)
    she, he, all_of = (np.array([_count(job, said) for job in jobs], dtype=float) for said in ("she", "he", "all"))
    gendered = she + he
    named = gendered > 0
    feminine, masculine = women > 50, women < 50
    wrong = he * feminine + she * masculine
    with np.errstate(divide="ignore", invalid="ignore"):
        made = (she * (100 - women) + he * women) / gendered
        needed = np.minimum(women, 100 - women)
        bias = np.where(named, (made - needed) / needed, 0.0)
        bounded = named & np.isfinite(bias)  # as in the measures, whose means leave out an unbounded bias
        finite = np.where(bounded, bias, 0.0)
        values: dict[tuple[str, str], Array] = {}
        everybody = np.ones_like(feminine)
        groups = {name: everybody, f"{name} female-dominated": feminine, f"{name} male-dominated": masculine}
        for group, inside in groups.items():
            values["wrong", group] = 100 * _mean(wrong, all_of, inside)
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
        biased = np.where(named & (bias > 0), bias, np.nan)
    values["bias_median", name] = np.array([np.median(row[~np.isnan(row)]) if (row > 0).any() else 0 for row in biased])
    return {key: float(np.std(value[np.isfinite(value)])) for key, value in values.items() if np.isfinite(value).any()}


def _mean(counted: Array, of: Array, inside: npt.NDArray[np.bool_]) -> Array:
    found: Array = (counted * inside).sum(axis=1) / (of * inside).sum(axis=1)
    return found


def _count(job: Job, said: str) -> int:
    if said == "all":
        return len(job.said)
    return job.count(Gender.FEMININE if said == "she" else Gender.MASCULINE)


def _drawn(jobs: Sequence[Job]) -> Array:
    """Shares of women in each draw, in per cent; jobs of one category move together."""
    import numpy as np

    units = {unit: place for place, unit in enumerate(dict.fromkeys(job.unit for job in jobs))}
    noise = np.random.default_rng(SEED).standard_normal((DRAWS, len(units)))[:, [units[job.unit] for job in jobs]]
    share = np.array([job.women for job in jobs]) / 100
    inside = np.clip(share, _LEAST, 1 - _LEAST)
    error = np.array([job.share.error for job in jobs]) / 100
    moved = np.log(inside / (1 - inside)) + noise * error / (inside * (1 - inside))
    found: Array = 100 * np.where(error > 0, np.clip(1 / (1 + np.exp(-moved)), _LEAST, 1 - _LEAST), share)
    return found
