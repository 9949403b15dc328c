"""WEAT and its kin against WEFE 1.0.1 on the same vectors: the same numbers, and how long they take."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import run_parts
from epicene.embeddings import wordlists
from epicene.embeddings.vectors import Method, Settings, Vectors, load
from epicene.embeddings.weat import measure
from epicene.embeddings.wordlists import WordTest
from epicene_lab.embeddings import metrics
from epicene_lab.embeddings.debias import definitional_pairs, gendered, hard_debiased
from epicene_lab.embeddings.panel import measured

ENVIRONMENTS = Path(__file__).parent.parent / ".venv-peers"


def python_with(*requirements: str) -> Path:
    """The Python of an environment that has the requirements, made the first time."""
    folder = ENVIRONMENTS / "-".join(requirements).replace("=", "")
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        print(f"installing {', '.join(requirements)} …", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements], check=True, stdout=sys.stderr)
        ready.touch()
    return python


def answer(python: str | Path, script: str, *arguments: str | Path) -> tuple[Any, float]:
    """What a script prints as JSON, and the peak memory of its process in MB."""
    process = subprocess.Popen([python, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"a benchmark process failed with exit code {process.returncode}")
    return json.loads(printed), usage.ru_maxrss / 1024


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


def print_weat() -> None:
    """A WEAT p-value: all partitions counted, against WEFE 1.0.1, which draws some; and 25 + 25 words.

    Both compute WEAT 7 (8 + 8 words) on the same vectors, loaded beforehand. WEFE is timed on fewer draws than its
    default of 10,000, in proportion to which its time grows. The numbers of the paper are printed by the same run.
    """
    with tempfile.TemporaryDirectory() as folder:
        small(Path(folder))
        largest(Path(folder))


TESTS = ("weat1", "weat6", "weat7", "weat8")
GOLDEN = Path(__file__).parent.parent / "tests" / "golden" / "wefe.json"
METRIC_DRAWS, METRIC_REPEATS = 20, 10
WEFE_METRICS = """
import contextlib, json, os, sys, time, warnings, logging
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
warnings.filterwarnings("ignore"); logging.disable(logging.CRITICAL)
import numpy as np
from gensim.models import KeyedVectors
from wefe.debias.hard_debias import HardDebias
from wefe.metrics import ECT, MAC, RIPA, RND, RNSB, WEAT
from wefe.query import Query
from wefe.word_embedding_model import WordEmbeddingModel
path, tests, draws = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
pairs, kept, repeats = json.loads(sys.argv[4]), json.loads(sys.argv[5]), int(sys.argv[6])
keyed = KeyedVectors.load_word2vec_format(path)
keyed.vectors = keyed.vectors.astype(np.float64)
model = WordEmbeddingModel(keyed)
regression = {"solver": "newton-cholesky", "tol": 1e-12, "max_iter": 1000}
out = {}
def timed(name, call):
    call()
    start = time.process_time()
    for _ in range(repeats):
        found = call()
    out.setdefault("seconds", {}).setdefault(name, 0.0)
    out["seconds"][name] += (time.process_time() - start) / repeats
    return float(found["result"])
for name, lists, groups in tests:
    have = lambda words: [word for word in words if word in keyed]
    lists = {letter: have(words) for letter, words in lists.items()}
    one, two, rest = groups[0], groups[1], [letter for letter in "xyab" if letter not in groups]
    both = Query([lists["x"], lists["y"]], [lists["a"], lists["b"]])
    found = {"mac": timed("mac", lambda: MAC().run_query(both, model))}
    whole = {"estimator_params": dict(regression), "holdout": False}
    found["rnsb"] = timed("rnsb", lambda: RNSB().run_query(both, model, **whole))
    weat = WEAT().run_query(both, model)
    found["weat"], found["weat_d"] = float(weat["weat"]), float(weat["effect_size"])
    start = time.process_time()
    WEAT().run_query(both, model, calculate_p_value=True, p_value_iterations=draws)
    out["seconds"]["weat"] = out["seconds"].get("weat", 0.0) + time.process_time() - start
    for letter in rest:
        query = Query([lists[one], lists[two]], [lists[letter]])
        found["rnd " + letter] = timed("rnd", lambda: RND().run_query(query, model))
        found["ect " + letter] = timed("ect", lambda: ECT().run_query(query, model))
        found["ripa " + letter] = timed("ripa", lambda: RIPA().run_query(query, model))
    out[name] = found
