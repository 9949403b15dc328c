"""Vector files that tests write themselves."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

Table = Mapping[str, Sequence[float]]
Writer = Callable[[Table], Path]


def lines(table: Table) -> str:
    return "".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in table.items())


def header(table: Table) -> str:
    return f"{len(table)} {len(next(iter(table.values())))}\n"


def packed(table: Table, end: bytes = b"\n") -> bytes:
    rows = (word.encode() + b" " + struct.pack(f"<{len(numbers)}f", *numbers) + end for word, numbers in table.items())
    return header(table).encode() + b"".join(rows)


@pytest.fixture(
    params=["glove", "word2vec", "tabs", "crlf", "bom", "gzip", "binary", "binary-unended", "binary-gzip", "npy"]
)
def vector_file(request: pytest.FixtureRequest, tmp_path: Path) -> Writer:
    """Writes a table in one of the formats that are read."""

    def write(table: Table) -> Path:
        path = tmp_path / "vectors"
        text = header(table) + lines(table)
        if request.param == "npy":
            import numpy as np

            path = path.with_suffix(".npy")
            np.save(path, np.array(list(table.values()), dtype=np.float32))
            path.with_suffix(".vocab").write_text("".join(f"{word}\n" for word in table), encoding="utf-8")
            return path
        content = {
            "glove": lines(table).encode(),
            "word2vec": text.replace("\n", " \n").encode(),
            "tabs": lines(table).replace(" ", "\t").encode(),
            "crlf": text.replace("\n", "\r\n").encode(),
            "bom": b"\xef\xbb\xbf" + lines(table).encode(),
            "gzip": gzip.compress(text.encode()),
            "binary": packed(table),
            "binary-unended": packed(table, end=b""),
            "binary-gzip": gzip.compress(packed(table)),
        }[request.param]
        path.write_bytes(content)
        return path

    return write
