"""The metrics that other toolkits have, on the tests of WEAT: RND, RNSB, MAC, ECT and RIPA, with intervals and p.

A metric of two groups and a list of words runs once for each list. Which two lists are groups the test says: male and
female terms in WEAT 7, European and African American names in WEAT 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from epicene.embeddings import metrics, wordlists
from epicene.embeddings.tables import panel_tables
from epicene.embeddings.vectors import Embedding, Settings, Vectors, load, named_sources
from epicene.embeddings.weat import Refusal, Tested, refusal
from epicene.embeddings.wordlists import TestNames, WordTest
from epicene.errors import UnknownNameError
from epicene.output.table import Table
from epicene.stats.exact import partitions, signs
from epicene.stats.means import students
from epicene.stats.rates import Z95
from epicene.version import __version__

if TYPE_CHECKING:
    from epicene.embeddings.metrics import Array

NAMES = ("rnd", "rnsb", "mac", "ect", "ripa")
_RELABELLINGS = 1000  # of RNSB, which fits a model for each


@dataclass(frozen=True, slots=True)
class MetricResult:
    """One metric on one test and embedding."""

    metric: str
    test: str
    embedding: str
    groups: str  # what is compared, in words
    words: str  # the list of words that it is measured on
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int  # words
    by_word: dict[str, float]
    signature: str

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        plain = ("metric", "test", "embedding", "groups", "words", "value", "low", "high", "p", "n", "signature")
        return {"epicene": __version__, **{name: getattr(self, name) for name in plain}, "by_word": dict(self.by_word)}


@dataclass(frozen=True, slots=True)
class Panel(Tested):
    """All metrics of one call."""

    embeddings: tuple[str, ...]
    results: tuple[MetricResult, ...]
    refused: tuple[Refusal, ...] = ()

    def tables(self) -> Iterable[Table]:
        """One row a metric, test and list of words."""
        return panel_tables(self)


def panel(
    embeddings: Embedding | Sequence[Embedding],
    tests: TestNames = None,
    metrics: Sequence[str] = NAMES,
    **settings: Any,
) -> Panel:
    """Measure vectors by the metrics that other toolkits have: ``rnd``, ``rnsb``, ``mac``, ``ect``, ``ripa``.

    ``embeddings``, ``tests`` and ``settings`` (draws, seed, case, coverage) are those of ``weat``.
    """
    for name in metrics:
        if name not in NAMES:
            raise UnknownNameError("metric", name, [*NAMES, "weat"])
    chosen = Settings.of(**settings)
    found = wordlists.find(tests)
    results: list[MetricResult] = []
    refused: list[Refusal] = []
    sources = named_sources(embeddings)
    for embedding, source in sources.items():
        words = [word for test in found for word in test.words]
        vectors = replace(load(source, words, chosen.case), name=embedding)
        for test in found:
            if short := refusal(test, vectors, chosen):
                refused.append(short)
            else:
                results += measured(test, vectors, metrics, chosen)
    return Panel(tuple(sources), tuple(results), tuple(refused))


def measured(test: WordTest, vectors: Vectors, names: Sequence[str], settings: Settings) -> list[MetricResult]:
    """The metrics of one test, whose words are there as far as the coverage asks."""
    import numpy as np

    kept = {letter: [word for word in each.words if word in vectors] for letter, each in test.lists.items()}
    arrays = {letter: np.array([vectors[word] for word in words]) for letter, words in kept.items()}
    digest = vectors.digest(word for words in kept.values() for word in words)
    pairs, others = ("ab", "xy") if test.groups == "ab" else ("xy", "ab")
    first, second = arrays[pairs[0]], arrays[pairs[1]]
    compared = f"{test.lists[pairs[0]].name} / {test.lists[pairs[1]].name}"
    found: list[MetricResult] = []
    for name in names:
        common = (name, test.name, vectors.name)
        signature = f"{name}|{test.name}|words:{test.version}|vectors:{digest}|case:{settings.case}|v:{__version__}"
        if name in ("rnd", "ect", "ripa"):
            for letter in others:
                numbers = _two_groups(name, test, vectors, (first, second, arrays[letter]), settings)
                value, (low, high), p, per_word = numbers
                by_word = dict(zip(kept[letter], per_word, strict=True)) if per_word is not None else {}
                words = test.lists[letter].name
                found.append(
                    MetricResult(*common, compared, words, value, low, high, p, len(kept[letter]), by_word, signature)
                )
            continue
        targets, listed = np.concatenate([arrays["x"], arrays["y"]]), kept["x"] + kept["y"]
        classes = f"{test.a.name} / {test.b.name}"
        if name == "mac":
            each = metrics.mac(targets, (arrays["a"], arrays["b"])).mean(axis=1)
            value, p, (low, high) = float(each.mean()), None, students(each.tolist())
        else:
            each = metrics.rnsb(targets, arrays["a"], arrays["b"])
            value, low, high = float(metrics.divergence(each)), None, None
            p = _relabelled(value, targets, arrays["a"], arrays["b"], settings)
        by_word = dict(zip(listed, each.tolist(), strict=True))
        both = f"{test.x.name} + {test.y.name}"
        found.append(MetricResult(*common, classes, both, value, low, high, p, len(listed), by_word, signature))
    return found


Numbers = tuple[float | None, tuple[float | None, float | None], float | None, list[float] | None]


def _two_groups(
    name: str, test: WordTest, vectors: Vectors, arrays: tuple[Array, Array, Array], settings: Settings
) -> Numbers:
    """Value, interval, p and the words' own values of a metric of two groups."""
    first, second, words = arrays
    if name == "rnd":
        each = metrics.rnd(first, second, words)
        return float(each.mean()), students(each.tolist()), _regrouped("rnd", arrays, settings), each.tolist()
    if name == "ect":
        value = metrics.ect(first, second, words)
        return value, _rank_interval(value, len(words)), _regrouped("ect", arrays, settings), None
    paired = _pairs(test, vectors)
    if paired is None:
        return None, (None, None), None, None
    table = metrics.ripa(*paired, words)
    pairs = table.mean(axis=0)
    turned = signs(len(pairs), settings.draws, settings.seed) @ pairs
    p = _share(abs(turned) >= abs(pairs.sum()) - 1e-12, 2 ** len(pairs) == len(turned))
    return float(table.mean()), students(table.mean(axis=1).tolist()), p, table.mean(axis=1).tolist()


