"""The metrics that other toolkits have, on the tests of WEAT: RND, RNSB, MAC, ECT and RIPA, with intervals and p.

A metric of two groups and a list of words runs once for each list. Which two lists are groups the test says: male and
female terms in WEAT 7, European and African American names in WEAT 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from epicene.embeddings import wordlists
from epicene.embeddings.association import Array, share_of, sign_p
from epicene.embeddings.tables import Refusal, format_interval, format_small_p, number_names
from epicene.embeddings.vectors import Embedding, Settings, Vectors, named_sources, open_all
from epicene.embeddings.weat import find_refusal
from epicene.embeddings.wordlists import TestNames, WordTest
from epicene.errors import UnknownNameError
from epicene.options import apply_options
from epicene.output.table import Table, format_number
from epicene.stats.exact import partitions
from epicene.stats.means import students
from epicene.stats.rates import Z95
from epicene.version import __version__
from epicene_lab.embeddings import metrics
from epicene_lab.embeddings.answer import Tested

NAMES = ("rnd", "rnsb", "mac", "ect", "ripa")
_OF_GROUPS = ("rnd", "ect", "ripa")
_RELABELLINGS = 1000  # of RNSB, which fits a model for each
_LEGEND = (
    "rnd: mean distance to the first group less that to the second; below zero, the words are nearer to the first. "
    "ect: rank correlation of the closeness to both; 1 is no bias. ripa: inner product with the difference of pairs; "
    "above zero, the words lean to the first. mac: mean cosine distance to both lists; 1 is none. rnsb: divergence of "
    "the chances to belong to the second list; 0 is no bias. p: how often chance groups, labels (rnsb) or turned pairs "
    "(ripa) reach as far."
)


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
        return {"epicene": __version__, **asdict(self)}


@dataclass(frozen=True, slots=True)
class Panel(Tested):
    """All metrics of one call."""

    embeddings: tuple[str, ...]
    results: tuple[MetricResult, ...]
    refused: tuple[Refusal, ...] = ()

    def tables(self) -> Iterable[Table]:
        """One row a metric, test and list of words."""
        groups = dict.fromkeys(f"{result.test}: {result.groups}" for result in self.results if result.metric != "mac")
        rows = []
        for result in self.results:
            number = f" ({self.embeddings.index(result.embedding) + 1})" if len(self.embeddings) > 1 else ""
            numbers = (format_number(result.value, 3), format_interval(result.low, result.high, 3))
            words = (result.test + number, result.metric, result.words)
            rows.append((*words, *numbers, format_small_p(result.p), result.n))
        titles = ("test", "metric", "words", "value", "95 % interval", "p", "n")
        yield self.make_table("\n".join([*number_names(self.embeddings), *groups]), titles, rows, (_LEGEND,))


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
            raise UnknownNameError("metric", name, NAMES)
    (chosen,) = apply_options(settings, Settings())
    word_tests = wordlists.find(tests)
    sources = named_sources(embeddings)
    results: list[MetricResult] = []
    refused: list[Refusal] = []
    for vectors in open_all(sources, [word for test in word_tests for word in test.words], chosen.case):
        for test in word_tests:
            if refusal := find_refusal(test, vectors.name, vectors, chosen):
                refused.append(refusal)
            else:
                results += measured(test, vectors, metrics, chosen)
    return Panel(tuple(sources), tuple(results), tuple(refused))


class _Numbers(NamedTuple):
    """What a metric gives for a list of words."""

    value: float | None = None
    interval: tuple[float | None, float | None] = (None, None)
    p: float | None = None
    by_word: Sequence[float] = ()


def measured(test: WordTest, vectors: Vectors, names: Sequence[str], settings: Settings) -> list[MetricResult]:
    """The metrics of one test, whose words are there as far as the coverage asks."""
    known = {letter: [word for word in words.words if word in vectors] for letter, words in test.lists.items()}
    rows = {letter: np.array([vectors[word] for word in words]) for letter, words in known.items()}
    digest = vectors.digest(word for words in known.values() for word in words)
    groups, others = ("ab", "xy") if test.groups == "ab" else ("xy", "ab")
    results = []
    for name in names:
        signature = f"{name}|{test.name}|words:{test.version}|vectors:{digest}|case:{settings.case}|v:{__version__}"
        if name in _OF_GROUPS:
            compared = " / ".join(test.lists[letter].name for letter in groups)
            parts = [
                (test.lists[letter].name, known[letter], _compare(name, test, vectors, rows, letter, settings))
                for letter in others
            ]
        else:
            compared, words = f"{test.a.name} / {test.b.name}", f"{test.x.name} + {test.y.name}"
            parts = [(words, known["x"] + known["y"], _classify(name, rows, settings))]
        for words, listed, numbers in parts:
            by_word = dict(zip(listed, numbers.by_word, strict=True)) if numbers.by_word else {}
            measures = (numbers.value, *numbers.interval, numbers.p, len(listed), by_word)
            results.append(MetricResult(name, test.name, vectors.name, compared, words, *measures, signature))
    return results


def _compare(
    name: str, test: WordTest, vectors: Vectors, rows: dict[str, Array], letter: str, settings: Settings
) -> _Numbers:
    """A metric that compares two groups on a list of words."""
    first, second = (rows[group] for group in test.groups)
    words = rows[letter]
    if name == "rnd":
        distances = metrics.rnd(first, second, words).tolist()
        p = _regrouped(name, first, second, words, settings)
        return _Numbers(float(np.mean(distances)), students(distances), p, distances)
    if name == "ect":
        value = metrics.ect(first, second, words)
        return _Numbers(value, _rank_interval(value, len(words)), _regrouped(name, first, second, words, settings))
    paired = _pairs(test, vectors)
    if paired is None:
        return _Numbers()
    products = metrics.ripa(*paired, words)
    p = sign_p(products.mean(axis=0), settings.draws, settings.seed)
    by_word = products.mean(axis=1).tolist()
    return _Numbers(float(products.mean()), students(by_word), p, by_word)


def _classify(name: str, rows: dict[str, Array], settings: Settings) -> _Numbers:
    """A metric of all targets and the two lists of attributes."""
    targets = np.concatenate([rows["x"], rows["y"]])
    if name == "mac":
        distances = metrics.mac(targets, (rows["a"], rows["b"])).mean(axis=1)
        return _Numbers(float(distances.mean()), students(distances.tolist()), None, distances.tolist())
    (chances,) = metrics.rnsb(targets, rows["a"], rows["b"])
    value = float(metrics.divergence(chances))
    return _Numbers(value, p=_relabelled(value, targets, rows["a"], rows["b"], settings), by_word=chances.tolist())


def _pairs(test: WordTest, vectors: Vectors) -> tuple[Array, Array] | None:
    """Words at the same place of the two groups, where both are there."""
    one, two = (test.lists[letter].words for letter in test.groups)
    both = [(a, b) for a, b in zip(one, two, strict=False) if a in vectors and b in vectors]
    if len(one) != len(two) or not both:
        return None
    return np.array([vectors[a] for a, _ in both]), np.array([vectors[b] for _, b in both])


def _regrouped(name: str, first: Array, second: Array, words: Array, settings: Settings) -> float:
    """How often chance groups, parted from the same words, are as far apart as the two groups are."""
    everybody = np.concatenate([first, second])
    chosen, exact = partitions(len(everybody), len(first), settings.draws, settings.seed)
    one = chosen @ everybody / len(first)
    two = (1 - chosen) @ everybody / len(second)
    if name == "rnd":
        gaps = (metrics.distances(one, words) - metrics.distances(two, words)).mean(axis=1)
        observed = float(metrics.rnd(first, second, words).mean())
        return share_of(np.abs(gaps) >= abs(observed) - 1e-12, exact)
    coherent = metrics.ect(first, second, words)
    return share_of(metrics.coherence(one, two, words) <= (-2 if coherent is None else coherent) + 1e-12, exact)


def _relabelled(value: float, targets: Array, first: Array, second: Array, settings: Settings) -> float:
    """How often chance labels of the attribute words spread the targets as far apart."""
    size = len(first) + len(second)
    chosen, exact = partitions(size, len(second), min(settings.draws, _RELABELLINGS), settings.seed)
    divergences = metrics.divergence(metrics.rnsb(targets, first, second, chosen[:_RELABELLINGS]))
    return share_of(divergences >= value - 1e-12, exact and len(chosen) <= _RELABELLINGS)


def _rank_interval(r: float | None, n: int) -> tuple[float | None, float | None]:
    """Bonett and Wright's interval for a rank correlation."""
    if r is None or n <= 3 or abs(r) >= 1:
        return None, None
    half = Z95 * math.sqrt((1 + r * r / 2) / (n - 3))
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
