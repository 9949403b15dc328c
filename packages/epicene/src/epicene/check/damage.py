"""What damages text on its way into a file: letters lost or garbled, pieces of words, the source in the same line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from epicene.types import Pair

# What the bytes of UTF-8 become when they are read as Latin-1 or Windows-1252: "Ã¼" for "ü".
_GARBLED = re.compile("[ÂÃÄÅÐÑØÙ×][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ–—˜™š›œžŸ]|à[¤¥]")
_LOST = re.compile(r"\ufffd|\w\?\w")  # a replacement character, or a question mark within a word
_PIECES = re.compile(r"\u2581|@@ ")  # as subword models write them
_TOLD = {
    "garbled": "lines are garbled (Ã¼ for ü), UTF-8 read as another encoding",
    "lost": "lines have letters replaced by ? or \ufffd",
    "pieces": "lines are in pieces of words (@@ or \u2581), not joined",
    "beside": "lines hold the source beside the translation",
}
_LEAST = 12  # characters of a source that no translation holds by chance


@dataclass(slots=True)
class Damage:
    """Counts damaged lines as they go by."""

    pair: Pair
    n: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    _sizes: list[float] = field(default_factory=list)

    def add(self, text: str, source: str) -> None:
        """Look at the translation of a source."""
        self.n += 1
        if not text.isascii():
            self.counts["garbled"] += _GARBLED.search(text) is not None
        if "?" in text or "\ufffd" in text:
            self.counts["lost"] += _LOST.search(text) is not None
        if "\u2581" in text or "@@" in text:
            self.counts["pieces"] += _PIECES.search(text) is not None
        if len(source) > _LEAST:
            self.counts["beside"] += len(text) > len(source) + _LEAST and source in text
            self._sizes.append(len(text) / len(source))

    def told(self, bounds: Mapping[str, Any]) -> Iterator[tuple[bool, str]]:
        """Each kind of damage that goes beyond its bound, and whether it refuses."""
        for kind, what in _TOLD.items():
            if self.counts[kind] > bounds["note"] * self.n:
                yield self.counts[kind] > bounds["refuse"] * self.n, f"{self.counts[kind]:,} of {self.n:,} {what}"

    def size(self, bounds: Mapping[str, Any]) -> str:
        """What is odd about the length of the translations; nothing where it is as in good files."""
        if len(self._sizes) < bounds["lines"] or self.pair.source in bounds["dense"]:
            return ""
        usual = median(self._sizes)
        low = bounds["short"].get(self.pair.target, bounds["low"])
        if usual < low:
            return (
                f"half of the translations have less than {100 * usual:.0f} % of their sentence's length, as if cut off"
            )
        if usual > bounds["high"]:
            return f"half of the translations have more than {100 * usual:.0f} % of their sentence's length"
        return ""
