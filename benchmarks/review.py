"""Coverage of corrected numbers in simulated reviews whose errors are known, by one person and by two."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks import run_parts
from epicene.measures.outcomes import Outcomes
from epicene.result import Result
from epicene.review.corrected import correct
from epicene.review.plan import BUDGET, Case, cases, queue
from epicene.review.store import Decision
from epicene.sets import simplegen
from epicene.sets.simplegen import SET
from epicene.types import Gender, Item, Output, Pair, Verdict

REVIEWS = 1000
TRUE = (Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL)
READ = (*TRUE, Gender.UNKNOWN)
WEAK_SHARE, WEAK_FACTOR = 0.08, 4.0  # of sentences read by a weak step, and how much more it errs
CELLS = ("MOMC", "MOFC", "FOFC", "FOMC")
GAPS = tuple(f"{first}-{second}" for _, _, first, second in simplegen.MEASURES.gaps)
MEASURES = ("correct", *(gap.name for gap in simplegen.MEASURES.gaps))
_MEASURED = replace(simplegen.MEASURES, rates=tuple(rate for rate in simplegen.MEASURES.rates if rate.name in MEASURES))
Matrix = npt.NDArray[np.float64]


class System(NamedTuple):
    """How often people of each group come out as they are, how many of them are women, and of how much of the set."""

    right: tuple[float, float, float, float]
    women: float
    share: float = 1.0

    @property
    def chances(self) -> dict[str, tuple[float, float, float]]:
        """By group: to come out as a woman, a man, neither."""
        found = {}
        for group, right in zip(CELLS, self.right, strict=True):
            neither = 0.15 * (1 - right)
            other = 1 - right - neither
            found[group] = (right, other, neither) if group.endswith("FC") else (other, right, neither)
        return found


DETECTORS = (0.80, 0.90, 0.97, 0.99)  # share of people read rightly
SYSTEMS = (
    System((0.70, 0.10, 0.35, 0.45), 0.5),
    System((0.97, 0.36, 0.84, 0.55), 0.5),
    System((0.97, 0.36, 0.84, 0.55), 0.15),
    System((0.93, 0.70, 0.85, 0.80), 0.15),
    System((0.98, 0.93, 0.96, 0.94), 0.5),
)


class Coverage(NamedTuple):
    """Of the interval of a group: in how many reviews it covers the truth, how wide it is, and the bias left."""

    covers: float
    width: float
    bias: float
    plain: float  # the bias without a correction


@cache
def _items(women: float, share: float) -> tuple[Item, ...]:
    """SimpleGEN, less so many sentences about women or men that the share of women is right."""
    chance = np.random.default_rng(0)
    keep = {"FC": share * min(1.0, women / (1 - women)), "MC": share * min(1.0, (1 - women) / women)}
    return tuple(item for item in SET.items(Pair("en", "de")) if chance.random() < keep[item.labels["group"][2:]])


def _reads(right: float) -> Matrix:
    """How each true gender is read: as feminine, masculine, neutral, or not at all; neutral forms are the hardest."""
    error, hard = 1 - right, min(0.6, 2.5 * (1 - right))
    return np.array(
        [
            (right, 0.60 * error, 0.15 * error, 0.25 * error),
            (0.40 * error, right, 0.25 * error, 0.35 * error),
            (0.15 * hard, 0.65 * hard, 1 - hard, 0.20 * hard),
        ]
    )


def _drawn(rows: Matrix, chance: np.random.Generator) -> npt.NDArray[np.int64]:
    edges = np.cumsum(rows, axis=1)[:, :-1]
    found: npt.NDArray[np.int64] = (chance.random((len(rows), 1)) > edges).sum(axis=1)
    return found


def _result(system: System, right: float, chance: np.random.Generator) -> tuple[Result, list[Gender]]:
    """A run of SimpleGEN, and the genders that its translations really show."""
    chances, pool = system.chances, _items(system.women, system.share)
    places = chance.integers(len(pool), size=len(pool))
    items = [replace(pool[place], id=str(number)) for number, place in enumerate(places)]
    error = (1 - right) / (1 - WEAK_SHARE + WEAK_SHARE * WEAK_FACTOR)
    truth = _drawn(np.array([chances[item.labels["group"]] for item in items]), chance)
    weak = chance.random(len(truth)) < WEAK_SHARE
    strong, doubtful = _reads(1 - error), _reads(1 - min(0.6, WEAK_FACTOR * error))
    read = _drawn(np.where(weak[:, None], doubtful[truth], strong[truth]), chance)
    verdicts = [
        Verdict(Output(item, "simulated", "de", ""), READ[place], "other-word" if unsure else "lexicon")
        for item, place, unsure in zip(items, read, weak, strict=True)
    ]
    signature = f"simulated {chance.random()}"  # so that other sentences are reviewed each time
    outcomes = Outcomes.of(_MEASURED, verdicts)
    measures = tuple(measure for measure in _MEASURED.compute(outcomes) if measure.name in MEASURES)
    counts = (len(outcomes), outcomes.genders(), 0, measures)
    result = Result("simplegen", "en-de", "simulated", "epicene", signature, *counts, verdicts=tuple(verdicts))
    return result, [TRUE[place] for place in truth]


def truth_of(system: System) -> dict[str, float]:
    """How many of each group come out right, and the gaps between groups, in per cent."""
    rates = {group: 100 * right for group, right in zip(CELLS, system.right, strict=True)}
    groups = Counter(item.labels["group"] for item in _items(system.women, system.share))
    found = {
        name: sum(groups[part] * rates[part] for part in parts) / sum(groups[part] for part in parts)
        for name, parts in simplegen.GROUPS.items()
    }
    found |= {f"{first}-{second}": found[first] - found[second] for _, _, first, second in simplegen.MEASURES.gaps}
    return found


def covered(system: System, right: float, reviews: int, seed: int) -> dict[str, Coverage]:
    """By group and gap, how the interval fares over many reviews."""
    chance = np.random.default_rng(seed)
    true = truth_of(system)
    rows: dict[str, list[Coverage]] = {name: [] for name in true}
    for _ in range(reviews):
        result, genders = _result(system, right, chance)
        found = cases([result])
        people = {case.key: gender for case, gender in zip(found, genders, strict=True)}
        order, planned = queue(found, BUDGET)
        decisions = [Decision(case.key, "", "person", people[case.key]) for case in order[:planned]]
        for measure in correct([result], decisions)[0].measures:
            if measure.corrected is None or measure.value is None:
                continue  # the review says too little about the detector to correct this group
            value, low, high = measure.corrected
            aim = true[measure.group]
            covers = 100.0 * (low <= aim <= high)
            rows[measure.group].append(Coverage(covers, high - low, value - aim, measure.value - aim))
    return {
        name: Coverage(*(float(np.mean(each)) for each in zip(*own, strict=True))) for name, own in rows.items() if own
    }


def print_one() -> None:
    """Coverage of corrected numbers: 1,000 simulated reviews of 200 sentences for each detector and system, errors
    known.

    Each time as many sentences are drawn from SimpleGEN, with replacement, since an interval is about the sentences
    that there might have been, and translated: every person comes out as woman, man or neither by fixed chances that
    differ by group. A detector reads them with fixed errors, four times as many in the sentences that it reads by a
    weak step. 200 sentences are reviewed in the order of the plan, and the corrected numbers are compared with the
    chances: the rates of SimpleGEN and its gaps. The interval of the accuracy must cover the truth in 93 to 97 % of
    the reviews.
    """
    reviews = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdecimal() else REVIEWS
    print(f"{reviews} simulated reviews of {BUDGET} sentences each; 95 % intervals of 'correct' and of gaps in it")
    print("detector  system  women   covers   width    bias  uncorrected  groups cover    gaps cover")
    plan = list(product(DETECTORS, SYSTEMS))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(covered, system, right, reviews, seed) for seed, (right, system) in enumerate(plan)]
        for (right, system), job in zip(plan, jobs, strict=True):
            found = job.result()
            whole, others = found["all"], [_span(found, names) for names in ((*CELLS, "pro", "anti"), GAPS)]
            print(
                f"{right:>6.0%} {truth_of(system)['all']:>7.0f} % {system.women:>6.0%} {whole.covers:>6.1f} % "
                f"{whole.width:>7.1f} {whole.bias:>+7.2f} {whole.plain:>+12.2f}  {'  '.join(others)}",
                flush=True,
            )


def _span(found: dict[str, Coverage], names: Sequence[str]) -> str:
    covers = [found[name].covers for name in names if name in found]
    return f"{min(covers):.1f} to {max(covers):>5.1f} %"


PAIRED_REVIEWS = 400
PAIRED_DETECTORS = (0.90, 0.97)
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
        result, genders = _result(system, right, chance)
        accuracy = tuple(each for each in result.measures if (each.name, each.group) == ("correct", "all"))
        whole = replace(result, measures=accuracy)
        found = cases([whole])
        people: dict[object, Gender] = {case.key: gender for case, gender in zip(found, genders, strict=True)}
        order, planned = queue(found, BUDGET)
        for state, decisions in _decisions(order[:planned], people, chance).items():
            (measure,) = (done := correct([whole], decisions)[0]).measures
            if measure.corrected and done.review:
                value, low, high = measure.corrected
                rows[state].append(Fared(100.0 * (low <= aim <= high), high - low, value - aim, done.review.unsettled))
    return {state: Fared(*(float(np.mean(each)) for each in zip(*own, strict=True))) for state, own in rows.items()}


def print_two() -> None:
    """Coverage of corrected rates when two people review: simulated reviews whose errors are known, adjudicated or not.

    As in ``review_coverage``, but two people read the same 200 sentences. Each errs by chance of their own in 3 % of
    the sentences that the detector reads surely, and in 12 % of those that it reads by a weak step, since these are
    hard for people as well. Where the two differ, the sentence is divided: *open* is before anybody adjudicates, *half*
    once somebody settled every second of these sentences, *closed* once all are settled. The interval of the accuracy
    must cover the truth in 93 to 97 % of the reviews, open and closed, and be the wider the more is open. *alone* is
    one person, whose errors nothing shows.
    """
    reviews = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdecimal() else PAIRED_REVIEWS
    print(f"{reviews} simulated reviews of {BUDGET} sentences by two people each; 95 % intervals of 'correct'")
    print("detector  system  state    covers   width    bias  divided")
    plan = [(right, system) for right in PAIRED_DETECTORS for system in SYSTEMS[1:5:3]]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(fared, system, right, reviews, seed) for seed, (right, system) in enumerate(plan)]
        for (right, system), job in zip(plan, jobs, strict=True):
            for state, own in job.result().items():
                head = f"{right:>6.0%} {truth_of(system)['all']:>7.0f} %  {state:<7}"
                print(
                    f"{head} {own.covers:>6.1f} % {own.width:>7.1f} {own.bias:>+7.2f} {own.divided:>8.1f}", flush=True
                )


PARTS = {"one": print_one, "two": print_two}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
