"""Before and after debiasing: the same tests on two sets of vectors, word by word, with a paired test.

Hard debiasing (Bolukbasi et al. 2016) is built in as an example; any other set of vectors can stand after.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from epicene.embeddings import wordlists
from epicene.embeddings.metrics import unit
from epicene.embeddings.source import Row
from epicene.embeddings.tables import change_tables
from epicene.embeddings.vectors import Embedding, Settings, Vectors, load, named_sources
from epicene.embeddings.weat import Association, Refusal, Tested, measure
from epicene.embeddings.wordlists import TestNames, seed_lists
from epicene.errors import EvidenceError, InputError
from epicene.output.table import Table
from epicene.stats.exact import signs
from epicene.tables import table
from epicene.version import __version__

if TYPE_CHECKING:
    from epicene.embeddings.metrics import Array

HARD = "hard"
_RESAMPLES = 2000


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
        return change_tables(self)


def debiasing(
    before: Embedding,
    after: Embedding = HARD,
    tests: TestNames = None,
    **settings: Any,
) -> Debiasing:
    """Run tests on vectors before and after debiasing, with a paired test of the change.

    ``after`` is another set of vectors of the same words, or ``hard`` for hard debiasing of the English ones before.
    """
    chosen = Settings.of(**settings)
    found = wordlists.find(tests)
    words = [word for test in found for word in test.words]
    hard = isinstance(after, str) and after == HARD
    pairs = [(row["female"], row["male"]) for row in table("embeddings/tables", "definitional.tsv")]
    wanted = words + ([word for pair in pairs for word in pair] if hard else [])
    ((name, source),) = named_sources(before).items()
    first = replace(load(source, wanted, chosen.case), name=name)
    if hard:
        second = replace(hard_debiased(first, pairs, gendered()), name=f"{name}, hard debiased")
    else:
        ((other, target),) = named_sources(after).items()
        second = replace(load(target, words, chosen.case), name=other if other != name else f"{other} (after)")
    shared = {word for word in first.rows if word in second}
    one, two = (replace(each, rows={w: row for w, row in each.rows.items() if w in shared}) for each in (first, second))
    changes, refused = [], []
    for test in found:
        outcomes = measure(test, one, chosen), measure(test, two, chosen)
        if isinstance(outcomes[0], Association) and isinstance(outcomes[1], Association):
            changes.append(_compared(outcomes[0], outcomes[1], chosen))
        else:
            refused.append(next(each for each in outcomes if isinstance(each, Refusal)))
    return Debiasing(first.name, second.name, tuple(changes), tuple(refused))


def gendered() -> frozenset[str]:
    """Words that are gendered by what they mean, which debiasing leaves alone."""
    return frozenset(word for each in seed_lists() for side in (each.feminine, each.masculine) for word in side)


def hard_debiased(vectors: Vectors, pairs: Sequence[tuple[str, str]], kept: Iterable[str] = ()) -> Vectors:
    """Vectors without the direction that best parts the pairs; words of ``kept`` keep it, pairs are made equally long.

    All vectors come out with length one.
    """
    import numpy as np

    there = [(a, b) for a, b in pairs if a in vectors and b in vectors]
    if not there:
        some = ", ".join(f"{a} / {b}" for a, b in pairs[:3])
        raise EvidenceError(f"{vectors.name}: it has none of the pairs that define gender ({some}, …); is it English?")
    words = list(vectors.rows)
    rows = unit(np.array([vectors[word] for word in words]))
    place = {word: number for number, word in enumerate(words)}
    direction = _direction(rows, [(place[a], place[b]) for a, b in there])
    left = frozenset(kept)
    neutral = np.array([word not in left for word in words])
    rows[neutral] = unit(rows[neutral] - np.outer(rows[neutral] @ direction, direction))
    for a, b in there:
        first, second = rows[place[a]], rows[place[b]]
        middle = (first + second) / 2
        middle = middle - direction * (middle @ direction)
        length = np.sqrt(max(0.0, 1 - middle @ middle)) * (1 if (first - second) @ direction >= 0 else -1)
        rows[place[a]], rows[place[b]] = middle + length * direction, middle - length * direction
    made = {word: Row(vectors.rows[word].word, vectors.rows[word].where, rows[place[word]]) for word in words}
    return replace(vectors, rows=made)


def _direction(rows: Array, pairs: Sequence[tuple[int, int]]) -> Array:
    import numpy as np

    gaps = np.concatenate([[rows[a] - rows[b], rows[b] - rows[a]] for a, b in pairs]) / 2
    found: Array = np.linalg.svd(gaps, full_matrices=False)[2][0]
    return found


def _compared(before: Association, after: Association, settings: Settings) -> Change:
    import numpy as np

    if [each.word for each in before.scores] != [each.word for each in after.scores]:
        raise InputError(f"test {before.test.name}: other words are there before than after; give vectors of the same")
    size = before.sizes[0]
    raw = np.array([[each.score for each in found.scores] for found in (before, after)])
    spread = raw.std(axis=1, ddof=settings.ddof, keepdims=True)
    scaled = raw / spread
    weights = np.concatenate([np.full(size, 1 / size), np.full(raw.shape[1] - size, -1 / (raw.shape[1] - size))])
    turns = signs(raw.shape[1], settings.draws, settings.seed)
    exact = len(turns) == 2 ** raw.shape[1]

    def tested(table: Array) -> float:
        gap = weights * (table[0] - table[1])
        hits = int((np.abs(turns @ gap) >= abs(gap.sum()) - 1e-12).sum())
        return hits / len(turns) if exact else (hits + 1) / (len(turns) + 1)

    effects = before["effect_size"].value, after["effect_size"].value
    change = effects[1] - effects[0] if None not in effects else None  # type: ignore[operator]
    low, high = _resampled(raw, size, settings)
    return Change(before, after, change, low, high, tested(scaled), float(weights @ (raw[1] - raw[0])), tested(raw))


def _resampled(raw: Array, size: int, settings: Settings) -> tuple[float, float]:
    """The 95 % interval of the change of d: words of X and of Y drawn anew, each with its two scores."""
    import numpy as np

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
