"""What the parts of the reader hand to each other, besides words and sentences."""

from __future__ import annotations

from typing import NamedTuple

from epicene.types import Evidence, Gender


class Agreeing(NamedTuple):
    """A gender, the word that shows it, and how it belongs to the person."""

    gender: Gender
    place: int
    step: str


class Rendering(NamedTuple):
    """The place of the word that renders the person, how surely, and how it was found."""

    place: int
    strength: float  # 0 to 1
    how: str  # translated, modifier, unclaimed, lexicon


class Decision(NamedTuple):
    """A gender, by which step, on which words, how surely, and what speaks against it."""

    gender: Gender
    step: str
    evidence: tuple[Evidence, ...] = ()
    confidence: float = 0.0
    against: tuple[Evidence, ...] = ()
    inclusive: str | None = None  # how a form names everybody
