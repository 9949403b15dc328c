"""A WEAT p-value: all partitions counted, against WEFE 1.0.1, which draws some; and 25 + 25 words.

Both compute WEAT 7 (8 + 8 words) on the same vectors, loaded beforehand. WEFE is timed on fewer draws than its default
of 10,000, in proportion to which its time grows. The numbers of the paper are printed by the same run.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks._peers import answer, python_with
from epicene.embeddings import wordlists
from epicene.embeddings.settings import Settings
from epicene.embeddings.vectors import load
from epicene.embeddings.weat import measure
from epicene.embeddings.wordlists import WordTest

REPEATS = 20
DRAWS, DEFAULT_DRAWS = 500, 10_000

WEFE = """
import json, sys, time
from gensim.models import KeyedVectors
from wefe.metrics import WEAT
from wefe.query import Query
from wefe.word_embedding_model import WordEmbeddingModel
path, draws, lists = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
model = WordEmbeddingModel(KeyedVectors.load_word2vec_format(path))
query = Query(lists[:2], lists[2:])
start = time.perf_counter()
found = WEAT().run_query(query, model, calculate_p_value=True, p_value_iterations=draws)
print(json.dumps([time.perf_counter() - start, float(found["effect_size"]), float(found["p_value"])]))
"""

LARGEST = """
import json, sys, time
from epicene.embeddings.weat import weat
start = time.perf_counter()
(found,) = weat(sys.argv[1], "weat1")
print(json.dumps([time.perf_counter() - start, found.counts.exact, found.counts.partitions]))
"""


def vectors_of(test: WordTest, folder: Path) -> Path:
    """Random vectors of a test's words, as word2vec text."""
    chance = random.Random(7)
    path = folder / f"{test.name}.vec"
    rows = [f"{word} {' '.join(f'{chance.gauss(0, 1):.6f}' for _ in range(300))}" for word in dict.fromkeys(test.words)]
    path.write_text("\n".join([f"{len(rows)} 300", *rows, ""]), encoding="utf-8")
    return path


def small(folder: Path) -> None:
    """WEAT 7 by both."""
    (test,) = wordlists.find(["weat7"])
    data = os.environ.get("EPICENE_TEST_DATA")
    path = Path(data) / "weat" / "googlenews_word2vec_weat_subset.vec.gz" if data else vectors_of(test, folder)
    vectors = load(path, test.words)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        found = measure(test, vectors, Settings())
        times.append(time.perf_counter() - start)
    ours = statistics.median(times)
    lists = json.dumps([each.words for each in test.lists.values()])
    (theirs, d, p), _ = answer(python_with("wefe==1.0.1", "gensim"), WEFE, path, str(DRAWS), lists)
    whole = theirs * DEFAULT_DRAWS / DRAWS
    one, two = found["p_one_sided"], found["p_two_sided"]
    print(f"WEFE 1.0.1, {DRAWS} draws               {theirs:>9.3f} s  d {d:.4f} (ddof 0), p one-sided {p:.3f}")
    print(f"WEFE 1.0.1, {DEFAULT_DRAWS:,} draws, in proportion {whole:>7.3f} s")
    print(f"epicene, all {one.n:,} partitions       {ours:>9.6f} s  {whole / ours:,.0f} x as fast")
    print(
        f"  d {found['effect_size'].value:.4f}, p one-sided {one.count}/{one.n}, two-sided {two.count}/{two.n}, exact"
    )


def largest(folder: Path) -> None:
    """25 + 25 words, in a process of its own."""
    (test,) = wordlists.find(["weat1"])
    (seconds, exact, partitions), peak = answer(sys.executable, LARGEST, vectors_of(test, folder))
    assert exact
    print(f"25 + 25 words: all {partitions:,} partitions in {seconds:.1f} s, peak memory {peak:.0f} MB")


def main() -> None:
    """Print both comparisons."""
    with tempfile.TemporaryDirectory() as folder:
        small(Path(folder))
        largest(Path(folder))


if __name__ == "__main__":
    main()
