"""Word alignment as the 2019 scripts had it from fast_align.

The model is that of fast_align (Dyer et al. 2013): IBM model 1 with a prior that favours the diagonal, learned from the
sentences at hand by expectation maximisation, in NumPy, since no maintained wheel carries it for every platform.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]

_ITERATIONS = 5
_TENSION = 4.0  # how strongly the diagonal is favoured
_NULL = 0.08  # the share of target words that translate nothing
_SMOOTHING = 0.01

Words = Sequence[str]


class Aligner:
    """Learns which source word each target word translates, from sentence pairs."""

    def __init__(self, pairs: Sequence[tuple[Words, Words]]) -> None:
        import numpy as np

        self._pairs = pairs
        sources, targets, priors, sizes = _links(pairs)
        self._starts: Integers = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        width = int(targets.max(initial=0)) + 1
        word_pairs, links = np.unique(sources * width + targets, return_inverse=True)
        self._posterior = _learn(links, word_pairs // width, priors, self._starts[:-1])
        # Where the links of each sentence's target words begin.
        self._first: Integers = np.concatenate([[0], np.cumsum([len(target) for _, target in pairs])]).astype(np.int64)

    def best(self, number: int) -> list[int | None]:
        """For each target word of a sentence pair, the source word that it most likely translates, if any."""
        translated: list[int | None] = []
        for word in range(int(self._first[number]), int(self._first[number + 1])):
            links = self._posterior[int(self._starts[word]) : int(self._starts[word + 1])]
            place = int(links.argmax())
            translated.append(place - 1 if place else None)
        return translated


def _links(pairs: Sequence[tuple[Words, Words]]) -> tuple[Integers, Integers, Floats, Integers]:
    """Every possible link of every sentence pair: source word, target word, prior; and the links per target word."""
    import numpy as np

    source_ids: dict[str, int] = {"": 0}
    target_ids: dict[str, int] = {}
    sources, targets, priors, sizes = [], [], [], []
    for source, target in pairs:
        row = [0, *(source_ids.setdefault(word, len(source_ids)) for word in source)]
        column = [target_ids.setdefault(word, len(target_ids)) for word in target]
        m, n = len(source), len(target)
        diagonal = np.exp(
            -_TENSION * np.abs(np.arange(1, m + 1)[None, :] / (m + 1) - np.arange(1, n + 1)[:, None] / (n + 1))
        )
        diagonal = (1 - _NULL) * diagonal / diagonal.sum(axis=1, keepdims=True)
        priors.append(np.hstack([np.full((n, 1), _NULL), diagonal]).ravel())
        sources.append(np.tile(row, n))
        targets.append(np.repeat(column, m + 1))
        sizes.append(np.full(n, m + 1))
    return tuple(np.concatenate(part) for part in (sources, targets, priors, sizes))  # type: ignore[return-value]


def _learn(links: Integers, source_of_link: Integers, priors: Floats, starts: Integers) -> Floats:
    """Posterior of every possible link after expectation maximisation, with fast_align's variational Bayes."""
    import numpy as np

    sizes = np.diff(np.append(starts, len(priors)))
    probabilities = np.ones(len(source_of_link))
    posterior = priors
    for _ in range(_ITERATIONS):
        joint = priors * probabilities[links]
        posterior = joint / np.repeat(np.add.reduceat(joint, starts), sizes)
        counts: Floats = np.bincount(links, posterior, minlength=len(source_of_link)).astype(float) + _SMOOTHING
        totals: Floats = np.bincount(source_of_link, counts).astype(float)
        # Rare words are kept from explaining everything that stands beside them.
        probabilities = np.exp(_digamma(counts) - _digamma(totals)[source_of_link])
    return posterior


def _digamma(x: Floats) -> Floats:
    """The logarithmic derivative of the gamma function; importing scipy's takes longer than all of the learning."""
    import numpy as np

    shifted = np.zeros_like(x)
    for step in range(6):
        shifted -= 1 / (x + step)
    x = x + 6
    square = 1 / (x * x)
    series: Floats = np.log(x) - 0.5 / x - square * (1 / 12 - square * (1 / 120 - square / 252))
    return series + shifted
