"""Standard output whose reader may leave early, as ``head`` does, without changing how a command ends."""

from __future__ import annotations

import io
import os
from typing import Any, TextIO


class Outlet(io.RawIOBase):
    """Writes to a file descriptor; once nobody reads any more, the rest goes nowhere.

    So ``epicene gate | head -1`` ends with the gate's answer. Commands that write as they go are stopped instead.
    """

    lasting = True

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        """The descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """Whether somebody watches."""
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        """Always."""
        return True

    def write(self, data: Any) -> int:
        """Write, or let it go where nobody reads."""
        try:
            return os.write(self._descriptor, data)
        except BrokenPipeError:
            if not self.lasting:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._descriptor)
            return len(data)


def opened(stream: TextIO) -> TextIO:
    """A stream of text to the same place; what has no descriptor, such as a test's, stays as it is."""
    try:
        raw = Outlet(stream.fileno())
        stream.flush()
    except (OSError, ValueError, AttributeError):
        return stream
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", line_buffering=raw.isatty())
