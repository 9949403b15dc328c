"""Vectors in text files: word2vec's with a header, GloVe's without one, fastText's ``.vec``.

Only lines whose first bytes can begin a wanted word are looked at: a file is read about as fast as its lines can be
counted, and no more of it than one piece is ever held.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO

from epicene.embeddings.source import Row, opened, read
from epicene.errors import InputError

HEADER = re.compile(rb"(?:\xef\xbb\xbf)?(\d+)[ \t]+(\d+)[ \t]*\r?")
# A line of 4,096 numbers is under 100 kB; what is longer by far is no line of vectors.
LONGEST_LINE = 16 << 20
_LINE_FEED = 10
_HEAD = 3  # how many bytes of a line are compared before the rest is looked at


def rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words, in the order of the file."""
    words = {word.encode(): word for word in wanted}
    firsts = {(word.split() or [b""])[0] for word in words}
    with opened(path) as stream:
        scan = _Scan(stream, path, _heads(words))
        header = scan.header()
        width = header[1] if header else scan.width()
        for number, line in scan:
            if line.split(None, 1)[0] in firsts and (row := _row(line, width, words, f"{path}:{number}")):
                yield row
        there = scan.lines - bool(header)
    if header and there < header[0]:
        raise InputError(f"{path}: cut short: its header promises {header[0]} rows, {there} are there; fetch it again")
    if there == 0:
        raise InputError(f"{path}: no rows; expected a word and its numbers on each line")


class _Scan:
    """Iterates over the numbered lines whose head is wanted, and counts them all."""

    def __init__(self, stream: BinaryIO, path: Path, heads: Collection[bytes]) -> None:
        self.lines = 0
        self._stream, self._path, self._heads = stream, path, heads
        self._begin = b""
        while b"\n" not in self._begin and (chunk := read(stream, f"{path}:1")):
            self._begin += chunk
            self._check(self._begin)
        self._first, _, _ = self._begin.partition(b"\n")

    def header(self) -> tuple[int, int] | None:
        """How many rows of how many numbers the first line promises, if it is a header."""
        found = HEADER.fullmatch(self._first)
        return (int(found[1]), int(found[2])) if found else None

    def width(self) -> int:
        """How many numbers stand in the first line."""
        width = len(self._first.split()) - 1
        if self._begin and width < 1:
            raise InputError(f"{self._path}:1: a word and no numbers; expected word vectors as text, one a line")
        return width

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        heads, lines, rest, chunk = self._heads, 0, b"", self._begin.removeprefix(b"\xef\xbb\xbf")
        while chunk:
            find = chunk.find
            end = find(_LINE_FEED)
            if end < 0:
                rest += chunk
                self._check(rest)
            else:
                line = rest + chunk[:end]
                lines += 1
                if line[:_HEAD] in heads:
                    yield lines, line
                start = end + 1
                # This loop is what reading costs: a search and a comparison a line.
                while (end := find(_LINE_FEED, start)) >= 0:
                    lines += 1
                    if chunk[start : start + _HEAD] in heads:
                        yield lines, chunk[start:end]
                    start = end + 1
                rest = chunk[start:]
            self.lines = lines
            chunk = read(self._stream, f"{self._path}:{lines + 1}")
        if rest.strip():
            self.lines = lines + 1
            yield self.lines, rest

    def _check(self, line: bytes) -> None:
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"{self._path}:{self.lines + 1}: no line end within {LONGEST_LINE >> 20} MiB; "
                "expected word vectors, one word a line"
            )


def _heads(words: Collection[bytes]) -> set[bytes]:
    """What a line may begin with; after a word of one byte and a blank, anything."""
    begins = {(word + blank)[:_HEAD] for word in words for blank in (b" ", b"\t")}
    short = {begin for begin in begins if len(begin) < _HEAD}
    return begins | {begin + bytes([byte]) for begin in short for byte in range(256)}


def _row(line: bytes, width: int, words: dict[bytes, str], where: str) -> Row | None:
    """The row of a line, or nothing if its word only begins like a wanted one."""
    import numpy as np

    word, *numbers = line.rsplit(None, width)
    if word not in words:
        first, *more = word.split()
        # GloVe has words with blanks in them: only numbers make a row too wide.
        if first in words and more and is_number(more[-1]):
            raise InputError(f"{where}: {words[first]!r} has {len(numbers) + len(more)} numbers, expected {width}")
        return None
    if len(numbers) != width:
        raise InputError(f"{where}: {words[word]!r} has {len(numbers)} numbers, expected {width}")
    try:
        return Row(words[word], where, np.array(list(map(float, numbers))))
    except ValueError:
        bad = next(each for each in numbers if not is_number(each)).decode(errors="replace")
        raise InputError(f"{where}: {bad!r} in the vector of {words[word]!r} is no number") from None


def is_number(text: bytes) -> bool:
    """Whether bytes are a number in text."""
    try:
        float(text)
    except ValueError:
        return False
    return True
