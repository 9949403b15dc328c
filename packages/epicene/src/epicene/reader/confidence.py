"""How often a verdict such as this one is right: one logistic function of the decision, whatever step it was.

The weights were fitted on labelled translations of sentences that are folded by source; ``python -m benchmarks.reading
fit`` makes them anew and says what they are worth. A verdict that is no answer has no confidence.
"""

from __future__ import annotations

import math
import re
import tomllib
from functools import cache
from typing import Any

from epicene.languages.english import gendered
from epicene.languages.english import known as concepts
from epicene.reader.find import named, people
from epicene.reader.persons import persons
from epicene.tables import resource
from epicene.types import Gender, Kind, Verdict

_WORD = re.compile(r"[\w-]+")
_EDGES = (0.4, 0.6, 0.75, 0.85, 0.95)  # between the reader's own degrees of certainty
_FAR = (0.1, 0.25)  # shares of the sentence between the person's place and the word that decided
_LONG = 25  # words of a sentence in which people are easily mixed up
_DIGITS = 3


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(resource("reader", "confidence.toml").read_text(encoding="utf-8"))


@cache
def _families() -> dict[str, str]:
    return {code: family for family, codes in _table()["families"].items() for code in codes.split()}


def calibrate(verdict: Verdict) -> Verdict:
    """The verdict with the share of verdicts like it that are right; one that found nothing has none."""
    if verdict.gender is Gender.UNKNOWN:
        return verdict._replace(confidence=None)
    weights = _table()["weights"]
    total = sum(weights.get(feature, 0.0) for feature in describe(verdict))
    return verdict._replace(confidence=round(1 / (1 + math.exp(-total)), _DIGITS))


def describe(verdict: Verdict) -> list[str]:
    """What of a decision tells how sure it is, by the names of the weights."""
    item = verdict.output.item
    family = _families().get(verdict.output.target, "other")
    features = ["always", f"family {family}", _kind(verdict)]
    features += {f"step {word}" for word in _WORD.findall(verdict.step)}
    certainty = None if verdict.confidence is None else _rank(verdict.confidence, _EDGES)
    features.append(f"listed {family}" if certainty is None else f"certainty {certainty}")
    if verdict.gender is Gender.NEUTRAL:
        features += ["neutral", f"neutral {verdict.step.split()[-1]}"]
    if item.person.kind is Kind.NOUN and item.person.concept in concepts():
        features.append("occupation")
    if item.person.plural:
        features.append("plural")
    if len(item.others) > 1:
        features.append("several others")
    if len(item.source.split()) > _LONG:
        features.append("long")
    if verdict.against:
        features.append("contradicted")
    if len(verdict.evidence) > 1:
        features.append("several words")
    if verdict.evidence:
        here = item.person.start / max(1, len(item.source))
        there = verdict.evidence[0].start / max(1, len(verdict.output.text))
        features.append(f"distance {_rank(abs(here - there), _FAR)}")
        if verdict.evidence[0].text[:1].isupper() and verdict.evidence[0].start:
            features.append("capital")
    return features


def _kind(verdict: Verdict) -> str:
    """A name, the person of a pronoun, or a noun: one that means a woman or a man, people at large, or another."""
    person = verdict.output.item.person
    asked = sorted({each[0] for each in persons(person.text) or ()}) if person.kind is Kind.PRONOUN else []
    if asked:
        return f"pronoun {asked[0]}"
    head = person.text.split()[-1].lower()
    if person.kind is Kind.NOUN and gendered(head):
        return "kind gendered"
    return "kind anybody" if named(head) or people(head) else f"kind {person.kind.value}"


def _rank(value: float, edges: tuple[float, ...]) -> int:
    return sum(value >= edge for edge in edges)
