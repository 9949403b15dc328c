"""Before and after debiasing: the same tests on two sets of vectors, word by word, with a paired test.

Hard debiasing (Bolukbasi et al. 2016) is built in as an example; any other set of vectors can stand after.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from epicene.embeddings import wordlists
from epicene.embeddings.association import Array, sign_p, unit_rows
from epicene.embeddings.source import Row
from epicene.embeddings.tables import Refusal, format_interval, format_small_p
from epicene.embeddings.vectors import Embedding, Settings, Vectors, named_sources, open_all
from epicene.embeddings.weat import Association, measure
from epicene.embeddings.wordlists import TestNames, seed_lists
from epicene.errors import EvidenceError, InputError
from epicene.options import apply_options
from epicene.output.table import Table, format_number
from epicene.version import __version__
from epicene_lab.embeddings.answer import Tested
from epicene_lab.tables import table

HARD = "hard"
_RESAMPLES = 2000
_LEGEND = (
    "d: effect size before and after; Δd with its interval over words, p: how often chance, swapping before and after "
    "word by word, changes d as much. Δs: change of the association in mean cosines, with its own p. d is scaled by "
    "the spread of all words: it can stay while the association itself all but goes."
)


@dataclass(frozen=True, slots=True)
class Change:
    """One test before and after."""

    before: Association
    after: Association
    change: float | None  # of the effect size
    low: float | None
    high: float | None
    p: float  # how often chance, swapping before and after word by word, changes the effect size as much
    shift: float  # of the association itself: the difference of mean cosines
    p_shift: float

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        plain = ("change", "low", "high", "p", "shift", "p_shift")
        return {
            "epicene": __version__,
            "test": self.before.test.name,
            **{name: getattr(self, name) for name in plain},
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class Debiasing(Tested):
    """All tests before and after."""

    before: str
    after: str
    results: tuple[Change, ...]
    refused: tuple[Refusal, ...] = ()

    def tables(self) -> Iterable[Table]:
        """One row a test, before and after."""
        rows = []
        for change in self.results:
            effects = (change.before["effect_size"].value, change.after["effect_size"].value, change.change)
            numbers = (*(format_number(effect, 2) for effect in effects), format_interval(change.low, change.high, 2))
            shift = (f"{change.shift:+.3f}", format_small_p(change.p_shift))
            sizes = "+".join(map(str, change.before.sizes))
            rows.append((change.before.test.name, sizes, *numbers, format_small_p(change.p), *shift))
        titles = ("test", "n", "d before", "d after", "Δd", "95 % interval", "p", "Δs", "p of Δs")
        yield self.make_table(f"before  {self.before}\nafter   {self.after}", titles, rows, (_LEGEND,))

    def signatures(self) -> tuple[str, ...]:
        """Those of both sides."""
        return tuple(dict.fromkeys(side.signature for change in self.results for side in (change.before, change.after)))


def debiasing(before: Embedding, after: Embedding = HARD, tests: TestNames = None, **settings: Any) -> Debiasing:
    """Run tests on vectors before and after debiasing, with a paired test of the change.

    ``after`` is another set of vectors of the same words, or ``hard`` for hard debiasing of the English ones before.
    """
    (chosen,) = apply_options(settings, Settings())
    word_tests = wordlists.find(tests)
    words = [word for test in word_tests for word in test.words]
    hard = isinstance(after, str) and after == HARD
    pairs = definitional_pairs()
    wanted = words + ([word for pair in pairs for word in pair] if hard else [])
    (first,) = open_all(named_sources(before), wanted, chosen.case)
    if hard:
        second = replace(hard_debiased(first, pairs, gendered()), name=f"{first.name}, hard debiased")
    else:
        (second,) = open_all(named_sources(after), words, chosen.case)
        if second.name == first.name:
            second = replace(second, name=f"{second.name} (after)")
    shared = set(first.rows) & set(second.rows)
    sides = [
        replace(vectors, rows={word: row for word, row in vectors.rows.items() if word in shared})
        for vectors in (first, second)
    ]
    changes, refused = [], []
    for test in word_tests:
        one, two = (measure(test, vectors, chosen) for vectors in sides)
        if isinstance(one, Refusal):
            refused.append(one)
        elif isinstance(two, Refusal):
            refused.append(two)
        else:
            changes.append(_compare(one, two, chosen))
    return Debiasing(first.name, second.name, tuple(changes), tuple(refused))


def definitional_pairs() -> list[tuple[str, str]]:
    """The English pairs that define the direction of gender (Bolukbasi et al. 2016), female first."""
    return [(row["female"], row["male"]) for row in table("embeddings", "definitional.tsv")]


def gendered() -> frozenset[str]:
    """Words that are gendered by what they mean, which debiasing leaves alone."""
    return frozenset(word for seeds in seed_lists() for word in (*seeds.feminine, *seeds.masculine))


def hard_debiased(vectors: Vectors, pairs: Sequence[tuple[str, str]], exempt: Iterable[str] = ()) -> Vectors:
    """Vectors without the direction that best parts the pairs, which are made equally long; ``exempt`` words keep it.

    All vectors come out with length one.
    """
    there = [(a, b) for a, b in pairs if a in vectors and b in vectors]
    if not there:
        some = ", ".join(f"{a} / {b}" for a, b in pairs[:3])
        raise EvidenceError(f"{vectors.name}: it has none of the pairs that define gender ({some}, …); is it English?")
    words = list(vectors.rows)
    rows = unit_rows(np.array([vectors[word] for word in words]))
    index = {word: number for number, word in enumerate(words)}
    direction = _direction(rows, [(index[a], index[b]) for a, b in there])
    keeping = frozenset(exempt)
    neutral = np.array([word not in keeping for word in words])
    rows[neutral] = unit_rows(rows[neutral] - np.outer(rows[neutral] @ direction, direction))
    for a, b in there:
        first, second = rows[index[a]], rows[index[b]]
        middle = (first + second) / 2
        middle = middle - direction * (middle @ direction)
        length = np.sqrt(max(0.0, 1 - middle @ middle)) * (1 if (first - second) @ direction >= 0 else -1)
        rows[index[a]], rows[index[b]] = middle + length * direction, middle - length * direction
    made = {word: Row(vectors.rows[word].word, vectors.rows[word].where, rows[index[word]]) for word in words}
    return replace(vectors, rows=made)


def _direction(rows: Array, pairs: Sequence[tuple[int, int]]) -> Array:
    gaps = np.concatenate([[rows[a] - rows[b], rows[b] - rows[a]] for a, b in pairs]) / 2
    direction: Array = np.linalg.svd(gaps, full_matrices=False)[2][0]
    return direction


def _compare(before: Association, after: Association, settings: Settings) -> Change:
    if [score.word for score in before.scores] != [score.word for score in after.scores]:
        raise InputError(f"test {before.test.name}: other words are there before than after; give vectors of the same")
    size = before.sizes[0]
    raw = np.array([[score.score for score in result.scores] for result in (before, after)])
    scaled = raw / raw.std(axis=1, ddof=settings.ddof, keepdims=True)
    weights = np.concatenate([np.full(size, 1 / size), np.full(raw.shape[1] - size, -1 / (raw.shape[1] - size))])
    p, p_shift = (sign_p(weights * (scores[0] - scores[1]), settings.draws, settings.seed) for scores in (scaled, raw))
    one, two = before["effect_size"].value, after["effect_size"].value
    change = None if one is None or two is None else two - one
    low, high = _resample(raw, size, settings)
    return Change(before, after, change, low, high, p, float(weights @ (raw[1] - raw[0])), p_shift)


def _resample(raw: Array, size: int, settings: Settings) -> tuple[float, float]:
    """The 95 % interval of the change of d: words of X and of Y drawn anew, each with its two scores."""
    chance = np.random.default_rng(settings.seed)
    n = raw.shape[1]
    places = np.concatenate(
        [chance.integers(0, size, (_RESAMPLES, size)), chance.integers(size, n, (_RESAMPLES, n - size))], axis=1
    )
    drawn = raw[:, places]
    gaps = drawn[:, :, :size].mean(axis=2) - drawn[:, :, size:].mean(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        d = gaps / drawn.std(axis=2, ddof=settings.ddof)
    low, high = np.nanquantile(d[1] - d[0], [0.025, 0.975])
    return float(low), float(high)
