"""Vectors in arrays with their vocabulary: numpy's ``.npy`` and ``.npz``, and ``.safetensors``.

Arrays are looked into, not loaded; only a packed ``.npz`` has to be unpacked up to the last row that is wanted.
"""

from __future__ import annotations

import json
import math
import struct
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.archives import BROKEN
from epicene.embeddings.source import Row
from epicene.errors import InputError
from epicene.files import read_lines

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

VOCABULARIES = (".vocab", ".vocab.txt", ".txt")
SUFFIXES = (".npy", ".npz", ".safetensors")
_TOKENIZER = "tokenizer.json"
_KEYS = ("words", "vocab", "vocabulary", "tokens", "index_to_key")
_BLOCK = 1 << 16  # words that are looked at at once
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_LONGEST_HEADER = 1 << 28


def rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words."""
    if not path.is_file():
        raise InputError(f"cannot read {path}: no such file")
    return {".npy": _npy, ".npz": _npz, ".safetensors": _safetensors}[path.suffix](path, frozenset(wanted))


def _npy(path: Path, wanted: frozenset[str]) -> Iterator[Row]:
    import numpy as np

    try:
        array = np.lib.format.open_memmap(path, mode="r")  # np.load would also open what begins like a zip
    except (*BROKEN, ValueError) as error:
        raise InputError(f"{path}: cannot read the array: {error}") from None
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InputError(f"{path}: an array of {array.ndim} dimensions of {array.dtype}; expected two, of numbers")
    return _beside(path, array, wanted)


def _beside(path: Path, array: npt.NDArray[Any], wanted: frozenset[str]) -> Iterator[Row]:
    """Rows of an array whose words stand in a file of their own, one a line."""
    import numpy as np

    vocabulary = _vocabulary(path)
    number = 0
    for number, word in enumerate(read_lines(vocabulary), 1):
        if word in wanted and number <= len(array):
            yield Row(word, f"{vocabulary}:{number}", _numbers(np.asarray(array[number - 1])))
    if number != len(array):
        raise InputError(f"{vocabulary}: {number} words for the {len(array)} rows of {path}; expected as many")


def _vocabulary(path: Path) -> Path:
    names = [path.with_suffix(suffix) for suffix in VOCABULARIES]
    found = next((each for each in names if each.is_file()), None)
    if found is None:
        raise InputError(f"{path}: no vocabulary beside it; expected {', '.join(each.name for each in names)}")
    return found


def _listed(
    path: Path, array: npt.NDArray[Any], words: Iterable[str], count: int, wanted: frozenset[str]
) -> Iterator[Row]:
    """Rows of an array whose words are given in their order."""
    import numpy as np

    if count != len(array):
        raise InputError(f"{path}: {count} words for {len(array)} rows; expected as many")
    for number, word in enumerate(words):
        if word in wanted:
            yield Row(word, f"{path}: row {number + 1}", _numbers(np.asarray(array[number])))


def _numbers(row: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    import numpy as np

    if row.dtype == np.dtype("<u2"):  # bfloat16: the upper half of four bytes
        row = (row.astype("<u4") << 16).view("<f4")
    return row.astype(np.float64)


def _npz(path: Path, wanted: frozenset[str]) -> Iterator[Row]:
    """A text array of words and one of vectors, or an array for each word."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {each.filename.removesuffix(".npy"): each for each in archive.infolist()}
            headers = {name: _header(archive, each, path) for name, each in members.items()}
            texts = [name for name, (shape, _, kind) in headers.items() if len(shape) == 1 and kind.kind in "US"]
            tables = [name for name, (shape, _, kind) in headers.items() if len(shape) == 2 and kind.kind in "fiu"]
            alone = [name for name, (shape, _, kind) in headers.items() if len(shape) == 1 and kind.kind in "fiu"]
            if not texts and not tables and alone:
                yield from _alone(archive, members, sorted(wanted.intersection(alone)), path)
                return
            chosen = [name for name in texts if name.lower() in _KEYS] or texts
            if len(chosen) != 1 or len(tables) != 1:
                held = ", ".join(f"{name} {kind} {list(shape)}" for name, (shape, _, kind) in headers.items())
                raise InputError(
                    f"{path}: it holds {held or 'nothing'}; expected words (text, one dimension) and vectors (numbers, "
                    "two), as numpy.savez(FILE, words=numpy.array(words), vectors=vectors) writes them"
                )
            count = headers[chosen[0]][0][0]
            places = {number: word for number, word in enumerate(_texts(archive, members[chosen[0]])) if word in wanted}
            (size, width), _, _ = headers[tables[0]]
            if count != size:
                raise InputError(f"{path}: {count} words for the {size} rows of {tables[0]}; expected as many")
            yield from _placed(archive, members[tables[0]], places, width, path)
    except (*BROKEN, ValueError, KeyError, struct.error) as error:
        raise InputError(f"{path}: the file is cut short or broken ({error}); fetch it again") from None


