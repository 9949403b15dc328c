"""Which sentences people are asked about, and in which order.

Doubtful ones come first: those that could not be read, and those read by the weaker steps. Then comes a stratified
random sample of the rest. At any moment those asked about so far are a random sample of each stratum, so that a review
can be broken off; and every reviewer is asked in the same order, so that their answers can be compared.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import NamedTuple

from epicene.result import Result
from epicene.review.store import Key
from epicene.types import Gender, Verdict

BUDGET = 200  # sentences of each set, language pair and detector
DOUBTFUL = frozenset({"other-word"})  # methods that guess


class Case(NamedTuple):
    """A verdict that people may be asked about."""

    signature: str
    key: Key
    verdict: Verdict


class Kind(NamedTuple):
    """What a stratum holds: verdicts of one reading and one expected gender, doubtful or not."""

    doubtful: bool
    read: Gender
    expected: str


def cases(results: Sequence[Result]) -> list[Case]:
    """All verdicts of a run."""
    return [
        Case(result.signature, Key(result.set, result.langs, result.system, verdict.output.item.id), verdict)
        for result in results
        for verdict in result.verdicts
    ]


def kind(verdict: Verdict) -> Kind:
    """The stratum of a verdict."""
    doubtful = verdict.gender is Gender.UNKNOWN or verdict.step in DOUBTFUL
    return Kind(doubtful, verdict.gender, verdict.output.item.expected or "")


def queue(every: Sequence[Case], budget: int = BUDGET) -> tuple[list[Case], int]:
    """All cases in the order in which people are asked, and how many of them the plan needs."""
    ranked: list[tuple[int, float, Case]] = []
    planned = 0
    for signature in dict.fromkeys(case.signature for case in every):
        cases_of_reader = [case for case in every if case.signature == signature]
        ranked += _rank(cases_of_reader, budget)
        planned += min(budget, len(cases_of_reader))
    ranked.sort(key=lambda row: (row[0], row[1], row[2].signature))
    return [case for _, _, case in ranked], planned


def _rank(every: Sequence[Case], budget: int) -> list[tuple[int, float, Case]]:
    """Phase and place of each case: doubtful ones for half the budget at most, the rest of it, and what is left."""
    strata: dict[Kind, list[Case]] = {}
    for case in sorted(every, key=_draw):
        strata.setdefault(kind(case.verdict), []).append(case)
    doubtful: list[tuple[float, Case]] = []
    sure: list[tuple[float, Case]] = []
    for stratum, members in strata.items():
        # Taken in this order, a stratum gives a number of sentences that grows with the root of its size.
        places = [((index + 0.5) / math.sqrt(len(members)), case) for index, case in enumerate(members)]
        (doubtful if stratum.doubtful else sure).extend(places)
    for part in (doubtful, sure):
        part.sort(key=lambda row: row[0])
    first = min(len(doubtful), max(budget // 2, budget - len(sure)))
    second = min(len(sure), budget - first)
    phases = (doubtful[:first], sure[:second], doubtful[first:] + sure[second:])
    return [(phase, place, case) for phase, places in enumerate(phases) for place, case in places]


def _draw(case: Case) -> bytes:
    """A place that is random but the same on every machine and every day."""
    name = "\t".join((case.signature, *case.key))
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
