"""Whether lines translate the sentences that stand at their place: shifted, shuffled and swapped lines do not.

A line fits a sentence if it names the sentence's person, as the lexicon knows, or holds words of its reference. Where
neither can be had, the lengths of sentences and translations must go together.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import StatisticsError, correlation, stdev
from typing import Any, NamedTuple

from epicene.reader.mentions import listed, named
from epicene.types import Item

LAGS = tuple(lag for lag in range(-5, 6) if lag)
_BLOCK = 16  # neighbouring lines that are looked at together
_ENOUGH = 300  # lines that are read before anything looks wrong
_WORD = re.compile(r"\w{3,}")
_OVERLAP = 0.15  # the share of a reference's words that most translations of the same sentence have, poor ones too


class Line(NamedTuple):
    """A translation, the item at its place, and the number of its line."""

    number: int
    item: Item
    text: str
    doubt: bool = False  # the detector found no word for the person itself


class Disorder(NamedTuple):
    """Lines that do not stand at their place; ``lag``: how far off, where it is the same for all of them."""

    first: int
    last: int
    lag: int | None


class Order(NamedTuple):
    """What was found out about the order of lines."""

    judged: int  # lines that could tell
    own: float  # the share of them that fits its own sentence
    disorder: Disorder | None


Words = frozenset[str]
_Fits = tuple[Line, Words, Mapping[int, bool]]  # a line, what it holds, and whether it fits each neighbour that counts


def order(lines: Sequence[Line], target: str, bounds: Mapping[str, Any]) -> Order | None:
    """How well lines fit their sentences, and where they do not; None if these lines cannot tell."""
    of_line, of_item = _signal(lines, target)
    few = _blocks(lines, max(1, len(lines) // _ENOUGH))
    found = _judge(few, of_line, of_item, bounds)
    # A closer look at all lines where some of them, or the detector, leave a doubt.
    doubted = stretch([line.doubt - 1 + bounds["named"] for line in lines])[0] > bounds["stretch"]
    if found is not None and len(few) < len(lines) and (found.disorder or found.own < bounds["note"] or doubted):
        found = _judge(lines, of_line, of_item, bounds)
    return found


def _signal(lines: Sequence[Line], target: str) -> tuple[Callable[[str], Words], Callable[[Item], Words]]:
    """What to look for in a line, and what an item would have there."""
    if any(line.item.references for line in lines[:_BLOCK]):
        return _words, lambda item: _words(" ".join(each.text for each in item.references))
    if target == "en":
        return _words, lambda item: _words(item.person.concept)
    known = listed(target)
    return lambda text: named(text, target), lambda item: known & {item.person.concept}


def _words(text: str) -> Words:
    return frozenset(_WORD.findall(text.lower()))


def _blocks(lines: Sequence[Line], every: int) -> list[Line]:
    """Every so manieth block of neighbouring lines."""
    return [line for start in range(0, len(lines), _BLOCK * every) for line in lines[start : start + _BLOCK]]


def _judge(
    lines: Sequence[Line],
    of_line: Callable[[str], Words],
    of_item: Callable[[Item], Words],
    bounds: Mapping[str, Any],
) -> Order | None:
    expected = {line.number: of_item(line.item) for line in lines}
    rows: list[_Fits] = []
    for line in lines:
        if expected[line.number] and (held := of_line(line.text)):
            near = ((lag, expected.get(line.number + lag, frozenset())) for lag in (0, *LAGS))
            rows.append((line, held, {lag: _fits(held, words) for lag, words in near}))
    if len(rows) < bounds["lines"] or (chance := _by_chance(rows, expected)) > bounds["chance"]:
        return None
    own = sum(fits[0] for _, _, fits in rows) / len(rows)
    # A poor translator shares few words with a reference, yet more than lines of another order do.
    least = min(bounds["named"], chance + bounds["margin"]) if rows[0][0].item.references else bounds["named"]
    return Order(len(rows), own, _disorder(rows, bounds, least))


def _fits(held: Words, expected: Words) -> bool:
    return len(held & expected) > _OVERLAP * len(expected)


def _by_chance(rows: Sequence[_Fits], expected: Mapping[int, Words]) -> float:
    """How often a line would fit a sentence at some other place."""
    pairs = zip(rows, random.Random(1).sample(rows, len(rows)), strict=True)
    return sum(_fits(held, expected[other.number]) for (_, held, _), (other, _, _) in pairs) / len(rows)


def _disorder(rows: Sequence[_Fits], bounds: Mapping[str, Any], least: float) -> Disorder | None:
    """The stretch of lines that speaks most clearly for a shift, or else for no order at all."""
    shifts = [(*stretch([fits[lag] - fits[0] - bounds["margin"] for _, _, fits in rows]), lag) for lag in LAGS]
    weight, first, last, lag = max(shifts)
    if weight > bounds["stretch"]:
        return Disorder(rows[first][0].number, rows[last][0].number, lag)
    weight, first, last = stretch([least - fits[0] for _, _, fits in rows])
    return Disorder(rows[first][0].number, rows[last][0].number, None) if weight > bounds["stretch"] else None


def stretch(weights: Sequence[float]) -> tuple[float, int, int]:
    """The run of neighbours with the largest sum: the sum, the first and the last of them."""
    best, total, start = (0.0, 0, 0), 0.0, 0
    for place, weight in enumerate(weights):
        if total <= 0:
            total, start = 0.0, place
        total += weight
        if total > best[0]:
            best = (total, start, place)
    return best


def lengths(lines: Sequence[Line], bounds: Mapping[str, Any]) -> Order | None:
    """The same from lengths alone, which can tell shifts and shuffles of whole files."""
    from math import log

    if len(lines) < bounds["lines"]:
        return None
    sources = [log(len(line.item.source) + 1) for line in lines]
    targets = [log(len(line.text) + 1) for line in lines]
    if stdev(sources) < bounds["spread"]:
        return None
    try:
        fits = {lag: correlation(*_moved(sources, targets, lag)) for lag in (0, *LAGS)}
    except StatisticsError:  # all translations are of one length
        fits = {0: 0.0}
    first, last = lines[0].number, lines[-1].number
    best = max(fits, key=fits.__getitem__)
    if fits[best] > fits[0] + bounds["shifted"]:
        return Order(len(lines), fits[0], Disorder(first, last, best))
    return Order(len(lines), fits[0], Disorder(first, last, None) if fits[0] < bounds["refuse"] else None)


def _moved(sources: list[float], targets: list[float], lag: int) -> tuple[list[float], list[float]]:
    """Sources and targets with line k beside sentence k + lag."""
    if lag > 0:
        return sources[lag:], targets[:-lag]
    return (sources[:lag], targets[-lag:]) if lag else (sources, targets)


def repeated(lines: Sequence[Line]) -> tuple[int, int, int]:
    """Different sentences, different translations, and the most sentences that one translation answers."""
    pairs = {(line.item.source, line.text.strip()) for line in lines}
    answered = Counter(text for _, text in pairs)
    return len({source for source, _ in pairs}), len(answered), max(answered.values(), default=0)
