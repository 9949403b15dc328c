"""Vectors in a ``.npy`` array, with its vocabulary beside it: a word a line, in the order of the array's rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from epicene.embeddings.source import Row
from epicene.errors import InputError
from epicene.files import read_lines

VOCABULARIES = (".vocab", ".vocab.txt", ".txt")


def rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words; the array is looked into, not loaded."""
    import numpy as np

    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{path}: cannot read the array: {error}") from None
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InputError(f"{path}: an array of {array.ndim} dimensions of {array.dtype}; expected two, of numbers")
    vocabulary = _vocabulary(path)
    number, known = 0, frozenset(wanted)
    for number, word in enumerate(read_lines(vocabulary), 1):
        if word in known and number <= len(array):
            yield Row(word, f"{vocabulary}:{number}", np.asarray(array[number - 1], dtype=np.float64))
    if number != len(array):
        raise InputError(f"{vocabulary}: {number} words for the {len(array)} rows of {path}; expected as many")


def _vocabulary(path: Path) -> Path:
    names = [path.with_suffix(suffix) for suffix in VOCABULARIES]
    found = next((each for each in names if each.is_file()), None)
    if found is None:
        raise InputError(f"{path}: no vocabulary beside it; expected {', '.join(each.name for each in names)}")
    return found
