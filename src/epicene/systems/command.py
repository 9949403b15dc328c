"""``command:CMD``: any program that reads a line and writes a line.

The program gets all sentences at once on its standard input and its answers are taken as they come, so it may buffer
as it likes. ``{source}`` and ``{target}`` in the command stand for the language codes.
"""

from __future__ import annotations

import os
import queue
import shlex
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from typing import IO

from epicene.errors import InputError, SystemFailure
from epicene.systems._spec import Options
from epicene.types import Pair

TIMEOUT_VARIABLE = "EPICENE_COMMAND_TIMEOUT"


class Command:
    """Runs a program once for all sentences that are missing."""

    batch_size = None

    def __init__(self, command: str, timeout: float) -> None:
        if not command.strip():
            raise InputError("command: needs a program, as in 'command:my-translator --to {target}'")
        self._command = command
        self._timeout = timeout
        self.identity = f"command:{command}"

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterator[str]:
        """The program's lines as they arrive."""
        words = shlex.split(self._command.replace("{source}", pair.source).replace("{target}", pair.target))
        with tempfile.TemporaryFile() as errors:
            try:
                process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
            except OSError as error:
                raise SystemFailure(f"{self.identity}: cannot start {words[0]!r}: {error.strerror}") from None
            try:
                yield from self._answers(process, sources, errors)
            finally:
                process.kill()
                process.wait()

    def _answers(self, process: subprocess.Popen[bytes], sources: Sequence[str], errors: IO[bytes]) -> Iterator[str]:
        assert process.stdin and process.stdout  # noqa: S101 - both are pipes
        lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=_feed, args=(process.stdin, sources), daemon=True).start()
        threading.Thread(target=_drain, args=(process.stdout, lines), daemon=True).start()
        count = 0
        while (raw := self._next(lines, count)) is not None:
            count += 1
            try:
                yield raw.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise SystemFailure(f"{self.identity}: answer {count} is not UTF-8") from None
        if code := process.wait():
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip().splitlines()
            last = f"; it said: {said[-1]}" if said else ""
            raise SystemFailure(f"{self.identity} ended with code {code} after {count} of {len(sources)} lines{last}")

    def _next(self, lines: queue.Queue[bytes | None], count: int) -> bytes | None:
        try:
            return lines.get(timeout=self._timeout)
        except queue.Empty:
            raise SystemFailure(
                f"{self.identity} gave no answer for {self._timeout:g} s after {count} lines; "
                f"set {TIMEOUT_VARIABLE} to wait longer"
            ) from None


def _feed(stream: IO[bytes], sources: Sequence[str]) -> None:
    try:
        for source in sources:
            stream.write(source.encode("utf-8") + b"\n")
        stream.close()
    except OSError:
        pass  # the program went away; how it ended is told when its answers end


def _drain(stream: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def build(argument: str, options: Options) -> Command:  # noqa: ARG001
    """The system that runs a program."""
    given = os.environ.get(TIMEOUT_VARIABLE, "600")
    try:
        timeout = float(given)
    except ValueError:
        raise InputError(f"{TIMEOUT_VARIABLE}={given!r} is not a number of seconds") from None
    return Command(argument, timeout)
