"""Logistic regression with errors that allow for clusters (extra ``models``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from epicene.errors import EvidenceError, MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


class Term(NamedTuple):
    """An effect as an odds ratio, the others held equal."""

    name: str
    odds: float
    low: float
    high: float
    p: float


def logistic(names: Sequence[str], rows: Array, successes: Array, trials: Array, clusters: Sequence[str]) -> list[Term]:
    """Effects of the columns of ``rows`` on the share of successes; a constant is added and not told.

    Each row of counts has as many trials; standard errors are those of the clusters' sums (sandwich, with statsmodels'
    correction for few clusters). Refused where a column tells success without fail, so that no finite effect fits.
    """
    import numpy as np

    try:
        import statsmodels.api as sm
        from statsmodels.tools.sm_exceptions import PerfectSeparationError, PerfectSeparationWarning
    except ImportError:
        raise MissingExtraError("a logistic model", "models") from None
    import warnings

    numbers = {name: number for number, name in enumerate(sorted(set(clusters)))}
    design = sm.add_constant(rows, has_constant="add")
    outcome = np.column_stack([successes, trials - successes])
    groups = np.array([numbers[name] for name in clusters])
    with warnings.catch_warnings():
        warnings.simplefilter("error", PerfectSeparationWarning)
        try:
            fitted = sm.GLM(outcome, design, family=sm.families.Binomial()).fit(
                cov_type="cluster", cov_kwds={"groups": groups}
            )
        except (PerfectSeparationError, PerfectSeparationWarning, np.linalg.LinAlgError) as error:
            raise EvidenceError(f"no logistic model fits: {error}") from None
    bounds = fitted.conf_int()
    found = []
    for at, name in enumerate(names, 1):
        odds, low, high = (float(np.exp(value)) for value in (fitted.params[at], *bounds[at]))
        found.append(Term(name, odds, low, high, float(fitted.pvalues[at])))
    return found
