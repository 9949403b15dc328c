"""Vectors in numpy's arrays: ``.npy`` with a vocabulary beside it, and ``.npz`` with the words in it.

Arrays are looked into, not loaded; only a packed ``.npz`` has to be unpacked up to the last row that is wanted.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.lib import format as npy

from epicene.archives import BROKEN
from epicene.embeddings.source import Row
from epicene.errors import InputError
from epicene.files import read_lines

VOCABULARIES = (".vocab", ".vocab.txt", ".txt")
_KEYS = ("words", "vocab", "vocabulary", "tokens", "index_to_key")
_BLOCK = 1 << 16  # words that are looked at at once


def rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words."""
    if not path.is_file():
        raise InputError(f"cannot read {path}: no such file")
    return (_read_npy if path.suffix == ".npy" else _read_npz)(path, frozenset(wanted))


def _read_npy(path: Path, wanted: frozenset[str]) -> Iterator[Row]:
    try:
        array = np.lib.format.open_memmap(path, mode="r")  # np.load would also open what begins like a zip
    except (*BROKEN, ValueError) as error:
        raise InputError(f"{path}: cannot read the array: {error}") from None
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InputError(f"{path}: an array of {array.ndim} dimensions of {array.dtype}; expected two, of numbers")
    names = [path.with_suffix(suffix) for suffix in VOCABULARIES]
    vocabulary = next((name for name in names if name.is_file()), None)
    if vocabulary is None:
        raise InputError(f"{path}: no vocabulary beside it; expected {', '.join(name.name for name in names)}")
    number = 0
    for number, word in enumerate(read_lines(vocabulary), 1):
        if word in wanted and number <= len(array):
            yield Row(word, f"{vocabulary}:{number}", np.array(array[number - 1], dtype=np.float64))
    if number != len(array):
        raise InputError(f"{vocabulary}: {number} words for the {len(array)} rows of {path}; expected as many")


class _Array(NamedTuple):
    """A member of an archive, looked into: its form, and the stream at its first number."""

    shape: tuple[int, ...]
    by_columns: bool
    type: np.dtype[Any]
    stream: IO[bytes]


def _read_npz(path: Path, wanted: frozenset[str]) -> Iterator[Row]:
    """A text array of words and one of vectors."""
    try:
        with zipfile.ZipFile(path) as archive:
            forms = {}
            for name in archive.namelist():
                with _look_into(archive, name, path) as array:
                    forms[name] = array
            texts = [name for name, array in forms.items() if len(array.shape) == 1 and array.type.kind in "US"]
            tables = [name for name, array in forms.items() if len(array.shape) == 2 and array.type.kind in "fiu"]
            texts = [name for name in texts if name.removesuffix(".npy").lower() in _KEYS] or texts
            if len(texts) != 1 or len(tables) != 1:
                listed = (f"{name.removesuffix('.npy')} {form.type} {list(form.shape)}" for name, form in forms.items())
                raise InputError(
                    f"{path}: it holds {', '.join(listed) or 'nothing'}; expected words (text, one dimension) and "
                    "vectors (numbers, two), as numpy.savez(FILE, words=numpy.array(words), vectors=vectors) writes "
                    "them"
                )
            (count,), (size, _) = forms[texts[0]].shape, forms[tables[0]].shape
            if count != size:
                table = tables[0].removesuffix(".npy")
                raise InputError(f"{path}: {count} words for the {size} rows of {table}; expected as many")
            with _look_into(archive, texts[0], path) as array:
                places = {index: word for index, word in enumerate(_read_words(array)) if word in wanted}
            with _look_into(archive, tables[0], path) as array:
                for index, numbers in _read_rows(array, places):
                    where = f"{path}: row {index + 1}"
                    if len(numbers) != array.shape[1]:
                        raise InputError(f"{where}: the file is cut short here; fetch it again")
                    yield Row(places[index], where, numbers.astype(np.float64))
    except (*BROKEN, ValueError, KeyError, struct.error) as error:
        raise InputError(f"{path}: the file is cut short or broken ({error}); fetch it again") from None


@contextmanager
def _look_into(archive: zipfile.ZipFile, name: str, path: Path) -> Iterator[_Array]:
    with archive.open(name) as stream:
        read = npy.read_array_header_1_0 if npy.read_magic(stream) == (1, 0) else npy.read_array_header_2_0
        array = _Array(*read(stream), stream)
        if array.type.hasobject:
            raise InputError(
                f"{path}: {name} holds Python objects, which are not unpickled; write words as text: "
                "numpy.array(words, dtype=str)"
            )
        yield array


def _read_words(array: _Array) -> Iterator[str]:
    """The words of a text array, a block at a time."""
    while block := array.stream.read(_BLOCK * array.type.itemsize):
        for word in np.frombuffer(block, dtype=array.type).tolist():
            yield word.decode() if isinstance(word, bytes) else word


def _read_rows(array: _Array, places: Collection[int]) -> Iterator[tuple[int, Any]]:
    """The rows at some places, in ascending order."""
    if array.by_columns:
        content = np.frombuffer(array.stream.read(), dtype=array.type).reshape(array.shape, order="F")
        yield from ((index, content[index]) for index in places)
        return
    begin, size = array.stream.tell(), array.shape[1] * array.type.itemsize
    for index in places:
        array.stream.seek(begin + index * size)
        yield index, np.frombuffer(array.stream.read(size), dtype=array.type)
