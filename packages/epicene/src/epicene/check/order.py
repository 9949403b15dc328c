"""Whether translations stand at the places of their sentences: shifted, shuffled and exchanged lines do not.

A translation is tried at other places: at those of its neighbours, and of the sentences whose words it holds most.
Where two translations would fit better exchanged, they are not at their places. A system that writes *he* for every
*she* fits as well either way, so that bias is not taken for disorder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from statistics import StatisticsError, correlation, stdev
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from epicene.check.words import NEAR, Line, Words, distinct, runs
from epicene.types import Gender, Verdict

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LAGS = tuple(lag for lag in range(-NEAR, NEAR + 1) if lag)
_AT_ONCE = 100  # lines whose places are looked for at once
_SAME = 0.7  # the share of misplaced lines that must be off by as many lines, to be called shifted


_OTHER = {Gender.FEMININE: Gender.MASCULINE, Gender.MASCULINE: Gender.FEMININE}


class Disorder(NamedTuple):
    """Lines that do not stand at their place; ``lag``: how far off, where it is the same for most of them."""

    first: int
    last: int
    lag: int | None


class Order(NamedTuple):
    """What was found out about the order of lines."""

    tried: int  # lines that could tell
    elsewhere: int  # lines whose translations belong to other places
    disorder: Disorder | None


class _Tries(NamedTuple):
    """Lines, and for each of them the other places that its translation was tried at."""

    rows: Integers  # which of the tried lines
    lines: Integers
    places: Integers
    better: Flags  # the two would fit better exchanged
    worse: Flags
    best: Flags  # of all places, those that the translation fits best


def order(lines: Sequence[Line], words: Words, bounds: Mapping[str, Any]) -> Order | None:
    """How many lines are at their places, and the stretch of them that is not; None if these lines cannot tell."""
    if len(lines) < bounds["lines"] or not len(words.held):
        return None
    tried = distinct(np.linspace(0, words.n - 1, min(words.n, bounds["tried"])).astype(np.int64))
    tries = _exchange(words, tried, lines, bounds)
    elsewhere, own = np.zeros(len(tried), dtype=bool), np.zeros(len(tried), dtype=bool)
    elsewhere[tries.rows[tries.better]] = True
    own[tries.rows[tries.worse]] = True
    telling = elsewhere | own
    if telling.sum() < max(bounds["lines"], bounds["told"] * len(tried)):
        return None
    weight, first, last = stretch(np.where(elsewhere, bounds["against"], np.where(own, -bounds["for"], 0.0)).tolist())
    disorder = None
    if weight > bounds["stretch"]:
        numbers = lines[tried[first]].number, lines[tried[last]].number
        disorder = Disorder(*numbers, _lag(tries, first, last, int(elsewhere[first : last + 1].sum())))
    return Order(int(telling.sum()), int(elsewhere.sum()), disorder)


def _exchange(words: Words, tried: Integers, rows_of_file: Sequence[Line], bounds: Mapping[str, Any]) -> _Tries:
    """Exchange the translation of each line with those of its neighbours and of the places that it fits best."""
    numbers = np.array([line.number for line in rows_of_file])
    texts = np.array([hash(line.text) for line in rows_of_file])
    places = np.hstack([_candidates(words, tried, bounds), tried[:, None] + np.array(LAGS)])
    near = np.clip(places, 0, words.n - 1)
    # What was left out of a long file lies between lines that are kept side by side.
    beside = numbers[near] - numbers[tried][:, None] == places - tried[:, None]
    beside[:, : bounds["candidates"]] = places[:, : bounds["candidates"]] >= 0
    rows, columns = np.nonzero(beside & (near == places))
    lines, others = tried[rows], places[rows, columns]
    every = np.arange(words.n)
    own, whole = words.fit(every, every), words.shared(every, every)
    there = words.fit(lines, others)
    gain = there + words.fit(others, lines) - own[lines] - own[others]
    differ = whole[lines] + whole[others] - 2 * words.shared(lines, others)
    best = own[tried]
    np.maximum.at(best, rows, there)
    # Poor translators hold few words of a sentence, so that less can be gained; twins differ in few words.
    rendered = best.sum() / max(1e-9, whole[tried].sum())
    least = np.clip(bounds["all"] * differ, bounds["least"], bounds["gain"])
    needed = np.maximum(least, bounds["share"] * differ * rendered)
    # A translation that appears twice belongs to the sentence that it fits by far better.
    copied = (texts[lines] == texts[others]) & (there - own[lines] > bounds["copied"])
    return _Tries(rows, lines, others, copied | (gain > needed), gain < -needed, there > best[rows] - bounds["gain"])


def _candidates(words: Words, tried: Integers, bounds: Mapping[str, Any]) -> Integers:
    """The places whose sentences hold most of the rarer words of each translation; -1 where there are fewer."""
    n, most = words.n, bounds["candidates"]
    often = np.bincount(words.stated // n, minlength=len(words.weights))
    starts = np.cumsum(often) - often
    word, line = np.divmod(words.held, n)
    telling = often[word] <= max(bounds["few"], bounds["some"] * n)
    word, line = word[telling], line[telling]
    order = np.argsort(line, kind="stable")
    word, line = word[order], line[order]
    places = np.empty((len(tried), most), dtype=np.int64)
    for start in range(0, len(tried), _AT_ONCE):
        some = tried[start : start + _AT_ONCE]
        count = np.searchsorted(line, some, "right") - np.searchsorted(line, some, "left")
        held = word[runs(np.searchsorted(line, some, "left"), count)]
        row = np.repeat(np.repeat(np.arange(len(some)) * n, count), often[held])
        there = row + words.stated[runs(starts[held], often[held])] % n
        fits = np.bincount(there, weights=np.repeat(words.weights[held], often[held]), minlength=len(some) * n)
        fits = fits.reshape(len(some), n)
        fits[np.arange(len(some)), some] = 0.0
        for column in range(most):  # quicker than to sort them
            best = fits.argmax(axis=1)
            places[start : start + _AT_ONCE, column] = np.where(fits[np.arange(len(some)), best] > 0, best, -1)
            fits[np.arange(len(some)), best] = 0.0
    return places


def _lag(tries: _Tries, first: int, last: int, elsewhere: int) -> int | None:
    """By how many lines most of the misplaced lines of a stretch are off."""
    within = tries.best & np.isin(tries.rows, tries.rows[tries.better]) & (tries.rows >= first) & (tries.rows <= last)
    rows, off = tries.rows[within], (tries.places - tries.lines)[within]
    counts = {lag: len(distinct(rows[off == lag])) for lag in LAGS}
    lag = max(counts, key=counts.__getitem__)
    return lag if counts[lag] > _SAME * elsewhere else None


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
    if len(lines) < bounds["lines"]:
        return None
    sources = [log(len(line.item.source) + 1) for line in lines]
    targets = [log(len(line.text) + 1) for line in lines]
    if stdev(sources) < bounds["spread"]:
        return None
    try:
        fits = {lag: correlation(*_move(sources, targets, lag)) for lag in (0, *LAGS)}
    except StatisticsError:  # all translations are of one length
        fits = {0: 0.0}
    first, last = lines[0].number, lines[-1].number
    best = max(fits, key=fits.__getitem__)
    disorder = None
    if fits[best] > fits[0] + bounds["shifted"]:
        disorder = Disorder(first, last, best)
    elif fits[0] < bounds["refuse"]:
        disorder = Disorder(first, last, None)
    return Order(len(lines), len(lines) if disorder else 0, disorder)


def _move(sources: list[float], targets: list[float], lag: int) -> tuple[list[float], list[float]]:
    """Sources and targets with line k beside sentence k + lag."""
    if lag > 0:
        return sources[lag:], targets[:-lag]
    return (sources[:lag], targets[-lag:]) if lag else (sources, targets)


@dataclass(slots=True)
class Twins:
    """Watches the verdicts of pairs; keeps a number for each pair, however long its sentences."""

    read: Counter[tuple[Gender, Gender]] = field(default_factory=Counter)  # expected and read
    pairs: int = 0
    same: int = 0  # pairs with one translation for both
    _first: dict[str, int] = field(default_factory=dict)

    def add(self, verdict: Verdict) -> None:
        """Look at one verdict, if its sentence has a twin."""
        item = verdict.output.item
        pair, expected = item.labels.get("pair"), item.expected
        if not pair or expected not in _OTHER:
            return
        self.read[expected, verdict.gender] += 1
        text = hash(verdict.output.text.strip())
        if pair in self._first:
            self.pairs += 1
            self.same += self._first.pop(pair) == text
        else:
            self._first[pair] = text

    def judge(self, bounds: Mapping[str, Any]) -> Iterator[tuple[bool, str]]:
        """What is wrong with the pairs; nothing where they can be believed."""
        other = {gender: self.read[gender, opposite] for gender, opposite in _OTHER.items()}
        if self.pairs < bounds["pairs"]:
            return
        if self.same > bounds["same"] * self.pairs:
            yield (
                True,
                f"{self.same:,} of {self.pairs:,} pairs have one translation for the woman and the man, "
                "as if the translations of one gender were given twice",
            )
        elif all(other[gender] > self.read[gender, gender] for gender in _OTHER):
            yield (
                True,
                f"women are read as men {other[Gender.FEMININE]:,} times and men as women "
                f"{other[Gender.MASCULINE]:,} times, as if the two halves were swapped; "
                "expected the feminine sentences first",
            )
