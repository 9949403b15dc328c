"""Runs that are killed: what they did until then, and what the cache holds of it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PATIENCE = 600  # seconds


def lines(path: Path) -> list[str]:
    """The lines of a file, none where it is not there yet."""
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def stored(home: Path, where: str = "TRUE") -> set[str]:
    """The sources whose answers the cache holds."""
    path = home / "translations.sqlite"
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as database:
        try:
            return {source for (source,) in database.execute(f"SELECT source FROM translations WHERE {where}")}  # noqa: S608
        except sqlite3.OperationalError:
            return set()  # killed before the table was there


def kill_once(process: subprocess.Popen[bytes], count: Callable[[], int], reached: int, seconds: float = 0.0) -> None:
    """Kill a run and all that it started so long after a count has been reached, however slow the machine."""
    wait_for(lambda: count() >= reached or process.poll() is not None)
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def wait_for(there: Callable[[], bool]) -> None:
    """Wait until something is there."""
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end
        time.sleep(0.002)
