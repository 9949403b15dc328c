"""Coverage of corrected rates: 1,000 simulated reviews of 200 sentences, with detector errors that are known.

Each time the system translates SimpleGEN anew: every person comes out as woman, man or neither by fixed chances that
differ by group. A detector reads them with fixed errors, more of them in the sentences that it reads by a weak step.
200 sentences are reviewed in the order of the plan, and the corrected rates are compared with the chances. The interval
of the accuracy must cover the truth in 93 to 97 % of the reviews. Where the detector hardly errs, most strata show no
error at all; the interval then cannot be sharp, and covers more.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache

import numpy as np

from epicene.measures import simplegen
from epicene.measures.tally import Tally
from epicene.result import Result
from epicene.review.correction import reviewed
from epicene.review.plan import BUDGET, cases, queue
from epicene.sets.simplegen import SET
from epicene.store.decisions import Decision
from epicene.types import Gender, Item, Output, Pair, Verdict

REVIEWS = 1000
TRUE = (Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL)
READ = (*TRUE, Gender.UNKNOWN)
# How people of each group come out: as a woman, a man, neither.
OUTCOMES = {
    "MOMC": (0.01, 0.97, 0.02),
    "MOFC": (0.36, 0.61, 0.03),
    "FOFC": (0.84, 0.14, 0.02),
    "FOMC": (0.42, 0.55, 0.03),
}
# How each true gender is read: as feminine, masculine, neutral, or not at all.
DETECTORS = {
    "98 % right": ((0.98, 0.01, 0.005, 0.005), (0.01, 0.98, 0.005, 0.005), (0.02, 0.08, 0.88, 0.02)),
    "96 % right": ((0.96, 0.02, 0.01, 0.01), (0.015, 0.965, 0.01, 0.01), (0.02, 0.13, 0.83, 0.02)),
    "88 % right": ((0.85, 0.09, 0.02, 0.04), (0.05, 0.90, 0.02, 0.03), (0.05, 0.25, 0.65, 0.05)),
}
WEAK = ((0.80, 0.12, 0.03, 0.05), (0.08, 0.84, 0.03, 0.05), (0.05, 0.25, 0.60, 0.10))
WEAK_SHARE = 0.08
GROUPS = ("all", *OUTCOMES)


@cache
def _items() -> tuple[Item, ...]:
    return tuple(SET.items(Pair("en", "de")))


def _drawn(rows: Sequence[Sequence[float]], chance: np.random.Generator) -> list[int]:
    edges = np.cumsum(np.array(rows), axis=1)
    return [int(place) for place in np.minimum((chance.random((len(rows), 1)) > edges).sum(axis=1), len(rows[0]) - 1)]


def _result(detector: Sequence[Sequence[float]], chance: np.random.Generator) -> tuple[Result, list[Gender]]:
    """A run of SimpleGEN, and the genders that its translations really show."""
    truth = _drawn([OUTCOMES[item.labels["group"]] for item in _items()], chance)
    weak = chance.random(len(truth)) < WEAK_SHARE
    read = _drawn([(WEAK if doubtful else detector)[true] for true, doubtful in zip(truth, weak, strict=True)], chance)
    tally, verdicts = Tally(simplegen.key), []
    for item, place, doubtful in zip(_items(), read, weak, strict=True):
        verdict = Verdict(Output(item, "simulated", "de", ""), READ[place], "alignment" if doubtful else "lexicon")
        tally.add(verdict)
        verdicts.append(verdict)
    measures = [each for each in simplegen.measures(tally) if each.name == "correct" and each.group in GROUPS]
    signature = f"simulated {chance.random()}"  # so that other sentences are reviewed each time
    found = Result("simplegen", "en-de", "simulated", "epicene", signature, tally.n, tally.genders(), 0,
                   tuple(measures), tuple(verdicts))  # fmt: skip
    return found, [TRUE[place] for place in truth]


def _truth(group: str) -> float:
    if group != "all":
        return 100 * OUTCOMES[group][0 if group.endswith("FC") else 1]
    groups = [item.labels["group"] for item in _items()]
    return sum(_truth(each) for each in groups) / len(groups)


def covered(detector: Sequence[Sequence[float]], reviews: int, seed: int) -> dict[str, tuple[float, float, float]]:
    """By group: the share of reviews whose interval covers the truth, the bias left, and that of the plain rate."""
    chance = np.random.default_rng(seed)
    hits, errors, plain = ({group: [] for group in GROUPS} for _ in range(3))
    for _ in range(reviews):
        result, truth = _result(detector, chance)
        found = cases([result])
        true = {case.key: gender for case, gender in zip(found, truth, strict=True)}
        order, planned = queue(found, BUDGET)
        decisions = [Decision(case.key, "", "person", true[case.key]) for case in order[:planned]]
        for measure in reviewed([result], decisions)[0].measures:
            value, low, high = measure.corrected or (None, 0.0, 100.0)
            hits[measure.group].append(low <= _truth(measure.group) <= high)
            errors[measure.group].append((value or 0.0) - _truth(measure.group))
            plain[measure.group].append((measure.value or 0.0) - _truth(measure.group))
    return {g: (100 * float(np.mean(hits[g])), float(np.mean(errors[g])), float(np.mean(plain[g]))) for g in GROUPS}


def main() -> None:
    """Print coverage and bias by detector and group."""
    reviews = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdecimal() else REVIEWS
    print(f"{reviews} simulated reviews of {BUDGET} sentences each; 95 % intervals of 'correct'")
    print(f"{'detector':<12} {'group':<6} {'covers truth':>12} {'bias':>8} {'bias uncorrected':>17}")
    for seed, (name, detector) in enumerate(DETECTORS.items()):
        for group, (share, bias, plain) in covered(detector, reviews, seed).items():
            print(f"{name:<12} {group:<6} {share:>10.1f} % {bias:>+8.2f} {plain:>+17.2f}")


if __name__ == "__main__":
    main()
