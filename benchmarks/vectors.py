"""Reading the words of WEAT 1 to 10 from 1 GB of GloVe-style text, against counting its lines, and gensim's loader.

All read the same generated file, in processes of their own; times are medians of alternating runs without start-up.
"""

from __future__ import annotations

import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks._peers import answer, python_with
from epicene.embeddings import wordlists

SIZE = 1_000_000_000
WIDTH = 300
RUNS = 5

COUNT = """
import json, sys, time
start = time.perf_counter()
lines = 0
with open(sys.argv[1], "rb", buffering=0) as stream:
    while chunk := stream.read(1 << 20):
        lines += chunk.count(b"\\n")
print(json.dumps([time.perf_counter() - start, lines]))
"""

OURS = """
import json, sys, time
import numpy
from epicene.embeddings.vectors import load
from epicene.embeddings.wordlists import find
words = [word for test in find(["en"]) for word in test.words]
start = time.perf_counter()
found = load(sys.argv[1], words)
print(json.dumps([time.perf_counter() - start, len(found.rows)]))
"""

GENSIM = """
import json, sys, time
from gensim.models import KeyedVectors
start = time.perf_counter()
found = KeyedVectors.load_word2vec_format(sys.argv[1], no_header=True)
print(json.dumps([time.perf_counter() - start, len(found)]))
"""


def generate(path: Path) -> int:
    """Write the file: rare words with the wanted ones scattered among them, and one word in ten left out."""
    chance = random.Random(3)
    numbers = [" ".join(f"{chance.gauss(0, 0.4):.5g}" for _ in range(WIDTH)).encode() for _ in range(2000)]
    words = {word for test in wordlists.find(["en"]) for word in test.words}
    scattered = {chance.randrange(300_000): word for word in sorted(words)[: len(words) * 9 // 10]}
    written = row = 0
    with path.open("wb", buffering=1 << 20) as stream:
        while written < SIZE:
            word = scattered.get(row) or "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6)) + str(row)
            written += stream.write(word.encode() + b" " + numbers[row % len(numbers)] + b"\n")
            row += 1
    return row


def main() -> None:
    """Print times, their ratio and peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "glove.txt"
        rows = generate(path)
        runs = [(answer(sys.executable, COUNT, path), answer(sys.executable, OURS, path)) for _ in range(RUNS)]
        counting = statistics.median(seconds for ((seconds, _), _), _ in runs)
        reading = statistics.median(seconds for _, ((seconds, _), _) in runs)
        peak = max(memory for _, (_, memory) in runs)
        found = runs[0][1][0][1]
        print(f"{rows:,} rows of {WIDTH}, {path.stat().st_size / 1e9:.2f} GB")
        print(f"counting its lines in Python {counting:>8.2f} s")
        print(
            f"reading {found} words          {reading:>8.2f} s  {counting / reading:.0%} of that speed, {peak:.0f} MB"
        )
        if shutil.which("wc"):
            lines = statistics.median(timed_wc(path) for _ in range(RUNS))
            print(f"wc -l                        {lines:>8.2f} s  reading runs at {lines / reading:.0%} of its speed")
        (seconds, _), memory = answer(python_with("gensim"), GENSIM, path)
        print(f"gensim's loader              {seconds:>8.2f} s  {seconds / reading:,.0f} x as long, {memory:.0f} MB")


def timed_wc(path: Path) -> float:
    """Seconds that ``wc -l`` takes, start-up included."""
    start = time.perf_counter()
    subprocess.run(["wc", "-l", path], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
