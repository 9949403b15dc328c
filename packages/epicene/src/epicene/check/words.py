"""Whether lines translate the sentences at their place, told by the words of the file itself.

A word of the sentences and the word that stands most often in their translations are a pair, whatever the language;
no lexicon is asked. Where lines are shifted, the pairs stand a line or more apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from epicene.check.order import LAGS, Disorder, Line, stretch

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.float64]

_WORD = re.compile(r"\w{2,}")
_OF_SENTENCE, _OF_TRANSLATION = 4, 7  # the rarest words of each, which tell most


class _Text(NamedTuple):
    """Which word stands in which line, by line and word."""

    lines: Integers
    words: Integers
    often: Integers  # in how many lines each word stands


def disorder(lines: Sequence[Line], bounds: Mapping[str, Any]) -> Disorder | None:
    """The stretch of lines that speaks most clearly for a shift, or else for no order at all."""
    import numpy as np

    if len(lines) < bounds["lines"]:
        return None
    numbers = np.array([line.number for line in lines], dtype=np.int64)
    sentences = _rarest(_text([line.item.source for line in lines], numbers, bounds["often"]), _OF_SENTENCE)
    everything = _text([line.text for line in lines], numbers, bounds["often"])
    rare = _rarest(everything, _OF_TRANSLATION)
    partner = _pairs(sentences, rare, bounds)
    fits = {lag: _fits(numbers, sentences, everything, partner, lag) for lag in (0, *LAGS)}
    told = ~np.isnan(fits[0])
    if told.sum() < bounds["lines"]:
        return None
    places = np.flatnonzero(told)

    def found(weights: Numbers, lag: int | None) -> tuple[float, Disorder]:
        weight, first, last = stretch(np.nan_to_num(weights[places]).tolist())
        return weight, Disorder(int(numbers[places[first]]), int(numbers[places[last]]), lag)

    weight, where = max(found(fits[lag] - fits[0] - bounds["margin"], lag) for lag in LAGS)
    if weight > bounds["stretch"]:
        return where
    usual, chance = float(np.nanmean(fits[0])), _by_chance(numbers, sentences, everything, partner)
    if usual - chance < bounds["tells"]:
        return None
    weight, where = found(chance + bounds["lost"] * (usual - chance) - fits[0], None)
    return where if weight > bounds["stretch"] else None


def _text(texts: Sequence[str], numbers: Integers, least: int) -> _Text:
    """The words that stand in some lines at least."""
    import numpy as np

    known: dict[str, int] = {}
    found = [{known.setdefault(word, len(known)) for word in _WORD.findall(text.lower())} for text in texts]
    words = np.fromiter((word for each in found for word in each), dtype=np.int64)
    lines = np.repeat(numbers, [len(each) for each in found])
    often = np.bincount(words, minlength=len(known))
    order = np.lexsort((words, lines))
    order = order[often[words[order]] >= least]
    return _Text(lines[order], words[order], often)


def _rarest(text: _Text, most: int) -> _Text:
    """The rarest words of each line."""
    import numpy as np

    order = np.lexsort((text.words, text.often[text.words], text.lines))
    lines, words = text.lines[order], text.words[order]
    rank = np.arange(len(lines)) - np.searchsorted(lines, lines, "left")
    return _Text(lines[rank < most], words[rank < most], text.often)


def _pairs(sentences: _Text, translations: _Text, bounds: Mapping[str, Any]) -> Integers:
    """For each word of the sentences its partner in the translations, -1 where none stands out."""
    import numpy as np

    size = max(1, len(translations.often))
    best, partner = np.zeros(len(sentences.often)), np.full(len(sentences.often), -1, dtype=np.int64)
    lines, words = translations.lines, translations.words  # by line, as the rarest words come
    for lag in (0, *LAGS):
        first = np.searchsorted(lines, sentences.lines - lag, "left")
        count = np.searchsorted(lines, sentences.lines - lag, "right") - first
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        codes = np.repeat(sentences.words, count) * size + words[np.repeat(first, count) + within]
        code, together = np.unique(codes, return_counts=True)
        source, target = np.divmod(code, size)
        dice = 2 * together / (sentences.often[source] + translations.often[target])
        sure = np.flatnonzero((dice > bounds["dice"]) & (together >= bounds["often"]) & (dice > best[source]))
        sure = sure[np.argsort(dice[sure], kind="stable")]  # of several the last one stays, the best
        best[source[sure]], partner[source[sure]] = dice[sure], target[sure]
    return partner


def _fits(numbers: Integers, sentences: _Text, translations: _Text, partner: Integers, lag: int) -> Numbers:
    """For each line the share of the words of the sentence so many lines on whose partner it holds."""
    import numpy as np

    size = max(1, len(translations.often))
    held = translations.lines * size + translations.words
    paired = partner[sentences.words] >= 0
    rows, targets = sentences.lines[paired] - lag, partner[sentences.words[paired]]
    codes = rows * size + targets
    near = np.minimum(np.searchsorted(held, codes), max(0, len(held) - 1))
    hit = held[near] == codes if len(held) else np.zeros(len(codes), dtype=bool)
    place = np.searchsorted(numbers, rows)
    inside = (place < len(numbers)) & (numbers[np.minimum(place, len(numbers) - 1)] == rows)
    asked = np.bincount(place[inside], minlength=len(numbers))
    there = np.bincount(place[inside], weights=hit[inside], minlength=len(numbers))
    return np.where(asked > 0, there / np.maximum(asked, 1), np.nan)


def _by_chance(numbers: Integers, sentences: _Text, translations: _Text, partner: Integers) -> float:
    """How well lines fit sentences from elsewhere in the file."""
    import numpy as np

    places = np.arange(len(numbers), dtype=np.int64)
    at, held = (each._replace(lines=np.searchsorted(numbers, each.lines)) for each in (sentences, translations))
    far = (len(numbers) // 2, -len(numbers) // 3)
    return float(np.nanmean(np.concatenate([_fits(places, at, held, partner, lag) for lag in far])))