def _pairs(test: WordTest, vectors: Vectors) -> tuple[Array, Array] | None:
    """Words at the same place of the two groups, where both are there."""
    import numpy as np

    one, two = (test.lists[letter].words for letter in test.groups)
    both = [(a, b) for a, b in zip(one, two, strict=False) if a in vectors and b in vectors]
    if len(one) != len(two) or not both:
        return None
    return np.array([vectors[a] for a, _ in both]), np.array([vectors[b] for _, b in both])


def _regrouped(name: str, arrays: tuple[Array, Array, Array], settings: Settings) -> float:
    """How often chance groups, parted from the same words, are as far apart as the two groups are."""
    import numpy as np

    first, second, words = arrays
    everybody = np.concatenate([first, second])
    chosen, exact = partitions(len(everybody), len(first), settings.draws, settings.seed)
    one = chosen @ everybody / len(first)
    two = (1 - chosen) @ everybody / len(second)
    if name == "rnd":
        found = (metrics.distances(one, words) - metrics.distances(two, words)).mean(axis=1)
        observed = float(metrics.rnd(first, second, words).mean())
        return _share(np.abs(found) >= abs(observed) - 1e-12, exact)
    found = metrics.coherence(one, two, words)
    coherent = metrics.ect(first, second, words)
    return _share(found <= (coherent if coherent is not None else -2) + 1e-12, exact)


def _relabelled(value: float, targets: Array, first: Array, second: Array, settings: Settings) -> float:
    """How often chance labels of the attribute words spread the targets as far apart."""
    size = len(first) + len(second)
    chosen, exact = partitions(size, len(second), min(settings.draws, _RELABELLINGS), settings.seed)
    found = metrics.rnsb_relabelled(targets, first, second, chosen[:_RELABELLINGS])
    return _share(found >= value - 1e-12, exact and len(chosen) <= _RELABELLINGS)


def _share(hits: Any, exact: bool) -> float:
    """The share of hits; of what was drawn, the observed one counts as one more."""
    count, size = int(hits.sum()), len(hits)
    return max(count, 1) / size if exact else (count + 1) / (size + 1)


def _rank_interval(r: float | None, n: int) -> tuple[float | None, float | None]:
    """Bonett and Wright's interval for a rank correlation."""
    if r is None or n <= 3 or abs(r) >= 1:
        return None, None
    half = Z95 * math.sqrt((1 + r * r / 2) / (n - 3))
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
