"""Coverage of corrected rates when two people review: simulated reviews whose errors are known, adjudicated or not.

As in ``review_coverage``, but two people read the same 200 sentences. Each errs by chance of their own in 3 % of the
sentences that the detector reads surely, and in 12 % of those that it reads by a weak step, since these are hard for
people as well. Where the two differ, the sentence is divided: *open* is before anybody adjudicates, *half* once
somebody settled every second of these sentences, *closed* once all are settled. The interval of the accuracy must cover
the truth in 93 to 97 % of the reviews, open and closed, and be the wider the more is open. *alone* is one person, whose
errors nothing shows.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from benchmarks.review_coverage import SYSTEMS, TRUE, System, _results, truth_of
from epicene.review.correction import reviewed
from epicene.review.plan import BUDGET, Case, cases, queue
from epicene.review.store import Decision
from epicene.types import Gender

REVIEWS = 400
DETECTORS = (0.90, 0.97)
ERRS, WEAK = 0.03, 0.12
STATES = ("alone", "open", "half", "closed")


class Fared(NamedTuple):
    """How the interval of the accuracy fares in one state of a review."""

    covers: float
    width: float
    bias: float
    divided: float


def _answer(truth: Gender, errs: float, chance: np.random.Generator) -> Gender:
    """What a person says: the truth, or one of the other two by chance."""
    if chance.random() >= errs:
        return truth
    others = [gender for gender in TRUE if gender is not truth]
    return others[int(chance.integers(len(others)))]


def _decisions(
    asked: Sequence[Case], people: dict[object, Gender], chance: np.random.Generator
) -> dict[str, list[Decision]]:
    first, second, final = [], [], []
    for case in asked:
        errs = WEAK if case.verdict.step == "alignment" else ERRS
        one, other = (_answer(people[case.key], errs, chance) for _ in range(2))
        first.append(Decision(case.key, "", "anna", one))
        second.append(Decision(case.key, "", "ben", other))
        if one is not other:
            final.append(Decision(case.key, "", "cleo", people[case.key], final=True))
    both = [*first, *second]
    return {"alone": first, "open": both, "half": [*both, *final[::2]], "closed": [*both, *final]}


def fared(system: System, right: float, reviews: int, seed: int) -> dict[str, Fared]:
    """By state of the review, how the interval fares over many of them."""
    chance = np.random.default_rng(seed)
    aim = truth_of(system)["all"]
    rows: dict[str, list[Fared]] = {state: [] for state in STATES}
    for _ in range(reviews):
        (result, _), genders = _results(system, right, chance)
        accuracy = tuple(each for each in result.measures if (each.name, each.group) == ("correct", "all"))
        whole = replace(result, measures=accuracy)
        found = cases([whole])
        people: dict[object, Gender] = {case.key: gender for case, gender in zip(found, genders, strict=True)}
        order, planned = queue(found, BUDGET)
        for state, decisions in _decisions(order[:planned], people, chance).items():
            (measure,) = (done := reviewed([whole], decisions)[0]).measures
            if measure.corrected and done.review:
                value, low, high = measure.corrected
                rows[state].append(Fared(100.0 * (low <= aim <= high), high - low, value - aim, done.review.unsettled))
    return {state: Fared(*(float(np.mean(each)) for each in zip(*own, strict=True))) for state, own in rows.items()}


def main() -> None:
    """Print how the interval of the accuracy fares before and after adjudication."""
    reviews = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdecimal() else REVIEWS
    print(f"{reviews} simulated reviews of {BUDGET} sentences by two people each; 95 % intervals of 'correct'")
    print("detector  system  state    covers   width    bias  divided")
    plan = [(right, system) for right in DETECTORS for system in SYSTEMS[1:5:3]]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(fared, system, right, reviews, seed) for seed, (right, system) in enumerate(plan)]
        for (right, system), job in zip(plan, jobs, strict=True):
            for state, own in job.result().items():
                head = f"{right:>6.0%} {truth_of(system)['all']:>7.0f} %  {state:<7}"
                print(
                    f"{head} {own.covers:>6.1f} % {own.width:>7.1f} {own.bias:>+7.2f} {own.divided:>8.1f}", flush=True
                )


if __name__ == "__main__":
    main()
