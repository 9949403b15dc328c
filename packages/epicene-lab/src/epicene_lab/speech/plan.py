"""How much text is spoken in training and how: the tables [text] and [speak] of a recipe."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene_lab.recipe import filled
from epicene_lab.speech.recipe import tables

TAUGHT = ("de", "es", "fr")  # what the teacher translates into


@dataclass(frozen=True, slots=True)
class TextPlan:
    """Which sentences are chosen, and how they are translated."""

    tatoeba: int = 34_000  # everyday sentences
    people: int = 19_000  # two people, in frames of our own
    stated: int = 8_000  # one person whose gender is stated, with Italian of our own
    parliament: int = 8_000  # of debates in plain words, with their own Italian
    shortest: int = 4  # words
    longest: int = 20
    often: int = 10  # sentences with a word that was taken less often come first
    heldout: int = 500  # sentences that nobody is trained on
    beam: int = 2  # of the teacher
    seed: int = 20210801
    sets: tuple[str, ...] = ("simplegen", "winomt", "wibemt-verbs", "mt-geneval", "mt-geneval-context", "gate")

    def __post_init__(self) -> None:
        if not 0 < self.shortest <= self.longest:
            raise InputError(f"shortest = {self.shortest}, longest = {self.longest}; expected 0 < shortest <= longest")


@dataclass(frozen=True, slots=True)
class SpeakPlan:
    """How sentences are spoken."""

    passes: int = 2  # how often each sentence is spoken, each time by another draw of voice and manner
    shard: int = 512  # recordings in a file
    noisy: float = 0.3  # the share of recordings with noise
    quietest: float = 30.0  # dB that speech is above the noise at most
    loudest: float = 12.0  # and at least
    warp: float = 0.15  # by how much a voice's throat is lengthened or shortened, at most
    pace: float = 0.2  # by how much a voice is faster or slower, at most
    margin: float = 0.3  # seconds of silence at either end, at most
    seed: int = 20210801

    def __post_init__(self) -> None:
        for name in ("noisy", "warp", "pace"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} = {getattr(self, name)}; expected a number from 0 to 1")
        for name in ("passes", "shard"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} = {getattr(self, name)}; expected at least 1")


def load(path: Path | None = None) -> tuple[TextPlan, SpeakPlan]:
    """The plans of the shipped recipe, or of one from a TOML file."""
    where, table = tables(path)
    text: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in table.get("text", {}).items()
    }
    return filled(TextPlan(), text, f"{where} [text]"), filled(SpeakPlan(), table.get("speak", {}), f"{where} [speak]")
