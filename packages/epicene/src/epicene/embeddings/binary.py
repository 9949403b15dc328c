"""Vectors in word2vec's binary format: a header, then each word, a blank and its numbers in four bytes each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from epicene.embeddings.source import Row, opened, read
from epicene.embeddings.text import HEADER, is_number
from epicene.errors import InputError

_LONGEST_WORD = 1 << 16
# Bytes that no text has, and that hardly a number of four bytes is without.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")


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


def rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
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
