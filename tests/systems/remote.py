"""Services of the tests' own, and sentences to ask them for."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from epicene.systems.network.pace import Clock
from epicene.systems.network.service import Answer, Limits, Service
from epicene.types import Pair
from tests.servers.loopback import translation

PAIR = Pair("en", "de")
SPEC = "deepl?rate=1000"


def sentences(count: int) -> list[str]:
    """Distinct sentences of many lengths."""
    return [f"Sentence {number} {'x' * (number % 61)}" for number in range(count)]


def right(sources: Sequence[str]) -> list[str]:
    return [translation(source, "de") for source in sources]


class Together:
    """Holds the first so many requests back until all of them are under way, however slowly a machine starts them."""

    def __init__(self, count: int) -> None:
        self._left = count
        self._lock = threading.Lock()
        self._all = threading.Event()

    def meet(self) -> None:
        with self._lock:
            self._left -= 1
            if self._left == 0:
                self._all.set()
        assert self._all.wait(60), "the others never came"


class Noted(Service):
    """A service that notes what it was asked, and when."""

    identity = "noted"
    price = ""

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self.limits = limits
        self.times: list[float] = []
        self.asked: list[str] = []
        self._clock = clock

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        self.times.append(self._clock.now())
        self.asked += sources
        return [Answer(source.upper()) for source in sources]

    def check(self, pair: Pair) -> list[str]:
        return []


class OneByOne(Service):
    """A service that takes a sentence a request."""

    identity = "one-by-one"
    price = ""
    limits = Limits(texts=1, characters=100, sentence=100, per_second=1000, concurrent=4)

    def __init__(self) -> None:
        self.under_way = self.most = 0
        self._lock = threading.Lock()
        self._together = Together(self.limits.concurrent)

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        with self._lock:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        self._together.meet()
        with self._lock:
            self.under_way -= 1
        return [Answer(source.upper()) for source in sources]

    def check(self, pair: Pair) -> list[str]:
        return []
