"""fastText's ``.bin`` models (extra ``fasttext``): a word's vector with the share of its letter groups."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from epicene.embeddings.source import Row
from epicene.errors import InputError, MissingExtraError

MAGIC = (793712314).to_bytes(4, "little")


def rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words that are in the vocabulary; vectors are not made up for those that are not."""
    import numpy as np

    try:
        import fasttext
    except ImportError:
        raise MissingExtraError(f"the fastText model {path}", "fasttext") from None
    try:
        model = fasttext.load_model(str(path))
    except (ValueError, RuntimeError, MemoryError) as error:
        raise InputError(f"{path}: fastText cannot load it: {error}") from None
    for word in sorted(wanted):
        number = model.get_word_id(word)
        if number >= 0:
            yield Row(word, f"{path}: row {number + 1}", np.asarray(model.get_word_vector(word), dtype=np.float64))
