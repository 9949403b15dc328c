"""Finds the word of a translation that renders a person of the source."""

from __future__ import annotations

from typing import NamedTuple

from epicene.detectors.reading.forms import Show
from epicene.detectors.reading.sentence import Translated, Word

_LINKED = 0.15  # the link from which a word counts as the translation
_FREE = 0.5  # how far a word that nothing links may be claimed by others
_NOUNS = frozenset(("noun", "name"))
_ADJECTIVES = frozenset(("adjective", "participle"))


class Found(NamedTuple):
    """The place of the word that renders the person, how surely, and how it was found."""

    place: int
    strength: float  # 0 to 1
    how: str  # translated, unclaimed


def find(translated: Translated, person: range, nouns_capitalised: bool) -> Found | None:
    """The word that renders the source words ``person``; None where nothing can be it."""
    head = person[-1]
    links = translated.links
    best: tuple[float, Found] | None = None
    n, m = len(translated.target.words), len(translated.source.words)
    for place, word in enumerate(translated.target.words):
        link = links[head][place]
        claimed = sum(row[place] for number, row in enumerate(links) if number not in person)
        likeness = personlike(word, nouns_capitalised, place)
        if link < _LINKED and (likeness < 1 or claimed > _FREE):
            continue
        if likeness == 0 and link < 2 * _LINKED:
            continue
        near = 1 - abs((head + 0.5) / m - (place + 0.5) / n)
        score = 2 * link + 0.6 * likeness * (1 - claimed) + 0.5 * near
        how = "translated" if link >= _LINKED else "unclaimed"
        if best is None or score > best[0]:
            strength = min(1.0, 0.5 + link / 2) if how == "translated" else 0.4 * near * (1 - claimed) + 0.2
            best = score, Found(place, strength, how)
    return best[1] if best else None


def personlike(word: Word, nouns_capitalised: bool, place: int) -> float:
    """How well a word's form may name a person, 0 to 1."""
    if nouns_capitalised and not word.capital:
        return 0.0
    return max((_likeness(show) for show in word.shows), default=0.3 if len(word.text) > 3 else 0.0)


def _likeness(show: Show) -> float:
    if show.pos in _NOUNS:
        return {True: 1.0, None: 0.6, False: 0.15}[show.person]
    return 0.3 if show.pos in _ADJECTIVES else 0.0
