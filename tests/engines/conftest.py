"""What tests of engines share."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Signals end a process as they end the command line's, also where a shell runs the tests in the background.

    Such a shell has Ctrl-C ignored, and what is ignored stays so in every process that is started from there.
    """
    before = [
        (signal.SIGTERM, signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))),
        (signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler)),
    ]
    yield
    for number, usual in before:
        signal.signal(number, usual)
