"""An interrupt that comes between an answer and its place in the cache would lose what was paid for."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_ENDS = (signal.SIGINT, signal.SIGTERM)  # Ctrl-C, and what a container or a batch system sends


@contextmanager
def held() -> Iterator[None]:
    """Hold an interrupt back until the block is done; one that nobody handles kills as ever."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is interrupted
        return
    usual = {number: handler for number in _ENDS if callable(handler := signal.getsignal(number))}
    came: list[int] = []
    for number in usual:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])
