"""Reading the words of WEAT from vectors in every format, against merely reading the file through; and its memory.

The limit of a format is to read its bytes from the disk, and to unpack them where they are packed, doing nothing else.
Files are put out of the system's cache before each run; times are medians of alternating runs in processes of their
own, the processor's time beside the clock's. ``python -m benchmarks.formats 2000`` takes 2 GB instead of 200 MB; xz and
bz2 are tried at a tenth, since packing takes long.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
import statistics
import struct
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._peers import answer
from epicene.embeddings import wordlists

WIDTH = 300
RUNS = 3
MEGABYTES = 200

LIMIT = """
import json, sys, time
import numpy
from epicene.embeddings.source import opened
from pathlib import Path
start, cpu, size = time.perf_counter(), time.process_time(), 0
if sys.argv[2] == "members":
    import zipfile
    with zipfile.ZipFile(sys.argv[1]) as archive:
        for name in archive.namelist():
            with archive.open(name) as stream:
                while chunk := stream.read(1 << 20):
                    size += len(chunk)
elif sys.argv[2] == "unpacked":
    with opened(Path(sys.argv[1])) as stream:
        take = getattr(stream, "read1", stream.read)
        while chunk := take(1 << 20):
            size += len(chunk)
else:
    for path in sys.argv[1].split(","):
        with open(path, "rb", buffering=0) as stream:
            while chunk := stream.read(1 << 20):
                size += len(chunk)
print(json.dumps([time.perf_counter() - start, time.process_time() - cpu]))
"""

OURS = """
import json, sys, time
import numpy
from epicene.embeddings.vectors import load
from epicene.embeddings.wordlists import find
words = [word for test in find(["en"]) for word in test.words]
start, cpu = time.perf_counter(), time.process_time()
found = load(sys.argv[1], words)
took = [time.perf_counter() - start, time.process_time() - cpu]
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
print(json.dumps([*took, peak]))
"""


def text_of(path: Path, words: list[str], rows: list[bytes]) -> None:
    """GloVe's text."""
    with path.open("wb", buffering=1 << 20) as stream:
        for number, word in enumerate(words):
            stream.write(word.encode() + b" " + rows[number % len(rows)] + b"\n")


def binary_of(path: Path, words: list[str], array: Any) -> None:
    """word2vec's binary format."""
    with path.open("wb", buffering=1 << 20) as stream:
        stream.write(f"{len(words)} {WIDTH}\n".encode())
        for number, word in enumerate(words):
            stream.write(word.encode() + b" " + array[number].tobytes() + b"\n")


def safetensors_of(path: Path, words: list[str], array: Any) -> None:
    """One table, its words beside it."""
    import json

    header = json.dumps({"v": {"dtype": "F32", "shape": list(array.shape), "data_offsets": [0, array.nbytes]}}).encode()
    with path.open("wb") as stream:
        stream.write(struct.pack("<Q", len(header)) + header)
        array.tofile(stream)
    path.with_suffix(".vocab").write_text("\n".join(words) + "\n", encoding="utf-8")


def files(folder: Path, megabytes: int) -> list[tuple[str, Path, str, str]]:
    """Every format: its name, the file, what the limit reads, and how."""
    chance, numbers = random.Random(3), np.random.default_rng(3)
    wanted = sorted({word for test in wordlists.find(["en"]) for word in test.words})

    def vocabulary(size: int) -> list[str]:
        scattered = dict(zip(chance.sample(range(size), len(wanted)), wanted, strict=True))
        return [scattered.get(row) or f"{chance.choice('abcdefghij')}word{row}" for row in range(size)]

    array = numbers.normal(0, 0.4, size=(megabytes * 1_000_000 // (4 * WIDTH), WIDTH)).astype(np.float32)
    words = vocabulary(len(array))
    made = [(name, folder / f"v.{name}") for name in ("bin", "npz", "safetensors", "npy")]
    for name, path in made:
        if name == "bin":
            binary_of(path, words, array)
        elif name == "npz":
            np.savez(path, words=np.array(words), vectors=array)
        elif name == "safetensors":
            safetensors_of(path, words, array)
        else:
            np.save(path, array)
    found = [(name, path, str(path), "plain") for name, path in made]
    packed = folder / "packed.npz"
    np.savez_compressed(packed, words=np.array(words), vectors=np.round(array, 2))
    found.append(("npz, packed", packed, str(packed), "members"))
    lines = [" ".join(f"{value:.5g}" for value in row).encode() for row in array[:2000]]
    per_row = sum(map(len, lines)) // len(lines) + 12
    text = folder / "v.txt"
    text_of(text, vocabulary(megabytes * 1_000_000 // per_row), lines)
    found.append(("text", text, str(text), "plain"))
    with zipfile.ZipFile(folder / "v.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(text, "v.txt")
    with gzip.open(folder / "v.gz", "wb", compresslevel=1) as stream:
        stream.write(text.read_bytes())
    short = text.read_bytes()[: megabytes * 100_000].rpartition(b"\n")[0] + b"\n"
    (folder / "v.xz").write_bytes(lzma.compress(short, preset=0))
    (folder / "v.bz2").write_bytes(bz2.compress(short))
    return found + [
        (name, folder / f"v.{name}", str(folder / f"v.{name}"), "unpacked") for name in ("zip", "gz", "xz", "bz2")
    ]


def cold(*paths: Path) -> None:
    """Put files out of the system's cache, as far as it lets go of them."""
    for path in paths:
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def main() -> None:
    """Print, for each format, the limit, our time, the share of the limit's speed, and memory."""
    megabytes = next((int(each) for each in sys.argv[1:] if each.isdecimal()), MEGABYTES)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        print(f"{'format':<14} {'MB':>6} {'limit':>8} {'reading':>8} {'of it':>6} {'processor':>17} {'memory':>8}")
        for name, path, read, how in files(Path(folder), megabytes):
            runs = []
            for _ in range(RUNS):
                cold(path)
                limit, _ = answer(sys.executable, LIMIT, read, how)
                cold(path)
                runs.append((*limit, *answer(sys.executable, OURS, path)[0]))
            wall, cpu, ours, own, peak = (statistics.median(column) for column in zip(*runs, strict=True))
            size = path.stat().st_size / 1e6
            shown = f"{name:<14} {size:>6.0f} {wall:>6.2f} s {ours:>6.2f} s {wall / ours:>6.0%}"
            print(f"{shown} {cpu:>6.2f} s, {own:>5.2f} s {peak:>5.0f} MB", flush=True)


if __name__ == "__main__":
    main()
