"""Vectors that are in memory already: a dictionary, gensim's KeyedVectors or a model with some, spaCy's vocabulary."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

from epicene.embeddings.source import Row
from epicene.errors import InputError


@runtime_checkable
class Keyed(Protocol):
    """gensim's KeyedVectors."""

    key_to_index: Any

    def get_vector(self, key: str) -> Any:
        """The vector of a word."""


@runtime_checkable
class Vocabulary(Protocol):
    """spaCy's Vocab."""

    def has_vector(self, orth: str) -> bool:
        """Whether a word has a vector."""

    def get_vector(self, orth: str) -> Any:
        """The vector of a word."""


InMemory = Mapping[str, Any] | Keyed | Vocabulary


def held(source: object) -> InMemory | None:
    """The vectors of an object that holds some: itself, or what a model or a pipeline of spaCy's has of them."""
    for found in (source, getattr(source, "wv", None), getattr(source, "vocab", None)):
        if isinstance(found, Mapping | Keyed | Vocabulary):
            return found
    return None


def rows(source: InMemory, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words."""
    import numpy as np

    width = 0
    for word in sorted(wanted):
        if not _has(source, word):
            continue
        given = source[word] if isinstance(source, Mapping) else source.get_vector(word)
        try:
            vector = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{word!r} has {type(given).__name__} for a vector; expected numbers") from None
        width = width or vector.size
        if vector.ndim != 1 or vector.size != width:
            raise InputError(f"the vector of {word!r} is of shape {vector.shape}; expected ({width},), as the others")
        yield Row(word, f"in memory: {word!r}", vector)


def _has(source: InMemory, word: str) -> bool:
    if isinstance(source, Mapping):
        return word in source
    return word in source.key_to_index if isinstance(source, Keyed) else bool(source.has_vector(word))
