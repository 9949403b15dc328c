"""How sentences fall into clusters: by unit and stratum, and by template where templates are crossed with units.

All that is estimated is a ratio of sums over clusters. Each way of parting the sentences has its residuals; what
clusters and templates bring together is the variance of the ratio (``stats.clustered`` makes intervals of it).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Strata = npt.NDArray[np.int_]

FEWEST = 4  # degrees of freedom, below which no interval is given: five clusters of one stratum have four


class Share(NamedTuple):
    """What is counted in each cluster, and among how many; ``size`` where the latter is itself read, as for F1."""

    counted: Array
    of: Array
    size: Array | None = None

    def of_row(self, row: int) -> Share:
        """One of several repetitions."""
        return self.change(lambda counts: counts[row])

    def change(self, change: Callable[[Array], Array]) -> Share:
        """The same with each of its arrays changed."""
        return Share(change(self.counted), change(self.of), None if self.size is None else change(self.size))


class Design(NamedTuple):
    """The stratum of each place of an array; and where clusters are crossed with templates, which these are."""

    strata: Sequence[int] | Strata
    clusters: Sequence[int] | Strata | None = None
    templates: Sequence[int] | Strata | None = None


class Way(NamedTuple):
    """Shares, summed one way of parting sentences into clusters, and the stratum of each cluster."""

    shares: Sequence[Share]
    layers: Strata

    @property
    def freedom(self) -> int:
        """How many clusters there are beyond one of each stratum."""
        return len(self.layers) - len(set(self.layers.tolist()))


def part_sentences(shares: Sequence[Share], design: Design | None) -> list[Way]:
    """The shares by cluster; then, where templates are crossed with clusters, by template and by both at once.

    Fewer templates than an interval takes say nothing about others: they are part of what is measured.
    """
    if design is None:
        design = Design(np.zeros(shares[0].of.shape[-1], dtype=int))
    strata = np.asarray(design.strata, dtype=int)
    if design.clusters is None or design.templates is None:
        return [_keep_present(shares, strata)]
    clusters, templates = (np.asarray(rows, dtype=int) for rows in (design.clusters, design.templates))
    of_clusters = np.zeros(clusters.max() + 1, dtype=int)
    of_clusters[clusters] = strata
    by_cluster = _keep_present(_sum_cells(shares, clusters), of_clusters)
    by_template = _keep_present(_sum_cells(shares, templates), np.zeros(templates.max() + 1, dtype=int))
    return [by_cluster] if by_template.freedom < FEWEST else [by_cluster, by_template, _keep_present(shares, strata)]


def _sum_cells(shares: Sequence[Share], into: Strata) -> list[Share]:
    belongs = np.zeros((len(into), into.max() + 1))
    belongs[np.arange(len(into)), into] = 1
    return [share.change(lambda counts: counts @ belongs) for share in shares]


def _keep_present(shares: Sequence[Share], strata: Strata) -> Way:
    """The clusters that count for one of the shares at least, with their strata; one of a single cluster joins another.

    A stratum of which a share has a single cluster tells nothing of how clusters vary.
    """
    clusters = len(strata)
    there = np.zeros(clusters, dtype=bool)
    for share in shares:
        there |= (share.of > 0).reshape(-1, clusters).any(axis=0)
    layers = strata[there]
    names, sizes = np.unique(layers, return_counts=True)
    if len(alone := names[sizes == 1]):
        others = names[sizes > 1]
        single = np.isin(layers, alone)
        layers[single] = alone[0] if len(alone) > 1 or not len(others) else names[sizes.argmax()]
    return Way([share.change(lambda counts: counts[..., there]) for share in shares], layers)


def explain_too_few(way: Way) -> str:
    """Why there can be no interval; nothing where there can."""
    if way.freedom >= FEWEST:
        return ""
    clusters, strata = len(way.layers), len(way.layers) - way.freedom
    among = f" in {strata} strata" if strata > 1 else ""
    few = "1 cluster is" if clusters == 1 else f"{clusters} clusters{among} are"
    return f"{few} too few for an interval; it takes {FEWEST + max(1, strata)}"


class Ratio(NamedTuple):
    """A ratio, how far each cluster pulls it from its stratum, parted each way, and how many sentences it is over."""

    value: Array
    residuals: Sequence[Array]
    n: Array
    per_cluster: Sequence[Array]  # sentences, as a sentence sees it

    @classmethod
    def of(cls, ways: Sequence[Way], place: int) -> Ratio:
        """The ratio of the share at a place."""
        parts = [(way.shares[place], way.layers) for way in ways]
        (share, _), *_ = parts
        sizes = [part.of if part.size is None else part.size for part, _ in parts]
        with np.errstate(divide="ignore", invalid="ignore"):
            value = share.counted.sum(axis=-1) / share.of.sum(axis=-1)
            alike = [np.nan_to_num((size**2).sum(axis=-1) / size.sum(axis=-1)) for size in sizes]
        n = np.minimum(share.of.sum(axis=-1), sizes[0].sum(axis=-1))
        return cls(value, [_find_residuals(*part) for part in parts], n, [np.maximum(1.0, size) for size in alike])

    def working(self, icc: float) -> Array:
        """For how many independent sentences these stand, were those of a cluster so much alike."""
        return np.asarray(np.min([self.n / (1 + (size - 1) * icc) for size in self.per_cluster[:2]], axis=0))

    def binomial(self, n: Array) -> Array:
        """The variance of the ratio over so many independent sentences, never nought."""
        middle = smooth(self.value, n)
        return np.asarray(middle * (1 - middle) / (n + 1))


def _find_residuals(share: Share, layers: Strata) -> Array:
    """How far each cluster pulls the ratio from where its stratum does."""
    of, size = share.of, share.of if share.size is None else share.size
    whole = of.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        pulls = (share.counted - share.counted.sum(axis=-1, keepdims=True) / whole * of) / whole
        residuals = np.zeros_like(pulls)
        for layer in np.flatnonzero(np.bincount(layers)):
            inside = layers == layer
            weights = size[..., inside] / size[..., inside].sum(axis=-1, keepdims=True)
            around = pulls[..., inside] - weights * pulls[..., inside].sum(axis=-1, keepdims=True)
            # A cluster that is nearly the whole stratum hides its own residual; CR2 makes up for it.
            residuals[..., inside] = np.where(weights < 1, around / np.sqrt(np.maximum(1 - weights, 1e-9)), 0.0)
    return np.asarray(np.nan_to_num(residuals))


def estimate_variance(
    ways: Sequence[Way], residuals: Sequence[Array], independent: Array | float
) -> tuple[Array, Array]:
    """The variance of what clusters and templates bring, and its degrees of freedom."""
    variances = [(pulls**2).sum(axis=-1) for pulls in residuals]
    freedoms = [_freedom(pulls, way.freedom, independent) for way, pulls in zip(ways[:2], residuals, strict=False)]
    if len(ways) == 1:
        return variances[0], freedoms[0]
    by_cluster, by_template, by_cell = variances
    both = by_cluster + by_template - by_cell
    return np.maximum(np.maximum(by_cluster, by_template), both), np.minimum(*freedoms)


def _freedom(residuals: Array, most: int, independent: Array | float) -> Array:
    """Degrees of freedom: fewer than there are where few clusters bring most of the variance.

    What independent sentences would vary as well is no news of the clusters, however few sentences bring it.
    """
    squares, fourths = (residuals**2).sum(axis=-1), (residuals**4).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # For normal residuals, three times this ratio is about their number.
        effective = np.clip(3 * squares**2 / fourths - 1, min(FEWEST, most), most)
        weight = np.clip(1 - independent / squares, 0.0, 1.0)
        df: Array = np.where(fourths > 0, most * (effective / most) ** weight, float(most))
    return df


def smooth(value: Array, n: Array) -> Array:
    """A share of n, drawn a little towards one half."""
    return np.asarray((value * n + 0.5) / (n + 1))
