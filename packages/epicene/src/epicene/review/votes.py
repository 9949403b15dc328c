"""What several people say about the same sentences: the majority, ties, and what somebody settled between them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from epicene.result import Result
from epicene.review.store import Decision, Key
from epicene.stats.rates import Z95, wilson
from epicene.types import Gender, Measure

DIVIDED = "divided"


class Votes(NamedTuple):
    """What holds for each sentence, and what is still open."""

    truth: Mapping[Key, Gender]
    divided: Mapping[Key, tuple[Gender, ...]]  # as many people say one thing as another, and nobody adjudicated
    adjudicated: frozenset[Key] = frozenset()


def count_votes(decisions: Sequence[Decision]) -> Votes:
    """What most people say about each sentence; an adjudication holds, whatever was said before or after it."""
    votes: dict[Key, Counter[Gender]] = defaultdict(Counter)
    final: dict[Key, Gender] = {}
    for decision in decisions:
        if decision.gender and decision.final:
            final[decision.key] = decision.gender  # the last one, since decisions come oldest first
        elif decision.gender:
            votes[decision.key][decision.gender] += 1
    truth, divided, adjudicated = dict(final), {}, set()
    for key, counter in votes.items():
        most = max(counter.values())
        leading = tuple(gender for gender in Gender if counter[gender] == most)
        if key in final:
            if len(counter) > 1:
                adjudicated.add(key)
        elif len(leading) > 1:
            divided[key] = leading
        else:
            truth[key] = leading[0]
    return Votes(truth, divided, frozenset(adjudicated))


def attach_decisions(results: Sequence[Result], decisions: Sequence[Decision]) -> list[Result]:
    """The results with what people say about each sentence, where they do; divided is a saying as well."""
    outputs = {
        Key(result.set, result.langs, result.system, verdict.output.item.id): verdict.output.text
        for result in results
        for verdict in result.verdicts
    }
    votes = count_votes([decision for decision in decisions if outputs.get(decision.key) == decision.output])
    words: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for key, what in (*((k, g.value) for k, g in votes.truth.items()), *((k, DIVIDED) for k in votes.divided)):
        words[key.set, key.langs, key.system][key.id] = what
    return [replace(result, decided=words.get((result.set, result.langs, result.system), {})) for result in results]


def agreement(decisions: Sequence[Decision]) -> list[Measure]:
    """Cohen's κ of every two people over the sentences that both decided; adjudications are no opinions."""
    answers: dict[str, dict[Key, str]] = defaultdict(dict)
    for decision in decisions:
        if decision.gender and not decision.final:
            answers[decision.reviewer][decision.key] = decision.gender
    kappas = []
    for first, second in combinations(sorted(answers), 2):
        shared = answers[first].keys() & answers[second].keys()
        if not shared:
            continue
        kappa = cohens_kappa([(answers[first][key], answers[second][key]) for key in shared])
        value, low, high = kappa or (None, None, None)
        kappas.append(Measure("kappa", f"{first} / {second}", value, "", len(shared), low=low, high=high))
    return kappas


def cohens_kappa(pairs: Sequence[tuple[str, str]], z: float = Z95) -> tuple[float, float, float] | None:
    """Cohen's κ of what two people said about the same things, with its large-sample interval.

    The standard error is that of Fleiss, Cohen and Everitt (1969). It is nought where the two never differ; the lower
    end is then that of Wilson's interval for the share on which they agree. None where κ is not defined: no pairs, or
    both said one and the same thing throughout.
    """
    n = len(pairs)
    cells = Counter(pairs)
    first, second = Counter(pair[0] for pair in pairs), Counter(pair[1] for pair in pairs)
    agreed = sum(cells[name, name] for name in first) / n if n else 0.0
    chance = sum(first[name] * second[name] for name in first) / n**2 if n else 1.0
    if chance == 1.0:
        return None
    kappa = (agreed - chance) / (1 - chance)
    if agreed == 1.0:
        return kappa, (wilson(n, n, z)[0] - chance) / (1 - chance), 1.0
    diagonal = sum(cells[name, name] / n * (1 - (first[name] + second[name]) / n * (1 - kappa)) ** 2 for name in first)
    rest = (1 - kappa) ** 2 * sum(
        number / n * ((first[b] + second[a]) / n) ** 2 for (a, b), number in cells.items() if a != b
    )
    variance = max(0.0, diagonal + rest - (kappa - chance * (1 - kappa)) ** 2) / ((1 - chance) ** 2 * n)
    reach = z * math.sqrt(variance)
    return kappa, max(-1.0, kappa - reach), min(1.0, kappa + reach)
