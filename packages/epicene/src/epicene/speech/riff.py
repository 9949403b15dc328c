"""The chunks of a WAV file: its form and its sound, refused where the header lies about how much sound there is."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import NamedTuple

_STREAM = 0xFFFF_FFFF  # the size that an RF64 file, or one that was written to a pipe, has instead of its own
_REST = 0.1  # seconds of sound; so much may stand behind it and be no chunk


class LyingHeaderError(ValueError):
    """There is more or less sound than the header tells of."""


class Sound(NamedTuple):
    """What tells how samples are written, and the samples."""

    magic: bytes  # RIFF, or RIFX for numbers whose first byte is the greatest
    form: bytes
    samples: bytes

    @property
    def width(self) -> int:
        """Bytes of a sample."""
        bits: int = struct.unpack_from(_order(self.magic) + "H", self.form, 14)[0]
        return (bits + 7) // 8

    def alone(self) -> io.BytesIO:
        """A file with nothing but the sound."""
        size = _order(self.magic) + "I"
        chunks = [(b"fmt ", self.form), (b"data", self.samples)]
        parts = [name + struct.pack(size, len(part)) + part + bytes(len(part) % 2) for name, part in chunks]
        content = b"WAVE" + b"".join(parts)
        return io.BytesIO(self.magic + struct.pack(size, len(content)) + content)


def read(content: bytes) -> Sound:
    """The sound of a WAV file, whatever else it holds."""
    magic = b"RIFX" if content[:4] == b"RIFX" else b"RIFF"
    form, large = b"", 0
    for name, start, size in _chunks(content, _order(magic)):
        if name == b"fmt ":
            form = content[start : start + size]
        elif name == b"ds64":
            large = struct.unpack_from("<Q", content, start + 8)[0]
        elif name == b"data":
            if len(form) < 16:
                break
            size = large if size == _STREAM and large else size
            _check(content, start, size, form, _order(magic))
            return Sound(magic, form, content[start : start + size])
    raise ValueError("its header is broken")


def _check(content: bytes, start: int, size: int, form: bytes, order: str) -> None:
    there = len(content) - start
    if size > there:
        raise LyingHeaderError(f"cut off (its header tells of {size} bytes of sound, {there} are there)")
    second: int = struct.unpack_from(order + "I", form, 8)[0]
    end = start + size
    for _, begin, length in _chunks(content, order, end + size % 2):
        end = begin + length
    rest = len(content) - end
    if rest > _REST * second and any(content[end:]):
        raise LyingHeaderError(f"its header tells of {size} bytes of sound, but {rest} more follow")


def _chunks(content: bytes, order: str, start: int = 12) -> Iterator[tuple[bytes, int, int]]:
    """Name, beginning and length of chunks, as long as they end within the file; the sound need not."""
    while start + 8 <= len(content):
        name = content[start : start + 4]
        size: int = struct.unpack_from(order + "I", content, start + 4)[0]
        start += 8
        if not (name.isascii() and name.decode().isprintable()):
            return
        if name != b"data" and start + size > len(content):
            return
        yield name, start, size
        start += size + size % 2


def _order(magic: bytes) -> str:
    return ">" if magic == b"RIFX" else "<"