# WEFE debiases in four bytes only.
keyed.vectors = keyed.vectors.astype(np.float32)
model = WordEmbeddingModel(keyed)
pairs = [pair for pair in pairs if all(word in keyed for word in pair)]
debias = HardDebias(pca_args={"n_components": 1})
with contextlib.redirect_stdout(sys.stderr):
    debias.fit(model, definitional_pairs=pairs, equalize_pairs=pairs)
    after = debias.transform(model, ignore=kept, copy=False)
d = {}
for name, lists, groups in tests:
    lists = {letter: [word for word in words if word in keyed] for letter, words in lists.items()}
    query = Query([lists["x"], lists["y"]], [lists["a"], lists["b"]])
    d[name] = float(WEAT().run_query(query, after)["effect_size"])
out["hard"] = d
print(json.dumps(out))
"""


def vectors_file() -> Path:
    """The published vectors that both read."""
    return Path(os.environ["EPICENE_TEST_DATA"]) / "weat" / "googlenews_word2vec_weat_subset.vec.gz"


def ours(vectors: Vectors) -> dict[str, dict[str, float]]:
    """Our numbers under WEFE's names."""
    import numpy as np

    found: dict[str, dict[str, float]] = {}
    for test in wordlists.find(TESTS):
        by_letter = {letter: [w for w in each.words if w in vectors] for letter, each in test.lists.items()}
        arrays = {letter: np.array([vectors[word] for word in words]) for letter, words in by_letter.items()}
        first, second = (arrays[letter] for letter in test.groups)
        both = np.concatenate([arrays["x"], arrays["y"]])
        association: Any = measure(test, vectors, Settings(ddof=0, method=Method.MC, draws=1))
        values = {
            "mac": float(metrics.mac(both, (arrays["a"], arrays["b"])).mean()),
            "rnsb": float(metrics.divergence(metrics.rnsb(both, arrays["a"], arrays["b"]))[0]),
            "weat": association.statistic,
            "weat_d": association["effect_size"].value,
        }
        for letter in (letter for letter in "xyab" if letter not in test.groups):
            words = arrays[letter]
            values[f"rnd {letter}"] = float(metrics.rnd(first, second, words).mean())
            values[f"ect {letter}"] = metrics.ect(first, second, words) or 0.0
            values[f"ripa {letter}"] = float(metrics.ripa(first, second, words).mean())
        found[test.name] = values
    return found


def hard(vectors: Vectors) -> dict[str, float]:
    """Effect sizes after our hard debiasing, with WEFE's standard deviation."""
    after = hard_debiased(vectors, definitional_pairs(), gendered())
    found: dict[str, Any] = {
        test.name: measure(test, after, Settings(ddof=0, method=Method.MC, draws=1)) for test in wordlists.find(TESTS)
    }
    return {name: each["effect_size"].value for name, each in found.items()}


def wanted() -> list[str]:
    """All words that are read."""
    words = [word for test in wordlists.find(TESTS) for word in test.words]
    return [*words, *(word for pair in definitional_pairs() for word in pair)]


