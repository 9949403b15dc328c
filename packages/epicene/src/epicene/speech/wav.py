"""WAV files as numbers; refused where the header lies about how much sound there is."""

from __future__ import annotations

import io
import struct
import wave
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

Samples = np.ndarray[Any, np.dtype[np.float32]]
Whole = np.ndarray[Any, np.dtype[np.int16]]
_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE  # how samples are written; the last says it further on
_READABLE = {*((_PCM, size) for size in (1, 2, 3, 4)), (_FLOAT, 4), (_FLOAT, 8)}  # by bytes of a sample
_REST = 0.1  # seconds of sound; so much may stand behind it and be no chunk


class LyingHeaderError(ValueError):
    """There is more or less sound than the header tells of."""


class Recording(NamedTuple):
    """The sound of a file."""

    rate: int  # samples a second
    width: int  # bytes of a sample
    samples: Samples  # between -1 and 1, a row a moment and a column a channel


def decode(content: bytes) -> Recording:
    """The sound of a WAV file, whatever else it holds; a ValueError says what is wrong with it."""
    form = b""
    for name, start, size in _list_chunks(content, 12):
        if name == b"fmt ":
            form = content[start : start + size]
        elif name == b"data" and len(form) >= 16:
            _check_length(content, start, size, form)
            return _decode_samples(form, content[start : start + size])
    raise ValueError("its header is broken")


def encode(samples: Whole, rate: int) -> bytes:
    """A mono WAV file of 16 bits."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(samples.astype("<i2").tobytes())
    return buffer.getvalue()


def _decode_samples(form: bytes, content: bytes) -> Recording:
    kind, channels, rate, _, block, bits = struct.unpack_from("<HHIIHH", form)
    if kind == _EXTENSIBLE and len(form) >= 26:
        kind = struct.unpack_from("<H", form, 24)[0]
    size = block // channels if channels else 0
    if block != size * channels or (kind, size) not in _READABLE:
        raise ValueError(f"its sound is packed or of an unknown kind (format {kind:#06x}, {bits} bit)")
    content = content[: len(content) // block * block]
    if kind == _FLOAT:
        samples = np.frombuffer(content, f"<f{size}").astype(np.float32)
    elif size == 1:
        samples = (np.frombuffer(content, np.uint8).astype(np.float32) - 128) / np.float32(128)
    else:
        if size == 3:  # a fourth byte, the least, makes them numbers that there are
            content = np.pad(np.frombuffer(content, np.uint8).reshape(-1, 3), ((0, 0), (1, 0))).tobytes()
        whole = np.frombuffer(content, f"<i{4 if size == 3 else size}")
        samples = whole.astype(np.float32) / np.float32(2 ** (8 * whole.itemsize - 1))
    return Recording(rate, (bits + 7) // 8, samples.reshape(-1, channels))


def _check_length(content: bytes, start: int, size: int, form: bytes) -> None:
    there = len(content) - start
    if size > there:
        raise LyingHeaderError(f"cut off (its header tells of {size} bytes of sound, {there} are there)")
    end = start + size
    for _, begin, length in _list_chunks(content, end + size % 2):
        end = begin + length
    rest = len(content) - end
    a_second: int = struct.unpack_from("<I", form, 8)[0]
    if rest > _REST * a_second and any(content[end:]):
        raise LyingHeaderError(f"its header tells of {size} bytes of sound, but {rest} more follow")


def _list_chunks(content: bytes, start: int) -> Iterator[tuple[bytes, int, int]]:
    """Name, beginning and length of chunks, as long as they end within the file; the sound need not."""
    while start + 8 <= len(content):
        name, size = struct.unpack_from("<4sI", content, start)
        start += 8
        if not (name.isascii() and name.decode().isprintable()):
            return
        if name != b"data" and start + size > len(content):
            return
        yield name, start, size
        start += size + size % 2
