"""Where vectors come from: a file, packed or not, or what is in memory; and the rows that were found in it."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast

from epicene.archives import BROKEN
from epicene.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float64]

CHUNK = 1 << 20
_ZIP = b"PK\x03\x04"
# Long enough that no word at the beginning of a text file is taken for one.
_PACKED = (
    (re.compile(rb"\x1f\x8b\x08"), gzip.open),
    (re.compile(rb"\xfd7zXZ\x00"), lzma.open),
    (re.compile(rb"BZh.1AY&SY", re.DOTALL), bz2.open),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A word, its vector, and where both stand."""

    word: str
    where: str
    vector: Vector


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if they are gzipped, or of xz, bzip2 or a zip archive, whatever its name."""
    archive, colon, member = str(path).partition(".zip:")  # as in glove.6B.zip:glove.6B.300d.txt
    file, member = (Path(f"{archive}.zip"), member) if colon and not path.exists() else (path, "")
    if file.is_dir():
        raise InputError(f"{path} is a folder; expected a file of word vectors, or huggingface:{path} for an encoder")
    try:
        stream = file.open("rb", buffering=0)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    with stream:
        begin = stream.read(10)
        stream.seek(0)
        opener: Any = next((opener for magic, opener in _PACKED if magic.match(begin)), nullcontext)
        with _unzip(stream, file, member) if begin.startswith(_ZIP) else opener(stream) as unpacked:
            yield unpacked


def _unzip(stream: Any, path: Path, member: str) -> Any:
    """The member that holds the vectors: the one that is named, the only one, or the text beside a model."""
    try:
        archive = zipfile.ZipFile(stream)
        names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
        names = [name for name in names if not name.startswith("__MACOSX/")]
        if member and member not in names:
            raise InputError(f"{path}: it has no {member!r}; it holds: {', '.join(names)}")
        chosen = [member] if member else names
        if len(chosen) > 1:  # fastText's archives hold a model, .bin, and the same vectors as text, .vec
            chosen = [name for name in names if name.endswith(".vec")] or names
        if len(chosen) != 1:
            listed = ", ".join(names) or "nothing"
            raise InputError(f"{path}: it holds {listed}; name one, as in {path}:{names[0] if names else 'FILE'}")
        return archive.open(chosen[0])
    except BROKEN as error:
        raise InputError(f"{path}: the archive is cut short or broken ({error}); fetch it again") from None


def read(stream: BinaryIO, where: str, size: int = CHUNK) -> bytes:
    """The next bytes; a broken file is refused with the place up to which it could be read."""
    # Of a packed file that is cut short, what can be unpacked comes first and the error after it.
    take: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    try:
        return take(size)
    except BROKEN as error:
        raise InputError(f"{where}: the file is cut short or broken here ({error}); fetch it again") from None


class Holder(Protocol):
    """What holds vectors: gensim's KeyedVectors, which lists its words, or spaCy's Vocab, which knows if it has one."""

    def get_vector(self, word: str, /) -> Any:
        """The vector of a word."""


InMemory = Mapping[str, Any] | Holder


def find_in_memory(source: object) -> InMemory | None:
    """The vectors of an object that holds some: itself, or what a model or a pipeline of spaCy's has of them."""
    for holder in (source, getattr(source, "wv", None), getattr(source, "vocab", None)):
        tells = hasattr(holder, "key_to_index") or hasattr(holder, "has_vector")
        if isinstance(holder, Mapping) or (tells and hasattr(holder, "get_vector")):
            return cast(InMemory, holder)
    return None


def rows_in_memory(source: InMemory, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words."""
    import numpy as np

    vectors: Any = find_in_memory(source)
    listed = vectors if isinstance(vectors, Mapping) else getattr(vectors, "key_to_index", None)
    width = 0
    for word in sorted(wanted):
        if not (vectors.has_vector(word) if listed is None else word in listed):
            continue
        numbers = vectors[word] if isinstance(vectors, Mapping) else vectors.get_vector(word)
        try:
            vector = np.asarray(numbers, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{word!r} has {type(numbers).__name__} for a vector; expected numbers") from None
        width = width or vector.size
        if vector.ndim != 1 or vector.size != width:
            raise InputError(f"the vector of {word!r} is of shape {vector.shape}; expected ({width},), as the others")
        yield Row(word, f"in memory: {word!r}", vector)
