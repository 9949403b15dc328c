"""Where vectors come from: a file, gzipped or not, and the rows that were found in it."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from epicene.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float64]

CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Row:
    """A word, its vector, and where both stand."""

    word: str
    where: str
    vector: Vector


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if they are gzipped, whatever its name."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a file of word vectors, or huggingface:{path} for an encoder")
    try:
        stream = path.open("rb", buffering=0)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    with stream:
        packed = stream.read(len(_GZIP)) == _GZIP
        stream.seek(0)
        if packed:
            with gzip.open(stream) as unpacked:
                yield cast(BinaryIO, unpacked)
        else:
            yield cast(BinaryIO, stream)


def read(stream: BinaryIO, where: str, size: int = CHUNK) -> bytes:
    """The next bytes; a broken file is refused with the place up to which it could be read."""
    # Of a gzip file that is cut short, what can be unpacked comes first and the error after it.
    take: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    try:
        return take(size)
    except (EOFError, zlib.error, OSError) as error:
        raise InputError(f"{where}: the file is cut short or broken here ({error}); fetch it again") from None
