"""Words and endings of a language's table, asked whether they fit a word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_STEM = 1  # letters that have to stand before an ending


@dataclass(frozen=True, slots=True)
class Endings:
    """Words and endings with what they mean; a whole word beats an ending, a longer ending a shorter one."""

    words: Mapping[str, tuple[Any, ...]]
    tails: Mapping[str, tuple[Any, ...]]
    heads: Mapping[str, tuple[Any, ...]]
    longest: int

    def of(self, word: str) -> tuple[Any, ...]:
        """What a word means, nothing where no ending fits."""
        if word in self.words:
            return self.words[word]
        for size in range(min(self.longest, len(word) - _STEM), 0, -1):
            found = self.tails.get(word[-size:])
            if found is not None:
                return found
        for head, meaning in self.heads.items():
            if word.startswith(head) and len(word) > len(head) + _STEM:
                return meaning
        return ()


def endings(rows: Iterable[tuple[str, Any]]) -> Endings:
    """Endings from pairs of a spelling and its meaning: "-ла" is an ending, "ي-" a beginning, "была" a word."""
    words: dict[str, tuple[Any, ...]] = {}
    tails: dict[str, tuple[Any, ...]] = {}
    heads: dict[str, tuple[Any, ...]] = {}
    for spelling, meaning in rows:
        table = tails if spelling.startswith("-") else heads if spelling.endswith("-") else words
        key = spelling.strip("-") if table is not words else spelling
        table[key] = (*table.get(key, ()), meaning)
    return Endings(words, tails, heads, max(map(len, tails), default=0))


class WordList:
    """Words and endings: "muy", "-mente"; "!lista" and "!-kyně" are none of them, whatever ending fits."""

    def __init__(self, text: str) -> None:
        kept = [word for word in text.split() if not word.startswith("!")]
        left = [word[1:] for word in text.split() if word.startswith("!")]
        self.words = frozenset(word for word in kept if not word.startswith("-"))
        self.tails = tuple(word[1:] for word in kept if word.startswith("-"))
        self.left = frozenset(word for word in left if not word.startswith("-"))
        self.left_tails = tuple(word[1:] for word in left if word.startswith("-"))

    def __contains__(self, word: str) -> bool:
        if word in self.words:
            return True
        return word.endswith(self.tails) and word not in self.left and not word.endswith(self.left_tails)
