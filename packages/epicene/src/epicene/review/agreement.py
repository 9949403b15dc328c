"""Agreement between two people beyond chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from epicene.stats.rates import Z95, wilson


def cohens_kappa(pairs: Sequence[tuple[str, str]], z: float = Z95) -> tuple[float, float, float] | None:
    """Cohen's κ of what two people said about the same things, with its large-sample interval.

    The standard error is that of Fleiss, Cohen and Everitt (1969). It is nought where the two never differ; the lower
    end is then that of Wilson's interval for the share on which they agree. None where κ is not defined: no pairs, or
    both said one and the same thing throughout.
    """
    n = len(pairs)
    cells = Counter(pairs)
    first, second = Counter(pair[0] for pair in pairs), Counter(pair[1] for pair in pairs)
    agreed = sum(cells[name, name] for name in first) / n if n else 0.0
    chance = sum(first[name] * second[name] for name in first) / n**2 if n else 1.0
    if chance == 1.0:
        return None
    kappa = (agreed - chance) / (1 - chance)
    if agreed == 1.0:
        return kappa, (wilson(n, n, z)[0] - chance) / (1 - chance), 1.0
    diagonal = sum(cells[name, name] / n * (1 - (first[name] + second[name]) / n * (1 - kappa)) ** 2 for name in first)
    rest = (1 - kappa) ** 2 * sum(
        number / n * ((first[b] + second[a]) / n) ** 2 for (a, b), number in cells.items() if a != b
    )
    variance = max(0.0, diagonal + rest - (kappa - chance * (1 - kappa)) ** 2) / ((1 - chance) ** 2 * n)
    reach = z * math.sqrt(variance)
    return kappa, max(-1.0, kappa - reach), min(1.0, kappa + reach)
