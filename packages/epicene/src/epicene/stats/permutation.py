"""Ways to part or to turn things by chance: all of them where they are few, else drawn with a seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

MOST = 20_000  # ways that are all gone through


def partitions(size: int, part: int, draws: int, seed: int) -> tuple[Array, bool]:
    """Rows of 0 and 1 with as many ones as the part has members; and whether these are all there are."""
    import numpy as np

    if math.comb(size, part) <= MOST:
        places = np.array(list(combinations(range(size), part)))
        found = np.zeros((len(places), size))
        found[np.arange(len(places))[:, None], places] = 1
        return found, True
    order = np.random.default_rng(seed).random((min(draws, MOST), size)).argsort(axis=1)
    return (order < part).astype(np.float64), False


def signs(size: int, draws: int, seed: int) -> Array:
    """Rows of 1 and -1: all ways to turn so many things round, or some drawn."""
    import numpy as np

    if 2**size <= MOST:
        turned = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    else:
        turned = np.random.default_rng(seed).integers(0, 2, size=(min(draws, MOST), size))
    return (1 - 2 * turned).astype(np.float64)


def exact_gap(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The two-sided p of a difference of means over all ways to part the values; None with one value on either side.

    With two and two values it cannot fall below 1/3, with three and three not below 1/10.
    """
    import numpy as np

    if min(len(first), len(second)) < 2:
        return None
    values = np.array([*first, *second])
    rows, _ = partitions(len(values), len(first), MOST, seed=1)
    gaps = rows @ values / len(first) - (1 - rows) @ values / len(second)
    seen = abs(np.mean(first) - np.mean(second))
    return float((np.abs(gaps) >= seen - 1e-9).mean())
