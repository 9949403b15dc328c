"""Which word of a translation renders which word of its source, for a single sentence.

The posterior of IBM model 1 with a prior that favours the diagonal (Dyer et al. 2013), over shipped translation
probabilities; names and words that were copied or borrowed are known by their spelling.
"""

from __future__ import annotations

import math
from functools import lru_cache

from epicene.languages.folder import load
from epicene.reader.romanisation import romanise, skeleton
from epicene.reader.translations import Translations, base, stem, translations
from epicene.reader.words import Sentence, Translated

_TENSION = 4.0  # how strongly the diagonal is favoured
_FLOOR = 0.15  # what a word far from the diagonal keeps of its prior
_NULL = 0.02  # how much a target word would rather translate nothing
_COPIED = 0.9
_BORROWED = 0.3
_LIKE = 0.4  # the share of a translation's probability that a longer or derived word with its beginning gets
_SHORTEST_SHARED = 4  # letters that two words have in common at least to be taken for one


class Aligner:
    """Aligns sentences with their translations into a language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._stem = stem(language)
        self._compounds = load(language).stems.compounds
        self._similar = lru_cache(maxsize=1 << 17)(similar)

    def align(self, source: Sentence, target: Sentence, person: range = range(0)) -> Translated:
        """A sentence and its translation with the strengths of all links, those of ``person`` looked for hardest."""
        likelihoods = self.likelihoods(source, target, person)
        m, n = len(source.words), len(target.words)
        totals = [_NULL] * n
        for place, row in enumerate(likelihoods):
            for word, value in row.items():
                row[word] = value * _prior(place, m, word, n)
                totals[word] += row[word]
        links = []
        for row in likelihoods:
            strengths = [0.0] * n
            for word, value in row.items():
                strengths[word] = value / totals[word]
            links.append(strengths)
        return Translated(source, target, links)

    def likelihoods(self, source: Sentence, target: Sentence, person: range) -> list[dict[int, float]]:
        """For each source word the target words that it may have become, with how likely."""
        places: dict[str, list[int]] = {}
        for place, word in enumerate(target.words):
            places.setdefault(self._stem(word.lower), []).append(place)
        found: list[dict[int, float]] = []
        for number, word in enumerate(source.words):
            key = base(word.lower)
            known = translations(self.language, key)
            row = {place: value for each, value in known.items() if each in places for place in places[each]}
            if number:
                phrase = translations(self.language, f"{base(source.words[number - 1].lower)} {key}")
                row.update({place: value for each, value in phrase.items() if each in places for place in places[each]})
            if (number in person or not row) and len(key) > 2:
                listed = known if number in person else {}
                row = {**self._by_spelling(word.lower, listed, places, word.capital and number > 0), **row}
            found.append(row)
        return found

    def _by_spelling(
        self, english: str, known: Translations, places: dict[str, list[int]], name: bool
    ) -> dict[int, float]:
        """Target words that are spelt like the English word, or like one of its translations."""
        found: dict[int, float] = {}
        longest = tuple(each for each in known if len(each) > _SHORTEST_SHARED - self._compounds)
        opening: dict[str, list[str]] = {}
        for each in longest:
            opening.setdefault(each[:_SHORTEST_SHARED], []).append(each)
        for each, there in places.items():
            value = self._similar(english, each, name)
            if longest and len(each) >= _SHORTEST_SHARED:
                near = [listed for listed in opening.get(each[:_SHORTEST_SHARED], ()) if _derived(each, listed)]
                if each.endswith(longest):  # concidadãos, exmarido, Kleinerzeuger
                    near.extend(listed for listed in longest if each.endswith(listed))
                if len(each) > _SHORTEST_SHARED:
                    near.extend(listed for listed in longest if listed.endswith(each))
                value = max(value, _LIKE * max(map(known.__getitem__, near), default=0.0))
            if value:
                found.update(dict.fromkeys(there, value))
        return found


def _derived(word: str, listed: str) -> bool:
    """Whether a stem begins like a listed one."""
    shared = max(_SHORTEST_SHARED, min(len(word), len(listed)) - 1)
    return abs(len(word) - len(listed)) <= _SHORTEST_SHARED and word[:shared] == listed[:shared]


def similar(english: str, word: str, name: bool) -> float:
    """How surely a word is an English one that was copied, transcribed or borrowed, by its spelling alone."""
    if english.startswith(word) and len(word) >= _SHORTEST_SHARED - 1 and len(english) - len(word) <= 3:
        return _COPIED
    if word.isascii():
        spelt = word
    else:
        spelt = romanise(word)
        if name and len(skeleton(english)) > 1 and skeleton(english)[:3] == skeleton(spelt)[:3]:
            return _BORROWED
    shared = 0
    for one, other in zip(english, spelt, strict=False):
        if one != other:
            break
        shared += 1
    if shared >= _SHORTEST_SHARED and shared >= 0.6 * min(len(english), len(spelt)):
        return _BORROWED
    return 0.0


@lru_cache(maxsize=1 << 16)
def _prior(place: int, size: int, word: int, words: int) -> float:
    """How likely a source place becomes a target place by position alone."""
    return _FLOOR + (1 - _FLOOR) * math.exp(-_TENSION * abs((place + 0.5) / size - (word + 0.5) / words))
