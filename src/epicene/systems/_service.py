"""What a translation service is: a system that is asked over a network, counts its characters and may say no.

A service makes one request and says plainly how it ended, by its answers or by an error of ``epicene.errors``.
Patience is not its business: when to ask again, how fast and how often is the engine's, so SDKs' own retries are off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from epicene.types import Pair, System


class Answer(NamedTuple):
    """A translation and who made it."""

    text: str
    model: str = ""  # as the service names it in its answer, where it does


@dataclass(frozen=True, slots=True)
class Limits:
    """What a service takes at once."""

    texts: int  # in one request
    characters: int  # in one request
    sentence: int  # characters in one sentence
    per_second: float  # requests
    concurrent: int = 4  # requests under way


class Service(System, Protocol):
    """A system behind a network."""

    limits: Limits
    price: str  # its row in the table of prices; "" if it costs nothing

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request: one answer per source, in order. Called from several threads at once."""
        ...

    def check(self, pair: Pair) -> list[str]:
        """Whether key, quota and pair work, found out without translating; what was found, one line each."""
        ...