def seconds(vectors: Vectors) -> dict[str, tuple[float, float]]:
    """Our time for each metric on all tests: the number alone, and with p and interval."""
    import numpy as np

    tests = wordlists.find(TESTS)
    arrays = [
        {letter: np.array([vectors[w] for w in each.words if w in vectors]) for letter, each in test.lists.items()}
        for test in tests
    ]

    def alone(name: str) -> None:
        for test, lists in zip(tests, arrays, strict=True):
            first, second = (lists[letter] for letter in test.groups)
            if name in ("mac", "rnsb"):
                both = np.concatenate([lists["x"], lists["y"]])
                if name == "mac":
                    metrics.mac(both, (lists["a"], lists["b"])).mean()
                else:
                    metrics.divergence(metrics.rnsb(both, lists["a"], lists["b"]))
            else:
                for letter in (letter for letter in "xyab" if letter not in test.groups):
                    getattr(metrics, name)(first, second, lists[letter])

    def whole(name: str) -> None:
        for test in tests:
            measured(test, vectors, [name], Settings())

    def exact(_: str) -> None:
        for test in tests:
            measure(test, vectors, Settings())

    found = {
        name: (_timed(alone, name, METRIC_REPEATS), _timed(whole, name, 2))
        for name in ("rnd", "rnsb", "mac", "ect", "ripa")
    }
    counted = _timed(exact, "weat", 1)
    return {"weat": (counted, counted), **found}


def _timed(call: Callable[[str], None], name: str, repeats: int) -> float:
    call(name)
    start = time.process_time()
    for _ in range(repeats):
        call(name)
    return (time.process_time() - start) / repeats


def print_metrics() -> None:
    """WEFE's six metrics and its hard debiasing against ours on the same vectors: the same numbers, and how
    long they take.

    Both have the vectors in memory; times are processor time on one thread. WEFE draws 10,000 partitions for a
    p-value by default and is timed on fewer, in proportion to which its time grows; its other metrics have no p. Three
    things are made alike, since WEFE is the oracle where it is right: its standard deviation (ddof 0) is ours
    with ddof 0, and its logistic regression is fitted to the end on all words with a free intercept, not by liblinear
    on a random part of them. ``--write`` keeps WEFE's numbers as the golden file of the tests.
    """
    tests = [
        (t.name, {letter: each.words for letter, each in t.lists.items()}, t.groups) for t in wordlists.find(TESTS)
    ]
    given = (
        json.dumps(tests),
        str(METRIC_DRAWS),
        json.dumps(definitional_pairs()),
        json.dumps(sorted(gendered())),
        str(METRIC_REPEATS),
    )
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded
    theirs, _ = answer(python_with("wefe==1.0.1", "gensim"), WEFE_METRICS, vectors_file(), *given)
    vectors = load(vectors_file(), wanted())
    mine, after = ours(vectors), hard(vectors)
    gaps = {(test, name): abs(mine[test][name] - theirs[test][name]) for test in mine for name in mine[test]}
    gaps |= {(test, "hard debiased d"): abs(after[test] - theirs["hard"][test]) for test in after}
    print(
        f"{len(gaps)} numbers by both; the largest difference is {max(gaps.values()):.1e} ({max(gaps, key=gaps.get)})"
    )  # type: ignore[arg-type]
    times = seconds(vectors)
    theirs["seconds"]["weat"] *= DEFAULT_DRAWS / METRIC_DRAWS
    print(f"{'metric':<8} {'WEFE 1.0.1':>12} {'ours':>12} {'':>10} {'with p':>12}")
    for name, (value, full) in times.items():
        other = theirs["seconds"][name]
        print(f"{name:<8} {other * 1e3:>9.2f} ms {value * 1e3:>9.2f} ms {other / value:>8.0f} x {full * 1e3:>9.2f} ms")
    other, own = sum(theirs["seconds"].values()), sum(value for value, _ in times.values())
    print(f"{'all six':<8} {other * 1e3:>9.2f} ms {own * 1e3:>9.2f} ms {other / own:>8.0f} x")
    if "--write" in sys.argv:
        GOLDEN.write_text(json.dumps({k: v for k, v in theirs.items() if k != "seconds"}, indent=1) + "\n")


PARTS = {"weat": print_weat, "metrics": print_metrics}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
