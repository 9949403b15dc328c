"""Optimal translators: the best that can be done with one pronoun for a job that men and women do.

A pronoun fails those whom it does not name: "she" for a job with 60 % women has 40 error points, "he" has 60.
"""

from __future__ import annotations

import math

from epicene.types import Gender


def optimal_error(women_pct: float) -> float:
    """E_o: the error of the optimal deterministic translator, which always takes the pronoun of the majority."""
    return min(women_pct, 100 - women_pct)


def probabilistic_error(women_pct: float) -> float:
    """The mean error of the optimal probabilistic translator, which says "she" as often as there are women."""
    return 2 * women_pct * (100 - women_pct) / 100


def error(women_pct: float, said: Gender) -> float | None:
    """E_t: the error of a translator that said this; None for an answer that names no gender or was not read."""
    if said is Gender.FEMININE:
        return 100 - women_pct
    return women_pct if said is Gender.MASCULINE else None


def bias(women_pct: float, said: Gender) -> float | None:
    """B = (E_t - E_o) / E_o: how much worse than the optimal deterministic translator; 0 where it does the same.

    Infinite where everybody in the job is of one gender and the translator named the other: no error was needed.
    """
    made, needed = error(women_pct, said), optimal_error(women_pct)
    if made is None:
        return None
    if made == needed:
        return 0.0
    return (made - needed) / needed if needed else math.inf


def optimal(women_pct: float) -> Gender | None:
    """The pronoun of the majority; None where there are as many women as men, and either is right."""
    if women_pct == 50:
        return None
    return Gender.FEMININE if women_pct > 50 else Gender.MASCULINE


def is_wrong(women_pct: float, said: Gender) -> bool:
    """Whether a pronoun was given, and it is the one of the minority."""
    return said in (Gender.FEMININE, Gender.MASCULINE) and optimal(women_pct) not in (None, said)
