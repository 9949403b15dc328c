"""CEAT (Guo and Caliskan 2021): WEAT on words in context, over many samples of contexts, made one effect.

Each sample takes for every word one of its uses in real sentences; its effect size d is that of WEAT, with the
variance of a standardised difference (Hedges). The random-effects model of DerSimonian and Laird makes them one.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from epicene.embeddings import wordlists
from epicene.embeddings.association import Array, fixed, p_values
from epicene.embeddings.tables import Refusal, format_interval, format_small_p
from epicene.embeddings.vectors import ENCODER, Settings
from epicene.embeddings.weat import count_partitions, find_refusal
from epicene.embeddings.wordlists import TestNames, WordTest
from epicene.errors import EvidenceError, InputError
from epicene.options import apply_options
from epicene.output.table import Table, format_number
from epicene.stats.rates import Z95
from epicene.version import __version__
from epicene_lab.embeddings.answer import Tested
from epicene_lab.embeddings.contexts import embed_uses, find_uses

SAMPLES = 1000
USES = 50  # of each word
_BLOCK = 200  # samples at once
_DOUBT = (
    "not to be trusted: the combined p counts samples of contexts, not words; chance, exchanging the words of X and Y, "
    "reaches as far (p of words). An untrained encoder gives such results"
)


class Combined(NamedTuple):
    """Effects of many samples as one."""

    value: float
    low: float
    high: float
    p: float
    between: float  # the variance between samples


@dataclass(frozen=True, slots=True)
class Contextual:
    """One test on one encoder."""

    test: WordTest
    embedding: str
    effect: Combined
    samples: int
    spread: tuple[float, float]  # of the single samples' effect sizes: 2.5 and 97.5 %
    uses: Mapping[str, int]  # how many contexts each word has
    p_words: float  # two-sided, over all ways to part the words, which are the sample; effect.p counts contexts only
    signature: str
    doubt: str = ""  # why the combined p cannot be trusted

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        return {
            "epicene": __version__,
            "metric": "ceat",
            "test": self.test.name,
            "embedding": self.embedding,
            "signature": self.signature,
            **self.effect._asdict(),
            "samples": self.samples,
            "spread": list(self.spread),
            "uses": dict(self.uses),
            "p_words": self.p_words,
            "doubt": self.doubt,
        }


@dataclass(frozen=True, slots=True)
class Ceat(Tested):
    """All tests of one call."""

    embedding: str
    results: tuple[Contextual, ...]
    refused: tuple[Refusal, ...] = ()

    def tables(self) -> Iterable[Table]:
        """One row a test."""
        rows = []
        for result in self.results:
            effect, uses = result.effect, sorted(result.uses.values())
            combined = (format_number(effect.value, 2), format_interval(effect.low, effect.high, 2))
            chances = (format_small_p(effect.p), format_small_p(result.p_words))
            sampled = (format_interval(*result.spread, 2), f"{result.samples:,}", f"{uses[0]}–{uses[-1]}")
            rows.append((result.test.name, *combined, *chances, *sampled))
        titles = ("test", "effect", "95 % interval", "p", "p of words", "single samples", "samples", "uses a word")
        doubts = (f"{result.test.name} is {result.doubt}" for result in self.results if result.doubt)
        yield self.make_table(self.embedding, titles, rows, doubts)


def ceat(
    encoder: str,
    contexts: str | Path | Sequence[str | Path],
    tests: TestNames = None,
    samples: int = SAMPLES,
    uses: int = USES,
    **settings: Any,
) -> Ceat:
    """Test an encoder on words in the sentences of plain text, one a line: a combined effect size for each test.

    ``encoder`` is ``huggingface:DIR``; ``samples`` choices of contexts are combined, from at most ``uses`` of a word.
    """
    if not encoder.startswith(ENCODER):
        raise InputError(f"{encoder}: words in context need an encoder: {ENCODER}DIR")
    if samples < 2 or uses < 1:
        raise InputError(f"{samples} samples of {uses} uses: expected at least 2, better {SAMPLES}, and 1 or more uses")
    (chosen,) = apply_options(settings, Settings())
    word_tests = wordlists.find(tests)
    texts = [contexts] if isinstance(contexts, str | Path) else contexts
    in_text = find_uses(texts, {word for test in word_tests for word in test.words}, uses)
    if not in_text:
        raise EvidenceError(f"{', '.join(map(str, texts))}: no word of the tests is in the text; give more of it")
    by_word: dict[str, list[Array]] = {}
    for word, vector in embed_uses(encoder.removeprefix(ENCODER), in_text):
        by_word.setdefault(word, []).append(vector)
    name = Path(encoder).name
    results, refused = [], []
    for test in word_tests:
        if refusal := find_refusal(test, name, by_word, chosen):
            refused.append(refusal)
        else:
            results.append(_combine(test, name, by_word, samples, chosen))
    return Ceat(name, tuple(results), tuple(refused))


def _combine(
    test: WordTest, name: str, by_word: Mapping[str, list[Array]], samples: int, settings: Settings
) -> Contextual:
    known = {letter: [word for word in words.words if word in by_word] for letter, words in test.lists.items()}
    tables = {
        letter: [np.array([row / np.linalg.norm(row) for row in by_word[word]]) for word in words]
        for letter, words in known.items()
    }
    chance = np.random.default_rng(settings.seed)
    d = np.concatenate(
        [_effects(tables, min(_BLOCK, samples - start), chance, settings) for start in range(0, samples, _BLOCK)]
    )
    x, y = len(known["x"]), len(known["y"])
    variances = (x + y) / (x * y) + d**2 / (2 * (x + y))
    digest = hashlib.sha256()
    for word in sorted({word for words in known.values() for word in words}):
        digest.update(word.encode() + b"\0" + np.array(by_word[word]).astype("<f4").tobytes())
    low, high = np.quantile(d, [0.025, 0.975])
    effect = random_effects(d.tolist(), variances.tolist())
    p_words = _p_over_words(test.name, tables, settings)
    doubtful = effect.p is not None and effect.p < settings.alpha <= p_words
    return Contextual(
        test=test,
        embedding=name,
        effect=effect,
        p_words=p_words,
        doubt=_DOUBT if doubtful else "",
        samples=samples,
        spread=(float(low), float(high)),
        uses={word: len(by_word[word]) for words in known.values() for word in words},
        signature=f"ceat|{test.name}|words:{test.version}|vectors:{digest.hexdigest()[:8]}|samples:{samples}"
        f"|seed:{settings.seed}|ddof:{settings.ddof}|v:{__version__}",
    )


def _p_over_words(name: str, tables: Mapping[str, list[Array]], settings: Settings) -> float:
    """How often chance, exchanging words of X and Y, gives an association as far from zero as theirs."""
    means = {letter: np.array([uses.mean(axis=0) for uses in words]) for letter, words in tables.items()}
    direction = means["a"].mean(axis=0) - means["b"].mean(axis=0)
    scores = fixed(np.concatenate([means["x"], means["y"]]) @ direction)
    _, two_sided = p_values(name, count_partitions(scores, len(means["x"]), settings))
    return two_sided.value or 1.0


def _effects(tables: Mapping[str, list[Array]], samples: int, chance: Any, settings: Settings) -> Array:
    """Effect sizes of samples that take one use of each word."""
    drawn = {
        letter: np.stack([uses[chance.integers(0, len(uses), samples)] for uses in words], axis=1)
        for letter, words in tables.items()
    }
    direction = drawn["a"].mean(axis=1) - drawn["b"].mean(axis=1)
    x, y = (np.einsum("swd,sd->sw", drawn[letter], direction) for letter in "xy")
    spread = np.concatenate([x, y], axis=1).std(axis=1, ddof=settings.ddof)
    effects: Array = (x.mean(axis=1) - y.mean(axis=1)) / spread
    return effects


def random_effects(effects: Sequence[float], variances: Sequence[float]) -> Combined:
    """The random-effects model of DerSimonian and Laird: effects weighted by their own and the common variance."""
    weights = [1 / variance for variance in variances]
    total = math.fsum(weights)
    fixed = math.fsum(w * e for w, e in zip(weights, effects, strict=True)) / total
    spread = math.fsum(w * (e - fixed) ** 2 for w, e in zip(weights, effects, strict=True))
    scale = total - math.fsum(w * w for w in weights) / total
    between = max(0.0, (spread - (len(effects) - 1)) / scale) if scale > 0 else 0.0
    weights = [1 / (variance + between) for variance in variances]
    total = math.fsum(weights)
    value = math.fsum(w * e for w, e in zip(weights, effects, strict=True)) / total
    error = math.sqrt(1 / total)
    p = math.erfc(abs(value / error) / math.sqrt(2))
    return Combined(value, value - Z95 * error, value + Z95 * error, p, between)
