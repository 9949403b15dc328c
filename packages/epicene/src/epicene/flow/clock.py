"""How long a system takes for what it is really asked, apart from the cache and from everything around it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from epicene.result import Decoding
from epicene.types import Pair, System


class Timed:
    """A system that notes how many sentences it translated in how many seconds."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.identity = system.identity
        self.batch_size = system.batch_size
        self._sentences = 0
        self._seconds = 0.0

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterator[str]:
        """The system's own answers; the clock stands still while an answer is being used."""
        start = time.perf_counter()
        for text in self._system.translate(sources, pair):
            self._seconds += time.perf_counter() - start
            self._sentences += 1
            yield text
            start = time.perf_counter()
        self._seconds += time.perf_counter() - start

    @property
    def decoding(self) -> Decoding | None:
        """What it took; None if every answer came from the cache."""
        return Decoding(self._sentences, round(self._seconds, 3)) if self._sentences else None
