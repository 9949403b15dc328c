"""Vectors that tests make themselves: files, random ones, and a tiny encoder."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from epicene.embeddings.wordlists import find

Table = Mapping[str, Sequence[float]]
Writer = Callable[[Table], Path]


def lines(table: Table) -> str:
    return "".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in table.items())


def header(table: Table) -> str:
    return f"{len(table)} {len(next(iter(table.values())))}\n"


def packed(table: Table, end: bytes = b"\n") -> bytes:
    rows = (word.encode() + b" " + struct.pack(f"<{len(numbers)}f", *numbers) + end for word, numbers in table.items())
    return header(table).encode() + b"".join(rows)


def drawn(words: list[str], seed: int = 3, width: int = 8) -> dict[str, np.ndarray]:
    """Random vectors of words."""
    chance = np.random.default_rng(seed)
    return {word: chance.normal(size=width) for word in words}


TEXTS = ["glove", "word2vec", "tabs", "crlf", "bom", "gzip", "xz", "bzip2", "zip", "binary", "binary-unended"]
ARRAYS = ["npy", "npz", "npz-packed", "npz-columns"]


def _array(table: Table, kind: str, path: Path) -> Path:
    array, words = np.array(list(table.values()), dtype=np.float32), list(table)
    path = path.with_suffix(f".{kind.partition('-')[0]}")
    if kind == "npy":
        np.save(path, array)
    else:
        vectors = np.asfortranarray(array) if kind == "npz-columns" else array
        (np.savez_compressed if kind == "npz-packed" else np.savez)(path, words=np.array(words), vectors=vectors)
    path.with_suffix(".vocab").write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    return path


@pytest.fixture(params=[*TEXTS, "binary-gzip", *ARRAYS])
def vector_file(request: pytest.FixtureRequest, tmp_path: Path) -> Writer:
    """Writes a table in one of the formats that are read."""

    def write(table: Table) -> Path:
        path = tmp_path / "vectors"
        text = header(table) + lines(table)
        if request.param in ARRAYS:
            return _array(table, request.param, path)
        if request.param == "zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("vectors.txt", text)
            return path
        content = {
            "glove": lines(table).encode(),
            "word2vec": text.replace("\n", " \n").encode(),
            "tabs": lines(table).replace(" ", "\t").encode(),
            "crlf": text.replace("\n", "\r\n").encode(),
            "bom": b"\xef\xbb\xbf" + lines(table).encode(),
            "gzip": gzip.compress(text.encode()),
            "xz": lzma.compress(text.encode()),
            "bzip2": bz2.compress(text.encode()),
            "binary": packed(table),
            "binary-unended": packed(table, end=b""),
            "binary-gzip": gzip.compress(packed(table)),
        }[request.param]
        path.write_bytes(content)
        return path

    return write


def write_encoder(path: Path) -> Path:
    """A tiny BERT with random weights that knows the words of WEAT 7."""
    import torch
    import transformers

    (test,) = find(["weat7"])
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *dict.fromkeys(test.words),
        *["this", "is", "that", "there", "here", ".", "-"],
    ]
    (path / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    transformers.BertTokenizerFast(vocab=str(path / "vocab.txt")).save_pretrained(path)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32
    )
    transformers.BertModel(config).save_pretrained(path)
    return path