def _header(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> tuple[tuple[int, ...], bool, Any]:
    """Shape, whether columns come first, and type of a member."""
    from numpy.lib import format as npy

    with archive.open(member) as stream:
        version = npy.read_magic(stream)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, kind = read(stream)
    if kind.hasobject:
        raise InputError(
            f"{path}: {member.filename} holds Python objects, which are not unpickled; write words as text: "
            "numpy.array(words, dtype=str)"
        )
    return shape, fortran, kind


def _texts(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[str]:
    """The words of a text array, a block at a time."""
    import numpy as np
    from numpy.lib import format as npy

    with archive.open(member) as stream:
        version = npy.read_magic(stream)
        _, _, kind = (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(stream)
        while block := stream.read(_BLOCK * kind.itemsize):
            for word in np.frombuffer(block, dtype=kind).tolist():
                yield word.decode() if isinstance(word, bytes) else word


def _placed(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, places: dict[int, str], width: int, path: Path
) -> Iterator[Row]:
    """The rows at some places; a member that is not packed is looked into where it lies."""
    import numpy as np
    from numpy.lib import format as npy

    with archive.open(member) as stream:
        version = npy.read_magic(stream)
        _, fortran, kind = (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(stream)
        begin, size = stream.tell(), width * kind.itemsize
        if fortran:
            stream.seek(0)
            array = npy.read_array(stream, allow_pickle=False)
            for place, word in places.items():
                yield Row(word, f"{path}: row {place + 1}", _numbers(array[place]))
            return
        for place, word in places.items():
            if member.compress_type == zipfile.ZIP_STORED:
                found = _stored(path, member, begin + place * size, size)
            else:
                stream.seek(begin + place * size)
                found = stream.read(size)
            if len(found) != size:
                raise InputError(f"{path}: row {place + 1}: the file is cut short here; fetch it again")
            yield Row(word, f"{path}: row {place + 1}", _numbers(np.frombuffer(found, dtype=kind)))


def _stored(path: Path, member: zipfile.ZipInfo, offset: int, size: int) -> bytes:
    with path.open("rb", buffering=0) as stream:
        stream.seek(member.header_offset + 26)
        name, extra = struct.unpack("<HH", stream.read(4))
        stream.seek(member.header_offset + 30 + name + extra + offset)
        return stream.read(size)


def _alone(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], names: Sequence[str], path: Path
) -> Iterator[Row]:
    from numpy.lib import format as npy

    for name in names:
        with archive.open(members[name]) as stream:
            yield Row(name, f"{path}: {name}", _numbers(npy.read_array(stream, allow_pickle=False)))


def _safetensors(path: Path, wanted: frozenset[str]) -> Iterator[Row]:
    """The one table of numbers of a file; its words stand in its metadata, in a file beside it, or in a tokenizer."""
    import numpy as np

    header, begin = _tensors(path)
    metadata = header.pop("__metadata__", {})
    words = _metadata(metadata) if isinstance(metadata, dict) else None
    if not all(map(_described, header.values())):
        raise InputError(f"{path}: its header describes no tensors; the file is broken, fetch it again")
    tables = {name: each for name, each in header.items() if len(each["shape"]) == 2 and each["dtype"] in _TYPES}
    if len(tables) != 1:
        listed = ", ".join(f"{name} {each['dtype']} {each['shape']}" for name, each in header.items()) or "nothing"
        raise InputError(f"{path}: it holds {listed}; expected one table of numbers, a row a word")
    (each,) = tables.values()
    kind, shape, (start, end) = _TYPES[each["dtype"]], tuple(each["shape"]), each["data_offsets"]
    if end - start != math.prod(shape) * np.dtype(kind).itemsize or begin + end > path.stat().st_size:
        raise InputError(f"{path}: the file is cut short or broken; fetch it again")
    array = np.memmap(path, dtype=kind, mode="r", offset=begin + start, shape=shape)
    tokenizer = path.with_name(_TOKENIZER)
    if words is not None:
        return _listed(path, array, words, len(words), wanted)
    if tokenizer.is_file() and not any(path.with_suffix(suffix).is_file() for suffix in VOCABULARIES):
        return _tokenized(path, array, tokenizer, wanted)
    return _beside(path, array, wanted)


def _described(each: object) -> bool:
    """Whether a header's entry says what it must of a tensor."""
    if not isinstance(each, dict) or not isinstance(each.get("dtype"), str):
        return False
    shape, offsets = each.get("shape"), each.get("data_offsets")
    if not isinstance(shape, list) or not isinstance(offsets, list) or len(offsets) != 2:
        return False
    return all(isinstance(number, int) and number >= 0 for number in shape + offsets)


def _tensors(path: Path) -> tuple[dict[str, Any], int]:
    with path.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        content = stream.read(size) if size <= _LONGEST_HEADER else b""
    try:
        header = json.loads(content)
        broken = not isinstance(header, dict) or len(content) != size
    except ValueError:
        broken = True
    if broken:
        raise InputError(f"{path}: no header of a .safetensors file, or it is cut short; fetch it again")
    return header, 8 + size


def _metadata(given: dict[str, str]) -> list[str] | None:
    """Words that stand in the file itself, as a JSON list or one a line."""
    key = next((name for name in given if name.lower() in _KEYS), None)
    if key is None:
        return None
    try:
        found = json.loads(given[key])
    except ValueError:
        return given[key].split("\n")
    return [str(word) for word in found]


def _tokenized(path: Path, array: npt.NDArray[Any], tokenizer: Path, wanted: frozenset[str]) -> Iterator[Row]:
    """Static embeddings whose rows are a tokenizer's pieces: a word is there if it is a piece of its own."""
    import numpy as np

    try:
        vocabulary = json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]
        places = dict(vocabulary) if isinstance(vocabulary, dict) else {p[0]: n for n, p in enumerate(vocabulary)}
    except (ValueError, KeyError, TypeError, IndexError):
        raise InputError(f"{tokenizer}: no vocabulary of a tokenizer; expected model.vocab in it") from None
    for word in sorted(wanted):
        place = next((places[each] for each in (word, f"▁{word}", f"Ġ{word}") if each in places), None)
        if place is not None and place < len(array):
            yield Row(word, f"{path}: row {place + 1}", _numbers(np.asarray(array[place])))
