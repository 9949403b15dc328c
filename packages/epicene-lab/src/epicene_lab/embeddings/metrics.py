"""Other metrics of bias in vectors than WEAT: pure functions on arrays, a row a word.

Each takes vectors as they are (not of length one) and gives the number that its paper defines; WEFE 1.0.1 gives the
same where both do the same (``benchmarks/weat.py`` says where not).
"""

from __future__ import annotations

import numpy as np

from epicene.embeddings.association import Array, unit_rows

_STEPS = 100
_CLOSE = 1e-11  # of the largest weight


def rnd(first: Array, second: Array, words: Array) -> Array:
    """Relative norm distance of each word (Garg et al. 2018): negative where it is nearer to the first group's mean."""
    one, two = (words - group.sum(axis=0) / len(group) for group in (first, second))
    gaps: Array = np.sqrt(np.einsum("ij,ij->i", one, one)) - np.sqrt(np.einsum("ij,ij->i", two, two))
    return gaps


def distances(centres: Array, words: Array) -> Array:
    """Euclidean distances of centres (rows) to words (columns)."""
    squares = (
        np.einsum("ij,ij->i", centres, centres)[:, None] + np.einsum("ij,ij->i", words, words) - 2 * (centres @ words.T)
    )
    return np.asarray(np.sqrt(np.maximum(squares, 0)))


def ect(first: Array, second: Array, words: Array) -> float | None:
    """Embedding coherence (Dev and Phillips 2019): the rank correlation of the words' closeness to both groups."""
    correlation = coherence(first.mean(axis=0)[None], second.mean(axis=0)[None], words)[0]
    return None if np.isnan(correlation) else float(correlation)


def coherence(first: Array, second: Array, words: Array) -> Array:
    """Spearman's correlation over words for each pair of means (rows)."""
    directions = unit_rows(words)
    ranks = [_ranks(means @ directions.T) for means in (first, second)]
    a, b = (rank - rank.mean(axis=1, keepdims=True) for rank in ranks)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1)))


def _ranks(values: Array) -> Array:
    """Ranks along rows, ties at their mean."""
    ordered = np.sort(values, axis=1)
    rows = zip(ordered, values, strict=True)
    # A tie stands at the mean of the ranks that it takes up.
    return np.array([(np.searchsorted(a, b) + np.searchsorted(a, b, side="right") + 1) / 2 for a, b in rows])


def ripa(first: Array, second: Array, words: Array) -> Array:
    """Relational inner products (Ethayarajh et al. 2019): of words (rows) with each pair's direction (columns)."""
    return np.asarray(words @ unit_rows(first - second).T)


def mac(targets: Array, attributes: tuple[Array, ...]) -> Array:
    """Mean average cosine (Manzini et al. 2019): each target's mean cosine distance to each list (columns)."""
    rows = unit_rows(targets)
    return np.column_stack([1 - rows @ unit_rows(words).mean(axis=0) for words in attributes])


def rnsb(targets: Array, first: Array, second: Array, labels: Array | None = None) -> Array:
    """Relative negative sentiment (Sweeney and Najafian 2019): each target's chance of belonging to the second list.

    The chance is that of a logistic regression on the two lists, with a penalty of half the squared weights, the
    intercept free of it, fitted to the end; one row for each way to label the words of both lists, or for the lists as
    they are.
    """
    if labels is None:
        labels = np.repeat([0.0, 1.0], [len(first), len(second)])[None]
    seen = np.concatenate([first, second])
    weights, intercept = _fitted(seen @ seen.T, labels)
    return np.asarray(1 / (1 + np.exp(-(weights @ (seen @ targets.T) + intercept[:, None]))))


def divergence(chances: Array) -> Array:
    """How far chances (in rows) are from equal shares: their Kullback-Leibler divergence from those."""
    shares = chances / chances.sum(axis=-1, keepdims=True)
    return np.asarray((shares * np.log(shares * shares.shape[-1])).sum(axis=-1))


def _fitted(products: Array, labels: Array) -> tuple[Array, Array]:
    """Weights of the seen words and the intercept, for each labelling (rows): Newton's method on inner products."""
    runs, size = labels.shape
    weights, intercept = np.zeros((runs, size)), np.zeros(runs)
    system = np.zeros((runs, size + 1, size + 1))
    system[:, :size, size] = system[:, size, :size] = 1
    place = np.arange(size)
    for _ in range(_STEPS):
        scores = weights @ products + intercept[:, None]
        chance = 1 / (1 + np.exp(-scores))
        slope = np.maximum(chance * (1 - chance), 1e-12)
        system[:, :size, :size] = products
        system[:, place, place] += 1 / slope
        wanted = np.concatenate([scores + (labels - chance) / slope, np.zeros((runs, 1))], axis=1)
        solved = np.linalg.solve(system, wanted[:, :, None])[:, :, 0]
        moved = np.abs(solved[:, :size] - weights).max()
        weights, intercept = solved[:, :size], solved[:, size]
        if moved <= _CLOSE * np.abs(weights).max():
            break
    return weights, intercept
