"""Vectors in text files: word2vec's with a header, GloVe's without one, fastText's ``.vec``; and word2vec's binary.

Only lines of wanted words are looked at, and no more of a file than one piece is ever held.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from epicene.embeddings.source import Row, opened, read
from epicene.errors import InputError

HEADER = re.compile(rb"(?:\xef\xbb\xbf)?(\d+)[ \t]+(\d+)[ \t]*\r?")
# A line of 4,096 numbers is under 100 kB; what is longer by far is no line of vectors.
LONGEST_LINE = 16 << 20
_LONGEST_WORD = 1 << 16
# Bytes that no text has, and that hardly a number of four bytes is without.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")


def rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words, in the order of the file."""
    words = {word.encode(): word for word in wanted}
    firsts = {(word.split() or [b""])[0] for word in words}
    with opened(path) as stream:
        lines = _read_lines(stream, path)
        number, first = next(lines, (0, b""))
        header = HEADER.fullmatch(first)
        width = int(header[2]) if header else len(first.split()) - 1
        if number and width < 1:
            raise InputError(f"{path}:1: a word and no numbers; expected word vectors as text, one a line")
        if header is None:
            lines = chain([(number, first)], lines)
        for number, line in lines:
            if (line.split(None, 1) or [b""])[0] in firsts and (row := _row(line, width, words, f"{path}:{number}")):
                yield row
    there = number - bool(header)
    if header and there < int(header[1]):
        raise InputError(
            f"{path}: cut short: its header promises {header[1].decode()} rows, {there} are there; fetch it again"
        )
    if there == 0:
        raise InputError(f"{path}: no rows; expected a word and its numbers on each line")


def _read_lines(stream: BinaryIO, path: Path, begin: bytes = b"") -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers, after what was read already; one that is no line of vectors is refused."""
    number, rest = 0, b""
    chunk = (begin or read(stream, f"{path}:1")).removeprefix(b"\xef\xbb\xbf")
    while chunk:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from enumerate(lines, number + 1)
        number += len(lines)
        if len(rest) > LONGEST_LINE:
            where = f"{path}:{number + 1}"
            raise InputError(f"{where}: no line end within {LONGEST_LINE >> 20} MiB; expected word vectors, one a line")
        chunk = read(stream, f"{path}:{number + 1}")
    if rest.strip():
        yield number + 1, rest


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
        bad = next(number for number in numbers if not is_number(number)).decode(errors="replace")
        raise InputError(f"{where}: {bad!r} in the vector of {words[word]!r} is no number") from None


def is_number(text: bytes) -> bool:
    """Whether bytes are a number in text."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def is_binary(begin: bytes) -> bool:
    """Whether a file that begins so has a header and then numbers that are no text.

    A line of as many numbers as the header says is text, whatever its word is made of.
    """
    first, _, rest = begin.partition(b"\n")
    header = HEADER.fullmatch(first)
    if header is None or _CONTROL.search(rest, 0, 4 * int(header[2]) + 64) is None:
        return False
    _, *numbers = rest.partition(b"\n")[0].rsplit(None, int(header[2]))
    return len(numbers) != int(header[2]) or not all(map(is_number, numbers))


def binary_rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words, in the order of the file."""
    import numpy as np

    words = {word.encode(): word for word in wanted}
    with opened(path) as stream:
        first, _, data = read(stream, str(path)).partition(b"\n")
        header = HEADER.fullmatch(first)
        if header is None:
            raise InputError(f"{path}: no header; expected the number of rows and their width, as word2vec writes them")
        count, size = int(header[1]), 4 * int(header[2])
        start, find, length = 0, data.find, len(data)
        for number in range(1, count + 1):
            blank = find(b" ", start)
            while blank < 0 or blank + size >= length:
                where = f"{path}: row {number} of {count}"
                if blank < 0 and length - start > _LONGEST_WORD:
                    raise InputError(
                        f"{where}: a word of over {_LONGEST_WORD} bytes; expected word2vec's binary format"
                    )
                more = read(stream, where)
                if not more:
                    raise InputError(f"{where}: the file is cut short here; fetch it again")
                data, start = data[start:] + more, 0
                find, length = data.find, len(data)
                blank = find(b" ")
            # Some writers end each row with a line feed, some do not.
            word = data[start:blank].lstrip(b"\n")
            start = blank + 1 + size
            if word in words:
                vector = np.frombuffer(data, dtype="<f4", count=size // 4, offset=blank + 1)
                yield Row(words[word], f"{path}: row {number}", vector.astype(np.float64))


def vocabulary(path: Path) -> Iterator[str]:
    """The words of a text file of vectors, in its order."""
    with opened(path) as stream:
        chunk = read(stream, f"{path}:1")
        if is_binary(chunk) or path.suffix in (".npy", ".npz", ".bin"):
            raise InputError(f"{path}: candidates are taken from the vocabulary of a text file; give a list of words")
        for number, line in _read_lines(stream, path, chunk):
            if line.strip() and not (number == 1 and HEADER.fullmatch(line)):
                yield line.split(None, 1)[0].decode("utf-8", "replace")
