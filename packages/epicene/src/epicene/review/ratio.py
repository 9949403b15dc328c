"""Rates among sentences that are themselves found by reading, as the share of women among all forms with a gender.

People read a stratified sample. In each stratum some sentences belong to the rate, and some of those count for it; the
rate is the quotient of the two sums over all strata. Its variance is that of a double sample, as in ``correction``, of
the quotient's linear part.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from epicene.review.likelihood import score_interval
from epicene.review.profile import Interval
from epicene.stats.rates import wilson


class Layer(NamedTuple):
    """Sentences among which those that people read were drawn at random."""

    alike: Hashable  # layers with the same are read alike
    size: int
    read: float  # by people, at least one
    inside: float  # of those, how many belong to the rate
    true: float  # of those, how many count for it


def corrected_ratio(layers: Sequence[Layer], n: int, count: int, apparent: tuple[float, float]) -> Interval | None:
    """The rate by people's reading, and its interval; None where nothing that they read belongs to it.

    ``n``, ``count`` and ``apparent`` are the detector's: where its interval is wider than Wilson's, since sentences of
    one occupation fare alike, what chance in the choice of sentences adds grows with it.
    """
    import numpy as np

    size, read, inside, true = (
        np.array([getattr(each, name) for each in layers], float) for name in ("size", "read", "inside", "true")
    )
    if not inside.sum():
        return None
    alike = np.array([[one.alike == other.alike for other in layers] for one in layers], float)
    # As in ``correction``, rates of nought and one are drawn a little towards those of layers that are read alike.
    belong, counted = ((each + (alike @ each + 0.5) / (alike @ read + 1)) / (read + 1) for each in (inside, true))
    counted = np.minimum(counted, belong)
    weights, total = size / size.sum(), float(size.sum())
    share = float((weights * belong).sum())
    likely = float((weights * counted).sum()) / share
    mean = (counted - likely * belong) / share
    square = (counted * (1 - likely) ** 2 + (belong - counted) * likely**2) / share**2
    spread = np.maximum(0.0, square - mean**2) / (1 - read / (read + 1) ** 2)
    low, high = wilson(count, n)
    wider = max(1.0, (apparent[1] - apparent[0]) / (high - low)) ** 2 if n else 1.0
    variance = float((weights**2 * spread / read).sum()) + wider * float((weights * mean**2).sum()) / total
    value = float((weights * true / read).sum() / (weights * inside / read).sum())
    return score_interval(value, likely, variance, share * total)
