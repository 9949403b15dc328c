"""What several people say about the same sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations

from epicene.stats.agreement import cohens_kappa
from epicene.store.reviews import Decision, Key
from epicene.types import Gender, Measure


def settled(decisions: Sequence[Decision]) -> tuple[dict[Key, Gender], int]:
    """What most people say about each sentence, and about how many as many say one thing as another."""
    votes: dict[Key, Counter[Gender]] = defaultdict(Counter)
    for each in decisions:
        if each.gender:
            votes[each.key][each.gender] += 1
    found, tied = {}, 0
    for key, counter in votes.items():
        (gender, most), *others = counter.most_common()
        if others and others[0][1] == most:
            tied += 1
        else:
            found[key] = gender
    return found, tied


def agreement(decisions: Sequence[Decision]) -> list[Measure]:
    """Cohen's κ of every two people over the sentences that both decided."""
    answers: dict[str, dict[Key, str]] = defaultdict(dict)
    for each in decisions:
        if each.gender:
            answers[each.reviewer][each.key] = each.gender
    found = []
    for first, second in combinations(sorted(answers), 2):
        shared = answers[first].keys() & answers[second].keys()
        if not shared:
            continue
        kappa = cohens_kappa([(answers[first][key], answers[second][key]) for key in shared])
        value, low, high = kappa or (None, None, None)
        found.append(Measure("kappa", f"{first} / {second}", value, "", len(shared), low=low, high=high))
    return found
