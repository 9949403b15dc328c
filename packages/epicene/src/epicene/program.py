"""Programs that read a line and write a line: translators and recognisers that users bring."""

from __future__ import annotations

import contextlib
import glob
import os
import queue
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from epicene.errors import InputError, SystemFailure

TIMEOUT_VARIABLE = "EPICENE_COMMAND_TIMEOUT"
_PARTS = re.compile(r"[\s=;|&<>()'\"]+")  # of a word, as in --model=FILE and bash -c 'FILE | FILE'
_PLACE = re.compile(r"\{(?:source|target)\}")


def read_patience() -> float:
    """How many seconds a program may take for an answer, as the user's environment says."""
    seconds = os.environ.get(TIMEOUT_VARIABLE, "600")
    try:
        return float(seconds)
    except ValueError:
        raise InputError(f"{TIMEOUT_VARIABLE}={seconds!r} is not a number of seconds") from None


def split_command(command: str, kind: str = "command") -> list[str]:
    """The words of a command, as a shell would split them."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InputError(f"{kind}:{command}: {str(error).lower()}") from None


def find_named_files(words: Sequence[str]) -> list[Path]:
    """The files that a command names, its program first, by whose content its answers may be known.

    A place for a language in a path stands for any. What a program reads without being told is not seen, and a file
    called ``.log`` is taken for one that it writes.
    """
    program = shutil.which(words[0]) if words else None
    named = [program] if program else []
    for word in words[1:]:
        for part in dict.fromkeys((word, *_PARTS.split(word))):
            named += _match_files(part)
    paths = map(Path, filter(None, dict.fromkeys(named)))
    return [path for path in paths if path.suffix != ".log" and path.is_file() and os.access(path, os.R_OK)]


def _match_files(path: str) -> list[str]:
    """The path, or those that it stands for where it has a place for a language."""
    if not _PLACE.search(path):
        return [path]
    pattern = _PLACE.sub("*", glob.escape(path))
    return sorted(glob.glob(pattern)) if {"/", "."} & set(path) else []  # noqa: PTH207 - a path may be absolute


def format_paths(paths: Iterable[Path]) -> list[str]:
    """Files as lines for a program, which may work in another folder."""
    lines = [str(path.absolute()) for path in paths]
    if broken := next((line for line in lines if "\n" in line or "\r" in line), None):
        raise InputError(f"{broken!r}: a line break in a path; a program reads one path a line, so rename the folder")
    return lines


def run_program(words: Sequence[str], lines: Sequence[str], identity: str, timeout: float) -> Iterator[str]:
    """What a program writes for lines that it gets all at once, each answer as it comes; no shell is involved."""
    with contextlib.closing(ResidentProgram(words, identity, timeout)) as program:
        program.feed(lines)
        count = 0
        while (raw := program.read(f"after {count} lines; set {TIMEOUT_VARIABLE} to wait longer")) is not None:
            count += 1
            try:
                yield raw.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise SystemFailure(f"{identity}: answer {count} is not UTF-8") from None
        if code := program.code():
            complaint = program.complaint()
            last = f"; it said: {complaint}" if complaint else ""
            raise SystemFailure(f"{identity} ended with code {code} after {count} of {len(lines)} lines{last}")


class ResidentProgram:
    """A program that stays: it gets a line, and answers it before it gets the next; no shell is involved."""

    def __init__(self, words: Sequence[str], identity: str, timeout: float, merged: bool = False) -> None:
        """``merged``: what it writes to standard error is an answer too."""
        self._identity, self._timeout = identity, timeout
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        errors = subprocess.STDOUT if merged else self._errors
        try:
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        except OSError as error:
            self._errors.close()
            raise SystemFailure(f"{identity}: cannot start {words[0]!r}: {error.strerror}") from None
        self._arrived: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=_drain, args=(self._process.stdout, self._arrived), daemon=True).start()

    def feed(self, lines: Sequence[str]) -> None:
        """Write all lines to it in the background, then no more."""
        threading.Thread(target=_feed, args=(self._process.stdin, lines), daemon=True).start()

    def ask(self, line: str) -> Iterator[str]:
        """What it writes after a line, as it comes; this ends only if the program does."""
        assert self._process.stdin  # noqa: S101 - it is a pipe
        with contextlib.suppress(OSError):  # where the program went away, its answers end
            self._process.stdin.write(line.encode("utf-8") + b"\n")
            self._process.stdin.flush()
        while (raw := self.read(f"to {line!r}")) is not None:
            yield raw.decode("utf-8", "replace").rstrip("\r\n")
        self._arrived.put(None)

    def read(self, when: str) -> bytes | None:
        """The next line that it writes; none once it has ended."""
        try:
            return self._arrived.get(timeout=self._timeout)
        except queue.Empty:
            raise SystemFailure(f"{self._identity} gave no answer for {self._timeout:g} s {when}") from None

    def code(self) -> int:
        """With what code it ended."""
        return self._process.wait()

    def complaint(self) -> str:
        """The last line that it wrote to standard error."""
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]

    def close(self) -> None:
        """End it, whatever it does; what it still had to say is lost."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._errors):
            with contextlib.suppress(OSError):
                assert stream  # noqa: S101 - it is a pipe
                stream.close()


def _feed(stream: IO[bytes], lines: Sequence[str]) -> None:
    with contextlib.suppress(OSError, ValueError):  # where the program went away, how it ended is told elsewhere
        for line in lines:
            stream.write(line.encode("utf-8") + b"\n")
        stream.close()


def _drain(stream: IO[bytes], arrived: queue.Queue[bytes | None]) -> None:
    for line in stream:
        arrived.put(line)
    arrived.put(None)
