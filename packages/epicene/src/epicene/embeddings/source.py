"""Where vectors come from: a file, packed or not, or what is in memory; and the rows that were found in it."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast, runtime_checkable

from epicene.archives import BROKEN
from epicene.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float64]

CHUNK = 1 << 20
ZIP = b"PK\x03\x04"
# Long enough that no word at the beginning of a text file is taken for one.
_GZIP, _XZ, _BZIP2 = b"\x1f\x8b\x08", b"\xfd7zXZ\x00", (b"BZh", b"1AY&SY")


@dataclass(frozen=True, slots=True)
class Row:
    """A word, its vector, and where both stand."""

    word: str
    where: str
    vector: Vector


def parted(path: Path) -> tuple[Path, str]:
    """A file, and the member that is meant where one is named: ``glove.6B.zip:glove.6B.300d.txt``."""
    archive, colon, member = str(path).partition(".zip:")
    return (Path(f"{archive}.zip"), member) if colon and not path.exists() else (path, "")


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if they are gzipped, or of xz, bzip2 or a zip archive, whatever its name."""
    file, member = parted(path)
    if file.is_dir():
        raise InputError(f"{path} is a folder; expected a file of word vectors, or huggingface:{path} for an encoder")
    try:
        stream = file.open("rb", buffering=0)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    with stream:
        begin = stream.read(10)
        stream.seek(0)
        if begin.startswith(ZIP):
            with _archive(stream, file) as archive, _unzipped(archive, file, member) as unpacked:
                yield unpacked
        elif begin.startswith(_GZIP):
            with gzip.open(stream) as unpacked:
                yield cast(BinaryIO, unpacked)
        elif begin.startswith(_XZ):
            with lzma.open(stream) as unpacked:
                yield cast(BinaryIO, unpacked)
        elif begin.startswith(_BZIP2[0]) and begin[4:] == _BZIP2[1]:
            with bz2.open(stream) as unpacked:
                yield cast(BinaryIO, unpacked)
        else:
            yield cast(BinaryIO, stream)


def _archive(stream: object, path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(cast(BinaryIO, stream))
    except BROKEN as error:
        raise InputError(f"{path}: the archive is cut short or broken ({error}); fetch it again") from None


def _unzipped(archive: zipfile.ZipFile, path: Path, member: str) -> BinaryIO:
    """The member that holds the vectors: the one that is named, the only one, or the text beside a model."""
    names = [each.filename for each in archive.infolist() if not each.is_dir()]
    names = [name for name in names if not name.startswith("__MACOSX/")]
    if member and member not in names:
        raise InputError(f"{path}: it has no {member!r}; it holds: {', '.join(names)}")
    found = [member] if member else names
    if len(found) > 1:
        # fastText's archives hold a model, .bin, and the same vectors as text, .vec.
        found = [name for name in found if name.endswith(".vec")] if any(n.endswith(".vec") for n in found) else found
    if len(found) != 1:
        listed = ", ".join(names) or "nothing"
        raise InputError(f"{path}: it holds {listed}; name one, as in {path}:{names[0] if names else 'FILE'}")
    try:
        return cast(BinaryIO, archive.open(found[0]))
    except BROKEN as error:
        raise InputError(f"{path}: {found[0]} cannot be unpacked ({error}); unpack it and give the file") from None


def read(stream: BinaryIO, where: str, size: int = CHUNK) -> bytes:
    """The next bytes; a broken file is refused with the place up to which it could be read."""
    # Of a packed file that is cut short, what can be unpacked comes first and the error after it.
    take: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    try:
        return take(size)
    except BROKEN as error:
        raise InputError(f"{where}: the file is cut short or broken here ({error}); fetch it again") from None


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


def find_in_memory(source: object) -> InMemory | None:
    """The vectors of an object that holds some: itself, or what a model or a pipeline of spaCy's has of them."""
    for found in (source, getattr(source, "wv", None), getattr(source, "vocab", None)):
        if isinstance(found, Mapping | Keyed | Vocabulary):
            return found
    return None


def rows_in_memory(source: InMemory, wanted: Collection[str]) -> Iterator[Row]:
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
