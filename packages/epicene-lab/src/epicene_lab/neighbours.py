"""Vectors from counts of neighbours: GloVe's counts, weighted by distance, as positive PMI, reduced by SVD (scipy)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import EvidenceError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

VOCABULARY = 50_000  # the most frequent words; the table of counts grows with them
_LINES = 20_000  # lines that are counted at once


def vectors(path: Path, dim: int, window: int, min_count: int, seed: int) -> tuple[list[str], npt.NDArray[np.float32]]:
    """Words, the most frequent first, and vectors, from a file of words parted by blanks."""
    import numpy as np
    from scipy.sparse.linalg import svds

    with path.open(encoding="utf-8") as stream:
        counts = Counter(word for line in stream for word in line.split())
    words = [word for word, count in counts.most_common(VOCABULARY) if count >= min_count]
    if len(words) <= dim:
        raise EvidenceError(f"{len(words)} words stand {min_count} times in the text; {dim} numbers need more of them")
    table = _counted(path, {word: place for place, word in enumerate(words)}, window)
    start = np.random.default_rng(seed).normal(size=len(words))
    left, values, _ = svds(_informative(table), k=dim, v0=start)
    # Halving the spectrum gives vectors that are better for similarity than the whole of it (Levy et al. 2015).
    return words, (left[:, ::-1] * np.sqrt(values[::-1])).astype(np.float32)


def _counted(path: Path, places: dict[str, int], window: int) -> Any:
    """How often words stand near each other, a neighbour at distance k as 1/k, as GloVe counts."""
    import numpy as np
    from scipy.sparse import csr_array

    size = len(places)
    total = csr_array((size, size), dtype=np.float32)
    for lines in _blocks(path):
        # A place of -1 parts lines, and stands for rare words, which keep their distance.
        text = np.array([places.get(word, -1) for line in lines for word in [*line.split(), *[""] * window]])
        for distance in range(1, window + 1):
            first, second = text[:-distance], text[distance:]
            both = (first >= 0) & (second >= 0)
            weight = np.full(int(both.sum()), 1 / distance, dtype=np.float32)
            total = total + csr_array((weight, (first[both], second[both])), shape=(size, size))
    return total + total.T


def _blocks(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8") as stream:
        while lines := list(islice(stream, _LINES)):
            yield lines


def _informative(counts: Any) -> Any:
    """Positive pointwise mutual information; contexts smoothed by a power of 0.75, as word2vec draws them."""
    import numpy as np

    table = counts.tocoo()
    rows = counts.sum(axis=1)
    columns = rows**0.75
    found = np.log(table.data * columns.sum() / (rows[table.row] * columns[table.col]))
    table.data = np.maximum(found, 0)
    return table.tocsr()
